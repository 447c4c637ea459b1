export function changelogText(): string
export function datedVersions(changelog: string): string[]
export function mayKeep(version: string, changelog: string, committed: boolean): boolean
export function isCommitted(version: string): boolean
