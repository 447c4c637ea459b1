import { PassThrough, type Readable } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../core/base/start-worker.ts'
import { epochOf } from '../../core/base/clock.ts'
import { zipStream, type ZipEntry } from '../../core/base/zip.ts'
import type { PrintableTranscript } from './photos.service.ts'
import type { Printing } from './transcript-pdf.ts'

export interface ThreadSetting {
  /** One document with bookmarks, or an archive of single ones. */
  format: 'pdf' | 'zip'
  title: string
  author: string
  printing: Printing
}

/** A transcript to be set, the name of its own file, and its credential file. */
export interface PrintPiece {
  transcript: PrintableTranscript
  name: string
  credential: { name: string; text: string }
}

export type PrintOrder = { draw: PrintPiece[] } | { end: true }
export type PrintReply =
  | { done: true }
  | { bytes: Uint8Array }
  | { file: { name: string; bytes: Uint8Array } }
  | { ended: true }

/** A thread that sets transcripts, and what it has set so far as a stream. */
interface PrintThread {
  /** The document or archive, while it is being made; it fails when the thread does. */
  output: Readable
  /** Sets these after those before; resolves when they are set and the reader has taken what there was. */
  draw(pieces: PrintPiece[]): Promise<void>
  /** Tells that there are no more. */
  end(): void
  /** Stops at once. */
  stop(): Promise<void>
}

/** Starts a printing thread. Whoever starts it ends or stops it. */
export function startPrinting(setting: ThreadSetting): PrintThread {
  const worker = startWorker(import.meta.url, 'print.worker', {
    env: {},
    workerData: setting,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
  let failure: Error | undefined
  const files = fileQueue()
  const document = new PassThrough({ highWaterMark: 1_048_576 })
  const output =
    setting.format === 'pdf' ? document : zipStream(files.entries(), new Date(epochOf(setting.printing.at)))
  const fail = (error: Error): void => {
    failure ??= error
    for (const one of waiting.splice(0)) one.reject(error)
    files.fail(error)
    output.destroy(error)
  }
  // the reader may be gone before anybody listens
  output.on('error', () => {})
  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => (failure ? reject(failure) : waiting.push({ resolve, reject })))
  // the first word is that it is ready
  const ready = turn()
  ready.catch(() => {})
  worker.on('message', (reply: PrintReply) => {
    if ('done' in reply) waiting.shift()?.resolve()
    else if ('bytes' in reply) document.write(reply.bytes)
    else if ('file' in reply) files.put(reply.file)
    else {
      document.end()
      files.end()
    }
  })
  worker.on('error', fail)
  worker.on('exit', (code) => code !== 0 && fail(new Error('the printing thread ended in the middle of its work')))
  return {
    output,
    async draw(pieces) {
      await ready
      const done = turn()
      send(worker, { draw: pieces })
      await done
      if (document.writableNeedDrain) await new Promise<void>((go) => document.once('drain', go).once('close', go))
    },
    end: () => send(worker, { end: true }),
    async stop() {
      fail(new Error('printing was stopped'))
      await worker.terminate()
    },
  }
}

const send = (worker: Worker, order: PrintOrder): void => worker.postMessage(order)

/** Files in the order they come, for the archive. */
function fileQueue() {
  const kept: { name: string; bytes: Uint8Array }[] = []
  let [isOver, error, wake]: [boolean, Error | undefined, () => void] = [false, undefined, () => {}]
  return {
    put(file: { name: string; bytes: Uint8Array }) {
      kept.push(file)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    fail(why: Error) {
      error = why
      wake()
    },
    async *entries(): AsyncGenerator<ZipEntry> {
      for (;;) {
        const file = kept.shift()
        if (error) throw error
        if (file) yield { name: file.name, content: file.bytes }
        else if (isOver) return
        else await new Promise<void>((go) => (wake = go))
      }
    },
  }
}
