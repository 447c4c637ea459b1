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

  /** Told once, whoever ended it and how. */
  onClose(onClosed: () => void): void {
    this.body.once('close', onClosed)
  }

  private write(text: string): void {
    if (this.body.writableLength > maxWaiting) this.body.destroy()
    else if (this.body.writable) this.body.write(text)
  }
}

/**
 * Keeps count of the open streams of an application and ends them when it closes: closing waits for answers under way.
 */
export function keepStreams(app: FastifyInstance): (stream: EventStream) => void {
  const open = new Set<EventStream>()
  app.addHook('preClose', async () => open.forEach((stream) => stream.end()))
  return (stream) => {
    open.add(stream)
    stream.onClose(() => open.delete(stream))
  }
}
