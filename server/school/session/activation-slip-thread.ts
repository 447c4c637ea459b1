import { once } from 'node:events'
import { withSemaphore } from '../../core/base/semaphore.ts'
import { startWorker } from '../../core/base/start-worker.ts'
import type { Slip, SlipPrinting } from './activation-slip-pdf.ts'

/** What is handed to the thread. */
export interface SlipOrder {
  slips: readonly Slip[]
  printing: SlipPrinting
}

/** One file at a time of a process: several would hold its memory and gain nothing. */
const drawingSlot = withSemaphore({ maxConcurrent: 1 })

/**
 * Draws slips in a thread of their own, as transcripts are: a thousand take seconds, in which the service answers
 * others.
 */
export const drawSlips = (order: SlipOrder): Promise<Uint8Array> =>
  drawingSlot(async () => {
    const worker = startWorker(import.meta.url, 'activation-slips.worker', {
      env: {},
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    try {
      const gone = once(worker, 'exit').then(() => Promise.reject(new Error('the thread ended without slips')))
      gone.catch(() => {})
      // an error of the thread rejects, too
      const [bytes] = (await Promise.race([once(worker, 'message'), gone])) as [Uint8Array]
      return bytes
    } finally {
      await worker.terminate()
    }
  })
