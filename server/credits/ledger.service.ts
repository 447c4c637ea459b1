import { sql } from 'kysely'
import { chunksOf, recordset } from '../core/bulk.ts'
import type { Context, PublicContext } from '../core/context.ts'
import { newId } from '../core/ids.ts'
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
  /** The entry that this one reverses or follows. */
  reverseOf?: string | null
  clId?: string
}

const columns = {
  clId: 'uuid', suId: 'uuid', clType: 'text', lsId: 'uuid', moduleId: 'uuid', sqlId: 'uuid', clValue: 'int', source: 'text', bizId: 'uuid', bizName: 'text', ruleVersion: 'int', explain: 'jsonb', occurTime: 'timestamptz', reverseOf: 'uuid',
}

/**
 * Writes rows into the ledger of a school. The same value from the same source is granted once, however often it is asked for.
 * @param grantedBy who granted them; null for the system
 * @returns how many were new
 */
export async function grant(ctx: Pick<PublicContext, 'db' | 'clock'>, schoolId: string, rows: readonly LedgerRow[], grantedBy: string | null = null): Promise<number> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  let granted = 0
  for await (const chunk of chunksOf(rows, 2000)) {
    const full = chunk.map((row) => ({ reverseOf: null, clId: newId(), ...row }))
    const { numAffectedRows } = await sql`insert into "creditLedger" ("schoolId", "grantedAt", "grantedBy", ${names}) select ${schoolId}, ${ctx.clock.now()}::timestamptz, ${grantedBy}::uuid, ${names}
      from ${recordset(full, columns)} on conflict do nothing`.execute(ctx.db)
    granted += Number(numAffectedRows ?? 0)
  }
  return granted
}

/** Everything a record has given a person, in the order in which it was granted. */
export const entriesOf = ({ db }: Pick<PublicContext, 'db'>, schoolId: string, suId: string, bizId: string) =>
  db
    .selectFrom('creditLedger').selectAll().where('schoolId', '=', schoolId).where('suId', '=', suId).where('bizId', '=', bizId)
    .orderBy('grantedAt').orderBy(sql`"reverseOf" is not null`).orderBy('clId').execute()

/** What kind of value an entry holds. */
const keyOf = ({ clType, sqlId }: Pick<LedgerRow, 'clType' | 'sqlId'>): string => `${clType}/${sqlId ?? ''}`

/**
 * Takes back what a record has given a person, by one entry of the opposite value for each kind of value. The caller holds the record's lock.
 * @returns the entries which later ones of each kind must follow
 */
export async function takeBack(ctx: Pick<PublicContext, 'db' | 'clock'>, schoolId: string, { suId, bizId }: { suId: string; bizId: string }, text: string, grantedBy: string | null): Promise<{ reversed: number; lastOf: (row: Pick<LedgerRow, 'clType' | 'sqlId'>) => string | null }> {
  const entries = await entriesOf(ctx, schoolId, suId, bizId)
  const followed = new Set(entries.map(({ reverseOf }) => reverseOf))
  const last = new Map<string, string>()
  const rows: LedgerRow[] = []
  for (const tail of entries.filter(({ clId }) => !followed.has(clId))) {
    const own = entries.filter((entry) => keyOf(entry) === keyOf(tail))
    const net = own.reduce((sum, { clValue }) => sum + clValue, 0)
    last.set(keyOf(tail), tail.clId)
    if (net === 0) continue
    const { bestGroup, partakeMode, ruleVersion } = tail.explain as unknown as Explain
    const clId = newId()
    last.set(keyOf(tail), clId)
    rows.push({
      clId, suId, bizId, clType: tail.clType, sqlId: tail.sqlId, lsId: tail.lsId, moduleId: tail.moduleId, clValue: -net, source: 'REVERSE', bizName: tail.bizName, ruleVersion: tail.ruleVersion, occurTime: tail.occurTime, reverseOf: tail.clId,
      explain: { base: -net, factor: 100, award: 0, partakeMode, ruleVersion, text, ...(bestGroup ? { bestGroup } : {}) },
    })
  }
  return { reversed: await grant(ctx, schoolId, rows, grantedBy), lastOf: (row) => last.get(keyOf(row)) ?? null }
}

/** Everything in a person's ledger, in the order in which it was granted. Who may see it is for the caller to know. */
export const ledgerOf = ({ db, actor }: Pick<Context, 'db' | 'actor'>, suId: string) =>
  db.selectFrom('creditLedger').selectAll().where('schoolId', '=', actor.schoolId).where('suId', '=', suId).orderBy('grantedAt').orderBy('clId').execute()
