import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const made = new Map<string, URL>()

/**
 * A program of ours as one JavaScript file, for threads and processes that run it while developing and testing: they do
 * not inherit a loader of TypeScript, and one of their own would take longer to start than most have to work. Made once
 * a process; named by its content, so that processes share it and one that is killed leaves nothing of its own behind.
 */
export function bundledFile(source: URL): URL {
  const known = made.get(source.href)
  if (known) return known
  const need = createRequire(import.meta.url)
  const { buildSync } = need('esbuild') as typeof import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(source)],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    target: 'node20',
    logLevel: 'error',
  })
  const [{ contents }] = outputFiles as [(typeof outputFiles)[number]]
  const name = basename(source.pathname, '.ts')
  // below node_modules, so that the packages left outside are found from there
  const folder = join(
    dirname(need.resolve('esbuild/package.json')),
    '../.cache',
    `${name}-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}`,
  )
  const file = join(folder, `${name}.mjs`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const unfinished = `${file}.${process.pid}`
    writeFileSync(unfinished, contents)
    renameSync(unfinished, file)
  }
  const url = pathToFileURL(file)
  made.set(source.href, url)
  return url
}
