import { setTimeout as sleep } from 'node:timers/promises'
import type { IsolationLevel } from 'kysely'
import type { Db } from '../database/pool.ts'
import { isStalePlan } from '../database/prepared-query.ts'
import type { PublicContext } from './context.ts'

/** PostgreSQL's words for "somebody else was in the way, try again": serialization failure and deadlock. */
const retryableCodes = new Set(['40001', '40P01'])
const isRetryable = (error: unknown): boolean =>
  retryableCodes.has((error as { code?: string }).code ?? '') || isStalePlan(error)

/** Answers of PostgreSQL to an end of a transaction that say that it was undone; a lost connection says neither. */
const undone = /^(?!08|57P|58)(?:\d[0-9A-Z]|P0)[0-9A-Z]{3}$/
const unconfirmed = new WeakSet<object>()

/**
 * Whether an error leaves open if the transaction took effect: its end had been asked for, and nobody answered.
 * @param error that `inTransaction` threw
 */
export const mayHaveTakenEffect = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && unconfirmed.has(error)

/** What waits for the end of each transaction that is open. */
const openTransactions = new WeakMap<object, { outside: Db; rest: (() => Promise<void>)[] }>()

/**
 * Does something once what is written is kept: after the end of the transaction that `ctx` is in, with none around it;
 * at once where it is in none. Never where the transaction is undone. Its failure is logged and undoes nothing.
 */
export async function afterCommit<C extends PublicContext>(ctx: C, work: (ctx: C) => Promise<void>): Promise<void> {
  const open = openTransactions.get(ctx.db)
  if (!open && ctx.db.isTransaction) throw new Error('only inTransaction knows of its end')
  const follow = (db: Db) => () =>
    work({ ...ctx, db }).catch((err: unknown) => ctx.log.error({ err }, 'what was to follow a transaction has failed'))
  if (open) open.rest.push(follow(open.outside))
  else await follow(ctx.db)()
}

/**
 * Runs `work` in one transaction: all of it is kept or none. Inside a transaction already, it joins that one. Deadlocks
 * and changes of the schema under way are retried up to three times and never shown to the person.
 * @param level `repeatable read` where all statements are to see the same moment; it is retried like a deadlock when
 *   somebody else changed the same rows
 */
export async function inTransaction<C extends PublicContext, R>(
  ctx: C,
  work: (ctx: C) => Promise<R>,
  level: IsolationLevel = 'read committed',
): Promise<R> {
  if (ctx.db.isTransaction) return work(ctx)
  for (let attempt = 1; ; attempt++) {
    let isEnding = false
    const rest: (() => Promise<void>)[] = []
    let result: R
    try {
      result = await ctx.db
        .transaction()
        .setIsolationLevel(level)
        .execute(async (db) => {
          openTransactions.set(db, { outside: ctx.db, rest })
          const done = await work({ ...ctx, db })
          isEnding = true
          return done
        })
    } catch (error) {
      if (isEnding && error instanceof Error && !undone.test((error as { code?: string }).code ?? ''))
        unconfirmed.add(error)
      if (attempt > 3 || !isRetryable(error)) throw error
      await sleep(attempt * 20 * Math.random())
      continue
    }
    for (const one of rest) await one()
    return result
  }
}
