import type { Transaction } from 'kysely'
import type { Db, Tables } from '../core/database/pool.ts'

/** Ends a transaction without keeping anything of it. */
class Undone extends Error {}

/**
 * A database in which every transaction is taken back when its work is done: acts are tried for real, rights, scopes, states
 * and constraints included, and the next one finds everything as it was.
 */
export function rolledBack(db: Db): Db {
  const transaction = () => ({ execute: <R>(work: (tx: Transaction<Tables>) => Promise<R>) => tried(db, work) })
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

async function tried<R>(db: Db, work: (tx: Transaction<Tables>) => Promise<R>): Promise<R> {
  let result: { value: R } | undefined
  try {
    await db.transaction().execute(async (tx) => {
      result = { value: await work(tx) }
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return result!.value
}
