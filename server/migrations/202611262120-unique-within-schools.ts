import { sql, type Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/**
 * What is found before anybody knows the school is a random text: unique together with the school it is unique anyway,
 * and an engine that keeps schools on several machines can hold no other (decision 123). The text leads the index, for
 * it is what is looked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of found) {
    await concurrentIndex(db, {
      name: `${table}_${column}`,
      on: `"${table}" ("${column}", "schoolId")`,
      isUnique: true,
    })
    await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.id(`${table}_${column}_key`)}`.execute(db)
  }
}

const found = [
  ['calendarFeed', 'tokenHash'],
  ['file', 'storeKey'],
  ['identityTry', 'codeHash'],
  ['identityTry', 'stateHash'],
  ['importBatch', 'errorId'],
  ['transcriptIssue', 'serial'],
  ['trustedDevice', 'tokenHash'],
] as const
