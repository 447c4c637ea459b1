import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../base/start-worker.ts'
import { UnknownContext } from './contexts.ts'

/** A document could not be read as RDF: it says what no context gives a meaning to, or took longer than it may. */
class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument'
}

/**
 * Reads documents as canonical RDF in a thread of their own, which is started when the first is to be read and ended
 * afterwards or when the time is over: a learner record takes a second, and a document of a stranger may be made to
 * take for ever.
 * @throws UnknownContext @throws UnreadableDocument
 */
export async function withRdfThread<R>(
  timeoutMs: number,
  work: (canonical: (document: object) => Promise<string>) => Promise<R>,
): Promise<R> {
  let worker: Worker | undefined
  let fail: () => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = () => reject(new UnreadableDocument())
  })
  failed.catch(() => {})
  const timer = setTimeout(() => fail(), timeoutMs)
  try {
    return await work(async (document) => {
      worker ??= startWorker(import.meta.url, 'rdf.worker', {
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: 256 },
      })
        .once('error', fail)
        .once('exit', fail)
      worker.postMessage(document)
      const [answer] = (await Promise.race([once(worker, 'message'), failed])) as [{ text?: string; fault?: string }]
      if (answer.text !== undefined) return answer.text
      throw answer.fault ? new UnknownContext(answer.fault) : new UnreadableDocument()
    })
  } finally {
    clearTimeout(timer)
    await worker?.terminate()
  }
}
