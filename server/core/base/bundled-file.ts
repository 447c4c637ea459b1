import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundling } from '../../../scripts/bundling.mjs'

const made = new Map<string, URL>()

/**
 * A program of ours as JavaScript, for threads and processes that run it while developing and testing: they do not
 * inherit a loader of TypeScript, and one of their own would take longer to start than most have to work. Made once a
 * process; named by its content, so that processes share it and one that is killed leaves nothing of its own behind. As
 * in the built service, what is imported only when it is needed lies in files beside it and is read only then.
 */
export function bundledFile(source: URL): URL {
  const known = made.get(source.href)
  if (known) return known
  const need = createRequire(import.meta.url)
  const { buildSync } = need('esbuild') as typeof import('esbuild')
  const name = basename(source.pathname, '.ts')
  const { outputFiles } = buildSync({
    ...bundling(),
    entryPoints: [fileURLToPath(source)],
    outdir: '.',
    outExtension: { '.js': '.mjs' },
    write: false,
    logLevel: 'error',
  })
  const hash = createHash('sha256')
  for (const { path, contents } of outputFiles) hash.update(basename(path)).update('\0').update(contents)
  // below node_modules, so that the packages left outside are found from there
  const folder = join(
    dirname(need.resolve('esbuild/package.json')),
    '../.cache',
    `${name}-${hash.digest('hex').slice(0, 16)}`,
  )
  const file = join(folder, `${name}.mjs`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    // the program itself last: where it is there, everything is
    const isProgram = ({ path }: { path: string }): number => Number(basename(path) === `${name}.mjs`)
    for (const { path, contents } of outputFiles.toSorted((a, b) => isProgram(a) - isProgram(b))) {
      const place = join(folder, basename(path))
      const unfinished = `${place}.${process.pid}`
      writeFileSync(unfinished, contents)
      renameSync(unfinished, place)
    }
  }
  const url = pathToFileURL(file)
  made.set(source.href, url)
  return url
}
