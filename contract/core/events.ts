import { z } from 'zod'
import type { ByteStream } from './file.ts'

/**
 * A call that gives events has no data; its answer is a stream of server-sent events, named with their data in the
 * call's own words.
 */
export const eventsOutput = z.custom<EventsAnswer>()

/** What a handler of such a call returns. */
interface EventsAnswer {
  body: ByteStream
}
