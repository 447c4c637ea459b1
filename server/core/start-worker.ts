import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread whose program lies beside its caller: as JavaScript beside `main.js` in the built service, as TypeScript
 * while developing and testing.
 * @param from the caller's `import.meta.url`
 * @param name file name without its ending, e.g. `sheet.worker`
 */
export function startWorker(from: string, name: string, options: WorkerOptions): Worker {
  const isBuilt = !new URL(from).pathname.endsWith('.ts')
  return new Worker(isBuilt ? new URL(`./${name}.js`, from) : bundled(from, name), { ...options, execArgv: [] })
}

const bundles = new Map<string, URL>()

/**
 * The program as one JavaScript file, made once a process: a thread does not inherit its parent's TypeScript loader, and
 * a loader of its own would take longer to start than most threads have to work.
 */
function bundled(from: string, name: string): URL {
  const source = fileURLToPath(new URL(`./${name}.ts`, from))
  const known = bundles.get(source)
  if (known) return known
  const need = createRequire(from)
  // below node_modules, so that the packages left outside are found from there
  const cache = join(dirname(need.resolve('esbuild/package.json')), '..', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'thread-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, `${name}.mjs`)
  const { buildSync } = need('esbuild') as typeof import('esbuild')
  buildSync({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external', target: 'node20', logLevel: 'error' })
  const url = pathToFileURL(outfile)
  bundles.set(source, url)
  return url
}
