import type { IsolationLevel, Transaction } from 'kysely'
import { standsFor, type Db, type Tables } from '../core/database/pool.ts'

/** Ends a transaction without keeping anything of it. */
class Undone extends Error {}

type Work<R> = (tx: Transaction<Tables>) => Promise<R>

/**
 * A database in which every transaction is taken back when its work is done: acts are tried for real, rights, scopes,
 * states and constraints included, and the next one finds everything as it was.
 */
export function rolledBack(db: Db): Db {
  const transaction = () => ({
    execute: <R>(work: Work<R>) => tried(db, work),
    setIsolationLevel: (level: IsolationLevel) => ({ execute: <R>(work: Work<R>) => tried(db, work, level) }),
  })
  // a connection of one's own has the same transactions
  const connection = () => ({
    execute: <R>(work: (own: Db) => Promise<R>) => db.connection().execute((own) => work(rolledBack(own))),
  })
  const view = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      if (name === 'connection') return connection
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  standsFor(view, db)
  return view
}

async function tried<R>(db: Db, work: Work<R>, level: IsolationLevel = 'read committed'): Promise<R> {
  let result: { value: R } | undefined
  try {
    await db
      .transaction()
      .setIsolationLevel(level)
      .execute(async (tx) => {
        result = { value: await work(tx) }
        throw new Undone()
      })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return result!.value
}
