import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { atMost } from '../base/at-most.ts'
import { telemetry } from '../base/telemetry.ts'
import { readingElsewhere } from './pipelining.ts'
import { openDatabase, type Db } from './pool.ts'

/** How a standby is doing, as the last look at it has shown. */
export interface ReplicaState {
  /** `ok`; `behind`: it answers, and lacks what the primary had a moment ago; `away`: it does not answer. */
  status: 'ok' | 'behind' | 'away'
  /** Seconds since the last transaction that it has, where it has not everything; 0 where it has. */
  lagSeconds: number
}

/** A standby of the database, for reading what takes long (decision 060). */
export interface Replica {
  /**
   * The database for one request that only reads: its readings go to the standby where that has everything which was
   * acknowledged before this moment, by whichever process; else all of them go to the primary.
   */
  reader(primary: Db): Promise<Db>
  state(): ReplicaState
  close(): Promise<void>
}

interface Options {
  url: string
  poolSize: number
  preparedStatements: boolean
  log: Logger
}

/** Milliseconds that a request waits for the standby to catch up, and that it may take to answer at all. */
const waitMs = 150
const answerMs = 400
/** Milliseconds between two looks at it, which also tell when one that was away is back. */
const lookEveryMs = 2000

interface Seen {
  isStandby: boolean
  /** Bytes by which it is behind a position of the primary; 0 or less: it has replayed it. */
  behind: number
  lag: number
}

/** Opens a standby; one that does not answer is looked for again and again. */
export function openReplica(primary: Db, { url, poolSize, preparedStatements, log }: Options): Replica {
  const { db, close } = openDatabase({ connectionString: url }, { max: poolSize, preparedStatements })
  let state: ReplicaState = { status: 'away', lagSeconds: 0 }
  let isOpen = true

  const become = (next: ReplicaState, err?: unknown): void => {
    if (next.status !== state.status) {
      if (next.status === 'away') log.warn({ err }, 'the standby does not answer, statistics and exports are read here')
      else if (state.status === 'away') log.info('the standby answers')
    }
    state = next
  }

  /** @param position of the primary, which it is to have replayed */
  async function compare(position: string): Promise<Seen> {
    const asked = sql<Seen>`
      select pg_is_in_recovery() as "isStandby",
        coalesce(${position}::pg_lsn - pg_last_wal_replay_lsn(), 0)::float8 as "behind",
        coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 as "lag"`.execute(db)
    const late = sleep(answerMs, undefined, { ref: false }).then(() => {
      throw new Error('the standby did not answer in time')
    })
    return (await Promise.race([asked, late])).rows[0]!
  }

  const position = async (): Promise<string> =>
    (await sql<{ at: string }>`select pg_current_wal_flush_lsn()::text as "at"`.execute(primary)).rows[0]!.at

  /** Whether it has replayed what the primary has now; it may take a moment for that. */
  async function isCurrent(patienceMs: number): Promise<boolean> {
    const wanted = await position()
    try {
      for (const until = performance.now() + patienceMs; ;) {
        const { isStandby, behind, lag } = await compare(wanted)
        // a standby that became a primary has a history of its own
        if (!isStandby) throw new Error('REPLICA_URL does not lead to a standby')
        const hasAll = behind <= 0
        become({ status: hasAll ? 'ok' : 'behind', lagSeconds: hasAll ? 0 : Math.max(0, lag) })
        if (hasAll) return true
        if (performance.now() >= until) return false
        await sleep(10)
      }
    } catch (error) {
      become({ status: 'away', lagSeconds: 0 }, error)
      return false
    }
  }

  async function watch(): Promise<void> {
    while (isOpen) {
      await isCurrent(waitMs).catch(() => {})
      await sleep(lookEveryMs, undefined, { ref: false })
    }
  }
  void watch()

  return {
    state: () => state,
    async reader(asking) {
      // those that are away are looked for by the watch alone, so that nobody waits for them
      const serves = state.status !== 'away' && (await isCurrent(waitMs).catch(() => false))
      telemetry.reading.publish(serves ? 'replica' : 'primary')
      if (!serves) return asking
      let isLost = false
      return readingElsewhere(asking, {
        database: () => (isLost ? undefined : db),
        told: (error) => {
          if (error === undefined) return
          // the rest of this request asks the primary
          isLost = true
          const { code = '' } = error as { code?: string }
          // what it refuses or gives up (25006, 40001) is no sign that it is gone
          if (!/^(25006|40|22|23|42)/.test(code)) become({ status: 'away', lagSeconds: 0 }, error)
        },
      })
    },
    async close() {
      isOpen = false
      await atMost(1000, close())
    },
  }
}
