import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { flowsOf } from '../approvals/flows.service.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { entriesOf } from '../credits/ledger.service.ts'
import type { Explain } from '../credits/rules.ts'
import { viewFile, viewPrivateFile } from '../../platform/files/files.service.ts'
import { gatesOf } from './credit-trace.ts'
import { requireMove } from './supplement-life.ts'
import { asSupplementRow, supplementRows } from './supplement-list.queries.ts'
import { entriesAsKept } from './supplement-rated.service.ts'
import { reachSupplement, supplementAuthorities, visibleSupplements } from './supplements.queries.ts'

/**
 * Everything the pages of a record show: its row, its proofs, how its values come about, its way to the ledger, its
 * entries there, and its approvals step by step.
 */
export async function supplementDetails(ctx: Context, { lisId }: { lisId: string }): Promise<SupplementDetail> {
  const supplement = await reachSupplement(ctx, lisId)
  const row = await supplementRows(ctx).where('supplement.lisId', '=', lisId).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const [proofs, ledger, { entries }, flows] = await Promise.all([
    proofsOf(ctx, supplement.lisProofs),
    ledgerOfSupplement(ctx, supplement.suId, lisId),
    entriesAsKept(ctx, supplement),
    flowsOf(ctx, lisId),
  ])
  const reckoning = entries
    .filter(({ clType }) => clType !== creditType.ability)
    .map(({ clType, value, explain }) => ({
      clType: labelOf('credit_type', clType),
      value: fromHundredths(value),
      text: explain.text,
    }))
  return {
    ...asSupplementRow(ctx)(row),
    lsPath: supplement.lsPath,
    lisStartDate: supplement.lisStartDate,
    lisEndDate: supplement.lisEndDate,
    certUrl: supplement.certUrl,
    lisTeamSize: supplement.lisTeamSize,
    lisRank: supplement.lisRank,
    lisHoursDeclared: supplement.lisHoursDeclared === null ? null : fromHundredths(supplement.lisHoursDeclared),
    lisPoints: fromHundredths(supplement.lisPoints),
    lisDesc: supplement.lisDesc,
    proofs,
    passTime: supplement.passTime,
    completeTime: supplement.completeTime,
    reckoning,
    gates: gatesOf({ ...supplement, entries: ledger.length }),
    ledger,
    flows,
  }
}

async function proofsOf({ db, actor }: Context, lisProofs: string[]): Promise<SupplementDetail['proofs']> {
  const { rows } = await sql<SupplementDetail['proofs'][number]>`
    select f."fileId" as "id", f."fileName" as "name", f."kind"
    from unnest(${lisProofs}::uuid[]) with ordinality p("id", "at")
    join "file" f on f."schoolId" = ${actor.schoolId} and f."fileId" = p."id"
    order by p."at"`.execute(db)
  return rows
}

async function ledgerOfSupplement(ctx: Context, suId: string, lisId: string): Promise<SupplementDetail['ledger']> {
  const rows = await entriesOf(ctx, ctx.actor.schoolId, suId, lisId)
  const labels = new Map(
    rows.some(({ sqlId }) => sqlId !== null)
      ? (await from(ctx, 'qualityLabel').select(['sqlId', 'sqlName']).execute()).map(({ sqlId, sqlName }) => [
          sqlId,
          sqlName,
        ])
      : [],
  )
  return rows.map(({ clId, source, clType, sqlId, clValue, explain, grantedAt }) => ({
    clId,
    source,
    clType: labelOf('credit_type', clType) + (sqlId ? `·${labels.get(sqlId) ?? '已删除的能力'}` : ''),
    value: fromHundredths(clValue),
    text: (explain as unknown as Explain).text,
    grantedAt,
  }))
}

/** The same for the edit form; refused when the record cannot be edited now. */
export async function supplementForEdit(
  ctx: Context,
  { lisId }: Checked<typeof supplementApi.load>,
): Promise<SupplementDetail> {
  const supplement = await reachSupplement(ctx, lisId)
  requireMove('edit', supplement, supplementAuthorities(ctx.actor)(supplement))
  return supplementDetails(ctx, { lisId })
}

/** Gives a proof to one who may see its record, and to whoever has just uploaded it. */
export async function supplementProof(ctx: Context, { id }: Checked<typeof supplementApi.proof>) {
  const reader = { ...ctx, scope: ctx.actor.scopeFor('sup:list') }
  const holder = await visibleSupplements(reader)
    .select('supplement.lisId')
    .where(sql<boolean>`"supplement"."lisProofs" @> ${[id]}::uuid[]`)
    .executeTakeFirst()
  return holder ? viewPrivateFile(ctx, id) : viewFile(ctx, { id })
}
