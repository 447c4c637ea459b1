export function doing(text: string): void
export function say(text: string): void
export function done(): void
export function during<R>(text: string, work: () => Promise<R>): Promise<R>
export function columnsOf(text: string): number
