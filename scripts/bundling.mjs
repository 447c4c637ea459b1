// How a program of the service is made into JavaScript, for `npm run build` and for what is started while developing.
import { readFileSync } from 'node:fs'

/**
 * Packages that are put into the program. They are hundreds of small files of plain JavaScript, which every process
 * would read one by one: a fifth of its start. Whatever else is asked for lies in `node_modules`.
 */
const inside = new Set(['kysely', 'zod'])

/** What esbuild is told. Files apart for what is imported only when it is needed, so that it is read only then. */
export function bundling() {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const packages = Object.keys({ ...dependencies, ...devDependencies })
  return {
    bundle: true,
    splitting: true,
    format: /** @type {const} */ ('esm'),
    platform: /** @type {const} */ ('node'),
    target: 'node20',
    external: packages.filter((name) => !inside.has(name)),
  }
}
