import { Failure } from '../../../contract/core/failure.ts'
import { withSemaphore } from '../base/semaphore.ts'
import { startWorker } from '../base/start-worker.ts'
import { sheetLimits, type SheetContent, type SheetLimits, type SheetLine, type SheetMessage } from './limits.ts'

/**
 * Reads an uploaded xlsx or csv file: the rows with content of its first visible sheet, as texts. It is read in a
 * thread of its own; a file that is broken, too large, too slow or no sheet at all is refused with a sentence that says
 * so.
 */
export async function readSheet(path: string, limits: Partial<SheetLimits> = {}): Promise<SheetContent> {
  const all = { ...sheetLimits, ...limits }
  return readingSlot(() => readInThread(path, all))
}

/** At most two files are read at a time: more threads would only take memory from the service. */
const readingSlot = withSemaphore({ maxConcurrent: 2 })

function readInThread(path: string, limits: SheetLimits): Promise<SheetContent> {
  const worker = startWorker(import.meta.url, 'sheet.worker', {
    env: {},
    workerData: { path, limits },
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  const lines: SheetLine[] = []
  return new Promise<SheetContent>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Failure('sheet-too-large')), limits.seconds * 1000)
    worker.on('message', (message: SheetMessage) => {
      if ('lines' in message) for (const line of message.lines) lines.push(line)
      else if ('end' in message) resolve({ ...message.end, lines })
      else reject(new Failure(message.refused, message.values))
    })
    worker.on('error', (error: Error & { code?: string }) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Failure('sheet-too-large') : error),
    )
    worker.on('exit', () => {
      clearTimeout(timer)
      reject(new Error('the reading thread ended without an answer'))
    })
  }).finally(() => worker.terminate())
}
