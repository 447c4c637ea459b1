import { Worker, type WorkerOptions } from 'node:worker_threads'
import { bundledFile } from './bundled-file.ts'

/**
 * Starts a thread whose program lies beside its caller: as JavaScript beside `main.js` in the built service, as
 * TypeScript while developing and testing.
 * @param from the caller's `import.meta.url`
 * @param name file name without its ending, e.g. `sheet.worker`
 */
export function startWorker(from: string, name: string, options: WorkerOptions): Worker {
  const isBuilt = !new URL(from).pathname.endsWith('.ts')
  return new Worker(isBuilt ? new URL(`./${name}.js`, from) : bundledFile(new URL(`./${name}.ts`, from)), {
    ...options,
    execArgv: [],
  })
}
