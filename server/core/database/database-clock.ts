import { sql } from 'kysely'
import type { Logger } from 'pino'
import { wallOf, type Clock } from '../base/clock.ts'
import type { Db } from './pool.ts'

/** Milliseconds between two looks at the database's clock. */
const lookEveryMs = 60_000
/**
 * Milliseconds by which the machine's clock may differ before it is told, or jump before the database is asked again.
 */
const noticedMs = 2_000
const jumpMs = 5_000

export interface DatabaseClock extends Clock {
  /** Looks at the database's clock no more. */
  close: () => void
}

/**
 * A clock that goes by the database's, so that a process whose machine is wrong about the time makes neither sessions
 * nor locks that live too long, and all processes of a database agree. Between two looks it goes on by the time that
 * has passed since, whatever is done to the machine's clock meanwhile; while the database cannot be asked, likewise.
 */
export async function openDatabaseClock(db: Db, log: Logger): Promise<DatabaseClock> {
  let known = await look(db)
  let told = tellDifference(known, 0, log)
  let looking: Promise<void> | undefined
  const lookAgain = () => {
    looking ??= look(db)
      .then((seen) => {
        known = seen
        told = tellDifference(seen, told, log)
      })
      .catch((err: unknown) => log.debug({ err }, 'the clock of the database could not be read'))
      .finally(() => (looking = undefined))
  }
  const timer = setInterval(lookAgain, lookEveryMs).unref()
  return {
    now: () => {
      const passed = performance.now() - known.at
      // a machine that slept, or whose clock was put right: the time that passed may not be all of it
      if (Math.abs(Date.now() - known.machine - passed) > jumpMs) lookAgain()
      return wallOf(known.database + passed)
    },
    aheadSeconds: () => {
      const seconds = secondsAhead(known)
      return isNoticed(seconds) ? seconds : 0
    },
    close: () => clearInterval(timer),
  }
}

/** One moment by three clocks: the database's and the machine's since 1970, the process's since its start; in ms. */
interface Look {
  database: number
  machine: number
  at: number
}

async function look(db: Db): Promise<Look> {
  const before = performance.now()
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "now"`.execute(db)
  const at = performance.now()
  // it was read somewhere on the way there and back
  return { database: Number(rows[0]!.now) + (at - before) / 2, machine: Date.now(), at }
}

const secondsAhead = ({ database, machine }: Look): number => Math.round((machine - database) / 100) / 10
const isNoticed = (seconds: number): boolean => Math.abs(seconds) * 1000 > noticedMs

/** Tells a difference once, and again when it has become another one. @returns the seconds that were told last */
function tellDifference(seen: Look, told: number, log: Logger): number {
  const seconds = secondsAhead(seen)
  if (!isNoticed(seconds - told)) return told
  if (isNoticed(seconds))
    log.warn({ seconds }, 'the clock of this machine differs from that of the database, by which the program goes')
  else log.info({ seconds }, 'the clock of this machine agrees with that of the database again')
  return isNoticed(seconds) ? seconds : 0
}
