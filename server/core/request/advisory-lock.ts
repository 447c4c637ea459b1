import { sql } from 'kysely'
import { directDatabase } from '../database/pool.ts'
import type { Context } from './context.ts'
import { inTransaction } from './transaction.ts'

const lockKey = ({ actor }: Pick<Context, 'actor'>, what: string) =>
  sql`hashtextextended(${`${what}:${actor.schoolId}`}::text, 0)`

/**
 * Lets one transaction of a school at a time do `what`; others wait until it has ended. For small configuration trees
 * and ranges whose rules look at many rows together, so that no constraint of the database can hold them.
 */
export async function lockSchool(tx: Context, what: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(tx, what)})`.execute(tx.db)
}

/** Runs `work` in a transaction that holds the lock of {@link lockSchool} from its beginning. */
export const inLockedTransaction = <R>(ctx: Context, what: string, work: (tx: Context) => Promise<R>): Promise<R> =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, what)
    return work(tx)
  })

/**
 * The same for one thing of the school: only those wait who do `what` to the thing that the key names. Where each
 * request takes one key, none waits for another's; those who take several may be told of a deadlock and are repeated.
 */
export async function lockWithinSchool(tx: Context, what: string, key: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(tx, `${what}:${JSON.stringify(key)}`)})`.execute(tx.db)
}

/**
 * Runs `work` in one transaction of a school at a time that sees the database as it was at one moment after it had the
 * lock: what was committed while it waited is in it, what is committed meanwhile is in none of its statements. For what
 * must be true as a whole, such as a paper that is signed. The lock is the one of {@link lockSchool}; inside a
 * transaction already, it is taken and the work joins that transaction, whose statements each see their own moment.
 */
export async function withSchoolLock<R>(ctx: Context, what: string, work: (tx: Context) => Promise<R>): Promise<R> {
  if (ctx.db.isTransaction) {
    await lockSchool(ctx, what)
    return work(ctx)
  }
  // the lock is the connection's, not the transaction's: a transaction that waited for it would see what was there
  // before it waited
  const direct = directDatabase(ctx.db)
  if (direct)
    return direct.connection().execute(async (held) => {
      await sql`select pg_advisory_lock(${lockKey(ctx, what)})`.execute(held)
      try {
        return await inTransaction(ctx, work, 'repeatable read')
      } finally {
        await sql`select pg_advisory_unlock(${lockKey(ctx, what)})`.execute(held)
      }
    })
  return ctx.db.connection().execute(async (db) => {
    await sql`select pg_advisory_lock(${lockKey(ctx, what)})`.execute(db)
    try {
      return await inTransaction({ ...ctx, db }, work, 'repeatable read')
    } finally {
      await sql`select pg_advisory_unlock(${lockKey(ctx, what)})`.execute(db)
    }
  })
}
