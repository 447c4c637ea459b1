import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { warmFonts } from '../../core/pdf/fonts.ts'
import { slipsPdf } from './activation-slip-pdf.ts'
import type { SlipOrder } from './activation-slip-thread.ts'

/** Draws the slips of one file and ends. */
const { slips, printing } = workerData as SlipOrder

// on Linux a priority is a thread's own: whoever asks the service for something comes before a paper; where it may not
// be changed, they share
try {
  if (process.platform === 'linux') setPriority(10)
} catch {}

await warmFonts()
// a copy of its own: what is in a pool cannot be given away
const bytes = new Uint8Array(await slipsPdf(slips, printing))
parentPort!.postMessage(bytes, [bytes.buffer])
