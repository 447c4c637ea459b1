import { sql, type Expression, type RawBuilder } from 'kysely'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { newId } from '../../core/base/ids.ts'
import type { Explain } from './rules.ts'

/** The credit ledger: rows are only added. What was granted in error is taken back by a row of the opposite value. */

export interface LedgerRow {
  suId: string
  /** `dictionary.credit_type`: 1 hours, 2 credit, 3 points, 4 volunteer hours, 5 ability (then `sqlId` says which). */
  clType: string
  sqlId: string | null
  lsId: string
  /** The module: the top of the curriculum path. */
  moduleId: string
  /** Signed whole hundredths. */
  clValue: number
  source: 'LESSON' | 'SUP' | 'CONVERT' | 'ADJUST' | 'REVERSE'
  /** The course or record the value comes from. */
  bizId: string
  bizName: string
  ruleVersion: number
  explain: Explain
  /** When it was earned, wall-clock. */
  occurTime: string
  reverseOf?: string | null
}

/**
 * The condition on the grouped entries of one record that nothing of it stands any more: each has been taken back. What
 * they add up to does not tell, for a record that stands may be worth nothing.
 * @param entry the alias of the ledger
 */
export const allTakenBack = (entry: string): RawBuilder<boolean> =>
  sql<boolean>`(count(*) = 2 * count(*) filter (where ${sql.ref(`${entry}.source`)} = 'REVERSE'))`

const columns = {
  clId: 'uuid',
  suId: 'uuid',
  clType: 'text',
  lsId: 'uuid',
  moduleId: 'uuid',
  sqlId: 'uuid',
  clValue: 'int',
  source: 'text',
  bizId: 'uuid',
  bizName: 'text',
  ruleVersion: 'int',
  explain: 'jsonb',
  occurTime: 'timestamptz',
  reverseOf: 'uuid',
}

/**
 * Writes rows into the ledger of a school. The same value from the same source is granted once, however often it is
 * asked for.
 * @param grantedBy who granted them; null for the system
 * @returns how many were new
 */
export async function grant(
  ctx: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  rows: readonly LedgerRow[],
  grantedBy: string | null = null,
): Promise<number> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  let granted = 0
  for await (const chunk of chunksOf(rows, 2000)) {
    const full = chunk.map((row) => ({ reverseOf: null, ...row, clId: newId() }))
    const { numAffectedRows } = await sql`
        insert into "creditLedger" ("schoolId", "grantedAt", "grantedBy", ${names})
        select ${schoolId}, ${ctx.clock.now()}::timestamptz, ${grantedBy}::uuid, ${names}
        from ${recordset(full, columns)}
        on conflict do nothing`.execute(ctx.db)
    granted += Number(numAffectedRows ?? 0)
  }
  return granted
}

/** Everything a record has given a person, in the order in which it was granted. */
export const entriesOf = (
  { db }: Pick<PublicContext, 'db'>,
  schoolId: string,
  suId: string | Expression<string>,
  bizId: string,
) =>
  from({ db, schoolId }, 'creditLedger')
    .selectAll()
    .where('suId', '=', suId)
    .where('bizId', '=', bizId)
    .orderBy('grantedAt')
    .orderBy(sql`"reverseOf" is not null`)
    .orderBy('clId')
