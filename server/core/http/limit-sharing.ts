import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../base/config.ts'
import type { Db } from '../database/pool.ts'
import type { Signals } from '../database/signals.ts'

/** Milliseconds between two words about what was taken, and between two signs of life. */
const tellEveryMs = 1000
const hereEveryMs = 60_000
/** Milliseconds after which a process that was not heard of counts as gone. */
const goneAfterMs = 150_000
/** Share of an allowance that a process takes before it tells the others at once. */
const tellAtOnce = 1 / 60
/** PostgreSQL takes 8,000 bytes in one signal. */
const entriesPerSignal = 60

/** What one process tells the others: of which limiter, whose key, how often. Without entries: that it is there. */
interface Word {
  from: string
  taken: [limiter: string, key: string, count: number][]
}

export interface LimitSharing {
  /**
   * Adds a limiter under a name that is the same in every process.
   * @param burst its allowance
   * @param takeFor counts what others have let through
   * @returns to be called for each time this process lets a key through
   */
  join(name: string, burst: number, takeFor: (key: string, count: number) => void): (key: string) => void
  close(): void
}

const sharings = new WeakMap<Signals, LimitSharing>()

/** How the limits of a service are counted together with those of other processes; nothing where each counts alone. */
export function sharingOf(services: SharingPlace & { config: Config }): LimitSharing | undefined {
  if (!services.config.sharesLimits) return undefined
  const { signals } = services
  const sharing = sharings.get(signals) ?? shareLimits(services)
  sharings.set(signals, sharing)
  return sharing
}

interface SharingPlace {
  db: Db
  signals: Signals
  log: Logger
}

/**
 * Has the processes on one database count together. Each counts by itself and tells the others over `pg_notify` what it
 * has let through, each second and sooner where a key takes much; so a request waits for nobody, no row is written, and
 * a process that is alone sends a sign of life a minute. What is let through beyond a limit is what was on its way:
 * some requests a process.
 */
export function shareLimits({ db, signals, log }: SharingPlace): LimitSharing {
  const own = randomBytes(8).toString('hex')
  const limiters = new Map<string, { atOnce: number; takeFor: (key: string, count: number) => void }>()
  const taken = new Map<string, Map<string, number>>()
  const others = new Map<string, number>()
  let telling: Promise<void> | undefined

  const send = async (entries: Word['taken']): Promise<void> => {
    const word: Word = { from: own, taken: entries }
    await sql`select pg_notify('allowance', ${JSON.stringify(word)})`.execute(db)
  }
  /** What could not be told is not told later: it would count against minutes that have begun since. */
  const safely = (work: Promise<void>): Promise<void> =>
    work.catch((err: unknown) => log.debug({ err }, 'what was let through could not be told'))
  const tell = (): void => {
    if (telling || taken.size === 0) return
    const now = performance.now()
    for (const [id, at] of others) if (now - at > goneAfterMs) others.delete(id)
    const entries = [...taken].flatMap(([name, keys]) =>
      [...keys].map(([key, count]): Word['taken'][number] => [name, key, count]),
    )
    taken.clear()
    if (others.size === 0) return
    telling = safely(
      (async () => {
        for (let at = 0; at < entries.length; at += entriesPerSignal)
          await send(entries.slice(at, at + entriesPerSignal))
      })(),
    ).finally(() => (telling = undefined))
  }
  const hear = (payload: string): void => {
    // after a break nobody knows what was missed; the allowances fill up again by themselves
    if (payload === '') return void safely(send([]))
    const word = JSON.parse(payload) as Word
    if (word.from === own) return
    const isNew = !others.has(word.from)
    others.set(word.from, performance.now())
    // it may have come after this one, and does not know of it
    if (isNew) void safely(send([]))
    for (const [name, key, count] of word.taken) limiters.get(name)?.takeFor(key, count)
  }
  const unhear = signals.on('allowance', hear)
  const timers = [setInterval(tell, tellEveryMs).unref(), setInterval(() => void safely(send([])), hereEveryMs).unref()]
  return {
    join(name, burst, takeFor) {
      const atOnce = Math.max(1, Math.floor(burst * tellAtOnce))
      limiters.set(name, { atOnce, takeFor })
      return (key) => {
        let keys = taken.get(name)
        if (!keys) taken.set(name, (keys = new Map()))
        const count = (keys.get(key) ?? 0) + 1
        keys.set(key, count)
        if (count >= atOnce && others.size > 0) tell()
      }
    },
    close() {
      sharings.delete(signals)
      unhear()
      timers.forEach(clearInterval)
    },
  }
}
