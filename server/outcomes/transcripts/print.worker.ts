import { once } from 'node:events'
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { setImmediate as breathe } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { warmFonts } from '../../core/pdf/fonts.ts'
import { openDocument } from '../../core/pdf/page.ts'
import type { PrintOrder, PrintReply, ThreadSetting } from './print-thread.ts'
import { drawTranscript, transcriptPdf } from './transcript-pdf.ts'

/**
 * The printing thread: sets hundreds of transcripts without taking a turn from the service. Orders are done one after
 * another.
 */
const { format, title, author, printing } = workerData as ThreadSetting
const say = (reply: PrintReply, bytes?: Uint8Array) =>
  parentPort!.postMessage(reply, bytes ? [bytes.buffer as ArrayBuffer] : [])

// on Linux a priority is a thread's own: whoever asks the service for something comes before a batch; where it may not
// be changed, they share
try {
  if (process.platform === 'linux') setPriority(10)
} catch {}

await warmFonts()
const page = format === 'pdf' ? openDocument({ title, author, createdAt: printing.at }) : undefined
/** What has been written and not been given away yet: thousands of pieces of some bytes each. */
let written: Buffer[] = []
page?.doc.on('data', (chunk: Buffer) => written.push(chunk))

/** Gives away what has been written, as a copy of its own: small pieces share one pool, which cannot be given away. */
function giveAway(): void {
  const bytes = new Uint8Array(Buffer.concat(written))
  written = []
  say({ bytes }, bytes)
}

/** One order after another, in the order in which they came. */
let before: Promise<void> = Promise.resolve()
parentPort!.on('message', (order: PrintOrder) => {
  before = before.then(() => follow(order))
})
say({ done: true })

async function follow(order: PrintOrder): Promise<void> {
  if ('end' in order) {
    if (page) {
      const ended = once(page.doc, 'end')
      page.doc.end()
      await ended
      giveAway()
    }
    say({ ended: true })
    return parentPort!.close()
  }
  for (const { transcript, credential, name } of order.draw) {
    if (page) {
      drawTranscript(page, transcript, printing)
      await breathe()
      giveAway()
    } else {
      const bytes = new Uint8Array(await buffer(await transcriptPdf([transcript], printing, credential)))
      say({ file: { name, bytes } }, bytes)
    }
  }
  say({ done: true })
}
