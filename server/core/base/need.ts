import { createRequire } from 'node:module'

/**
 * Reads a package when it is first used, where the caller cannot wait for `await import()`: a heavy one that most
 * processes never use would make every start longer.
 * @param name of a package that offers CommonJS
 */
export const need = createRequire(import.meta.url)
