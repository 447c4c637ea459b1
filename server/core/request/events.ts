import type { FastifyInstance } from 'fastify'
import { PassThrough } from 'node:stream'

/** Bytes that may wait for a reader who does not read; beyond that their stream ends. */
const maxWaiting = 65_536

/**
 * Server-sent events to one reader, who asked with their token like for anything else. It ends when either side goes.
 */
export class EventStream {
  readonly body = new PassThrough()

  /** One event with its data as JSON. */
  send(event: string, data: unknown): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** A sign of life that means nothing, so that nobody between here and the reader takes the stream for dead. */
  beat(): void {
    this.write(': \n\n')
  }

  end(): void {
    this.body.end()
  }

  /** Ends it with the advice to come again after so many milliseconds: another process will answer. */
  sendAway(afterMs: number): void {
    this.write(`retry: ${afterMs}\nevent: reconnect\ndata: {}\n\n`)
    this.end()
  }

  /** Told once, whoever ended it and how. */
  onClose(onClosed: () => void): void {
    this.body.once('close', onClosed)
  }

  private write(text: string): void {
    if (this.body.writableLength > maxWaiting) this.body.destroy()
    else if (this.body.writable) this.body.write(text)
  }
}

interface OpenStreams {
  streams: Set<EventStream>
  isStopping: boolean
}
const openStreams = new WeakMap<object, OpenStreams>()

/** Milliseconds after which a reader whose process stops is to come again. */
const comeAgainMs = 1000

/**
 * Keeps count of the open streams of an application and ends them when it closes: closing waits for answers under way.
 */
export function keepStreams(app: FastifyInstance): (stream: EventStream) => void {
  const open: OpenStreams = { streams: new Set(), isStopping: false }
  openStreams.set(app, open)
  app.addHook('preClose', async () => open.streams.forEach((stream) => stream.end()))
  return (stream) => {
    open.streams.add(stream)
    stream.onClose(() => open.streams.delete(stream))
    if (open.isStopping) stream.sendAway(comeAgainMs)
  }
}

/** Sends away the readers of an application that stops, and those who still come. */
export function endStreams(app: FastifyInstance): void {
  const open = openStreams.get(app)
  if (!open) return
  open.isStopping = true
  open.streams.forEach((stream) => stream.sendAway(comeAgainMs))
}
