import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartFault } from '../base/start-fault.ts'

/**
 * How long a migration waits for a table that somebody else uses, and how often it asks anew. While it waits, everybody
 * who wants that table queues behind it; so it stands back soon and lets them pass.
 */
export interface LockPatience {
  timeoutMs: number
  /** Milliseconds before each further try. */
  retryAfterMs: readonly number[]
}

/** Whether a statement was given up because it did not get a lock in time. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === '55P03'

/** The application name of connections that change the schema. */
export const migrationName = 'second-classroom migration'

/** Milliseconds between looks at who holds what a migration waits for. */
const lookEveryMs = 500

/** Sees who holds what a migration waits for, and lets it try again. */
export class LockWatch {
  private tries = 0
  private holders = ''

  /** @param client that is free while the migration runs @param print told, in Chinese, why it waits */
  constructor(
    private readonly client: pg.ClientBase,
    private readonly print: (text: string) => void,
    private readonly patience: LockPatience,
  ) {}

  /** Looks on while something is tried. */
  async during<R>(work: () => Promise<R>): Promise<R> {
    const over = new AbortController()
    const pause = Math.min(lookEveryMs, this.patience.timeoutMs / 3)
    const looking = (async () => {
      // ends with the work: a pause slept to its end for each migration would keep a first start waiting for seconds
      while (await sleep(pause, true, { signal: over.signal }).catch(() => false)) await this.look()
    })()
    try {
      return await work()
    } finally {
      over.abort()
      await looking
    }
  }

  /**
   * Says who is in the way and waits before the next try.
   * @throws StartFault after the last one
   */
  async standBack(migration: string): Promise<void> {
    const { timeoutMs, retryAfterMs } = this.patience
    const who = this.holders || '占用者没有看到'
    const delay = retryAfterMs[this.tries++]
    if (delay === undefined)
      throw new StartFault(
        `升级表结构时等不到锁（${migration}），试了 ${this.tries} 次：${who}。\n已经做完的步骤保留，其余没有改动。请等占用者结束，或终止它（select pg_terminate_backend(进程号)），再启动。`,
      )
    this.print(`升级表结构（${migration}）等锁超过 ${timeoutMs / 1000} 秒，先让开，${delay / 1000} 秒后再试：${who}`)
    await sleep(delay)
  }

  /** The migration has run; the next one begins to count anew. */
  forget(): void {
    this.tries = 0
    this.holders = ''
  }

  private async look(): Promise<void> {
    const { rows } = await this.client
      .query<{ text: string }>(holdersQuery, [migrationName])
      .catch(() => ({ rows: [] }))
    if (rows.length > 0) this.holders = rows.map(({ text }) => text).join('；')
  }
}

const holdersQuery = `
  select distinct format(
    '表 %s 被进程 %s（%s，%s，已 %s 秒）占用：%s',
    coalesce(w.relation::regclass::text, '?'), a.pid, coalesce(nullif(a.application_name, ''), '未命名程序'),
    coalesce(a.state, '?'), extract(epoch from now() - a.xact_start)::int, left(regexp_replace(a.query, '\\s+', ' ', 'g'), 120)
  ) "text"
  from pg_stat_activity m
  join pg_locks w on w.pid = m.pid and not w.granted and w.locktype <> 'advisory'
  join pg_stat_activity a on a.pid = any(pg_blocking_pids(m.pid))
  where m.application_name = $1 and m.datname = current_database()`
