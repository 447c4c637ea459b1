import type { Kysely, Migration } from 'kysely'

/**
 * A migration. A stepwise one is not one transaction: it consists of helpers alone that can be killed at any moment and
 * go on when they are called again (`concurrentIndex`, `backfill`).
 */
export interface SchemaMigration extends Migration {
  isStepwise?: boolean
}

/** @throws Error within a transaction: what can be taken up again must stay when the process ends */
export function refuseTransaction(db: Kysely<unknown>): void {
  if (db.isTransaction) throw new Error('only a migration with isStepwise may do this')
}
