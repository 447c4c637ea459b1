/** Chromium without its windows, which Debian packs by itself. */
export const headlessShell: string
/** The path of the browser that tests, pictures and benchmarks use, where there is one. */
export function findChromium(): string | undefined
export const chromiumFlags: string[]
