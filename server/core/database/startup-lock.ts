import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { systemClock } from '../base/clock.ts'
import type { Connection } from './connection.ts'
import { withOwnClient } from './own-client.ts'
import type { Patience } from './silence.ts'

/** Numbers of the advisory locks that whole programs take while they start. */
export const startupLocks = {
  /** Under which the schema is changed. */
  migration: 5_202_611,
  firstSchools: 5_202_612,
} as const

/** What is told while one program waits for another. */
export interface Waiting {
  /** What the other one does, in Chinese. */
  what: string
  print: (text: string) => void
  /** Milliseconds between two words of it. */
  tellEveryMs?: number | undefined
}

/** Milliseconds between looks at whether another process is done with it. */
const turnEveryMs = 250

/**
 * Runs `work` while no other process on the same database runs work under the same number.
 * @param connection one without a pooler between, over which the lock is held
 * @param patience with its silence
 */
export async function withStartupLock<R>(
  connection: Connection,
  number: number,
  waiting: Waiting,
  work: () => Promise<R>,
  patience?: Pick<Patience, 'silentMs' | 'answerMs'>,
): Promise<R> {
  // the end of the connection gives the lock back, come what may
  return withOwnClient(
    connection,
    async (client) => {
      await acquireStartupLock(client, number, waiting)
      return work()
    },
    { name: 'second-classroom start', patience },
  )
}

/**
 * Waits for another process that has the lock, however long it takes, and tells from time to time whom it waits for. By
 * asking again and again: a statement that waits keeps a snapshot open, which an index that is built concurrently would
 * wait for, and both would wait forever.
 */
export async function acquireStartupLock(
  client: pg.ClientBase,
  number: number,
  { what, print, tellEveryMs = 15_000 }: Waiting,
): Promise<void> {
  const since = systemClock.now()
  const began = performance.now()
  for (let told = began; ;) {
    const { rows } = await client.query<{ is: boolean }>('select pg_try_advisory_lock($1) "is"', [number])
    if (rows[0]?.is) return
    const now = performance.now()
    if (now - told >= tellEveryMs) {
      told = now
      const seconds = Math.round((now - began) / 1000)
      print(`正在等待另一个进程${what}，自 ${since} 起，已 ${seconds} 秒：${await holderOf(client, number)}`)
    }
    await sleep(turnEveryMs)
  }
}

/** Who has a lock, in words that lead to the process. */
async function holderOf(client: pg.ClientBase, number: number): Promise<string> {
  const { rows } = await client.query<{ text: string }>(holderQuery, [number])
  return rows[0]?.text ?? '对方刚刚结束'
}

const holderQuery = `
  select format(
    '数据库进程 %s（%s，来自 %s，%s 连接）。对方没有在工作的，先结束它：select pg_terminate_backend(%s)',
    l.pid, coalesce(nullif(a.application_name, ''), '未命名程序'), coalesce(host(a.client_addr), '本机'),
    to_char(a.backend_start at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'), l.pid
  ) "text"
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory'
    and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid, l.objid, l.objsubid) = (0, $1, 1)`
