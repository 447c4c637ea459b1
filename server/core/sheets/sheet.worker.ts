import { parentPort, workerData } from 'node:worker_threads'
import { SheetRefused, type SheetLimits, type SheetLine, type SheetMessage } from './limits.ts'
import { readFileRows } from './read-file.ts'

/**
 * The reading thread: whatever an uploaded file does to its reader, it does it here, with its own memory and time.
 * Rows leave in batches, so that taking them over never holds up the service.
 */
const { path, limits } = workerData as { path: string; limits: SheetLimits }
const say = (message: SheetMessage) => parentPort!.postMessage(message)

// errors that a decoder throws aside of any promise come from the file, too
process.on('uncaughtException', () => {
  say({ refused: 'file-broken', values: { what: '表格文件' } })
  process.exit(0)
})

let lines: SheetLine[] = []
const emit = (line: SheetLine) => {
  lines.push(line)
  if (lines.length < 500) return
  say({ lines })
  lines = []
}

try {
  const end = await readFileRows(path, limits, emit)
  say({ lines })
  say({ end })
} catch (error) {
  if (error instanceof SheetRefused) say({ refused: error.reason, values: error.values })
  // every other error comes from a file that is not what it claims to be
  else say({ refused: 'file-broken', values: { what: '表格文件' } })
}
