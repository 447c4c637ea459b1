import { parentPort } from 'node:worker_threads'
import { canonicalRdf } from './data-integrity.ts'

/** The thread that works out what documents mean: one order after another, answered in their order. */
parentPort!.on('message', (document: object) => {
  canonicalRdf(document).then(
    (text) => parentPort!.postMessage({ text }),
    (error: Error) => parentPort!.postMessage({ fault: error.name === 'UnknownContext' ? error.message : '' }),
  )
})
