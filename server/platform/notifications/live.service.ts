import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { EventStream } from '../../core/request/events.ts'
import { from } from '../../core/database/tenant.ts'
import type { Signals } from '../../core/database/signals.ts'
import { messageChannel } from './signal.ts'

/** Streams a person may hold open at a time; whoever has more windows asks now and then. */
const streamsPerPerson = 6
/**
 * Milliseconds: many changes within it are counted once; between signs of life, which also show whose session has
 * ended.
 */
const gatherMs = 250
export const beatMs = 15_000

/** Which of these sessions may still ask. Asking so keeps none of them alive. */
export type AliveSessions = (
  ctx: Pick<PublicContext, 'db' | 'clock'>,
  sessionIds: string[],
) => Promise<ReadonlySet<string>>

interface Reader {
  schoolId: string
  suId: string
  sessionId: string
  stream: EventStream
  /** What they were told last. */
  unread: number
}

interface Hub {
  readers: Set<Reader>
  stop: () => void
}

/** The readers of this process, whom one listener serves. */
const hubs = new WeakMap<Signals, Hub>()

/** Opens the stream on which a person is told how many messages they have not read. */
export const liveUnread =
  (alive: AliveSessions) =>
  async (ctx: Context): Promise<EventStream> => {
    const { schoolId, suId, sessionId } = ctx.actor
    const hub = hubOf(ctx, alive)
    if ([...hub.readers].filter((one) => one.schoolId === schoolId && one.suId === suId).length >= streamsPerPerson)
      throw new Failure('too-often', {}, { retryAfter: 300 })
    const reader: Reader = { schoolId, suId, sessionId, stream: new EventStream(), unread: -1 }
    hub.readers.add(reader)
    reader.stream.onClose(() => {
      hub.readers.delete(reader)
      if (hub.readers.size === 0) hub.stop()
    })
    await pushCounts(ctx, [reader]).catch((error: unknown) => {
      reader.stream.end()
      throw error
    })
    return reader.stream
  }

function hubOf(ctx: PublicContext, alive: AliveSessions): Hub {
  const known = hubs.get(ctx.signals)
  if (known) return known
  const { db, clock, log, signals } = ctx
  const readers = new Set<Reader>()
  const changed = new Set<string>()
  let gathering: NodeJS.Timeout | undefined
  const safely = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => log.warn({ err: error }, 'unread messages could not be told'))

  const look = async () => {
    gathering = undefined
    // an empty payload: something may have been missed, in any school
    const all = changed.has('')
    const schools = new Set(changed)
    changed.clear()
    await pushCounts(
      { db },
      [...readers].filter(({ schoolId }) => all || schools.has(schoolId)),
    )
  }
  const hear = (payload: string) => {
    if (![...readers].some(({ schoolId }) => payload === '' || schoolId === payload)) return
    changed.add(payload)
    gathering ??= setTimeout(() => safely(look()), gatherMs)
  }
  const beat = async () => {
    const living = await alive({ db, clock }, [...new Set([...readers].map(({ sessionId }) => sessionId))])
    for (const { sessionId, stream } of readers) {
      if (living.has(sessionId)) stream.beat()
      else stream.end()
    }
  }
  const unhear = signals.on(messageChannel, hear)
  const pulse = setInterval(() => safely(beat()), beatMs)
  const hub: Hub = {
    readers,
    stop: () => {
      hubs.delete(signals)
      unhear()
      clearInterval(pulse)
      clearTimeout(gathering)
    },
  }
  hubs.set(signals, hub)
  return hub
}

/** Counts for all of them with one statement a school, and tells those for whom it is another number now. */
async function pushCounts({ db }: Pick<PublicContext, 'db'>, readers: readonly Reader[]): Promise<void> {
  for (const schoolId of new Set(readers.map((reader) => reader.schoolId))) {
    const here = readers.filter((reader) => reader.schoolId === schoolId)
    const rows = await from({ db, schoolId }, 'informationReceiver')
      .select(['suId', sql<number>`count(*)::int`.as('unread')])
      .where(anyOf('suId', [...new Set(here.map(({ suId }) => suId))]))
      .where('isRead', '=', yesNo.no)
      .where('inboxDeleted', '=', sql.lit(yesNo.no))
      .groupBy('suId')
      .execute()
    const counts = new Map(rows.map(({ suId, unread }) => [suId, unread]))
    for (const reader of here) {
      const unread = counts.get(reader.suId) ?? 0
      if (unread === reader.unread) continue
      reader.unread = unread
      reader.stream.send('unread', { unread })
    }
  }
}
