import { parentPort } from 'node:worker_threads'
import { canonicalRdf } from './data-integrity.ts'

/** The address of a context that is not known, however deep `jsonld` has wrapped the fault; '' for other faults. */
function unknownContextIn(error: unknown, depth = 0): string {
  const { name, message, cause, details } = (error ?? {}) as Error & { details?: { cause?: unknown } }
  if (name === 'UnknownContext') return message
  const inner = details?.cause ?? cause
  return inner && depth < 5 ? unknownContextIn(inner, depth + 1) : ''
}

/** The thread that works out what documents mean: one order after another, answered in their order. */
parentPort!.on('message', (document: object) => {
  canonicalRdf(document).then(
    (text) => parentPort!.postMessage({ text }),
    (error: unknown) => parentPort!.postMessage({ fault: unknownContextIn(error) }),
  )
})
