import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread whose program lies beside its caller: as TypeScript while developing and testing, as JavaScript beside
 * `main.js` in the built service.
 * @param from the caller's `import.meta.url`
 * @param name file name without its ending, e.g. `sheet.worker`
 */
export function startWorker(from: string, name: string, options: WorkerOptions): Worker {
  if (!new URL(from).pathname.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, from), { ...options, execArgv: [] })
  // a thread does not inherit its parent's TypeScript loader on every Node we support, so it gets one of its own
  const loader = pathToFileURL(createRequire(from).resolve('tsx/esm/api').replace(/cjs$/, 'mjs')).href
  const program = new URL(`./${name}.ts`, from).href
  return new Worker(`import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(program)}) })`, { ...options, execArgv: [], eval: true })
}
