import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { flowsOf } from '../approvals/flows.service.ts'
import { together } from '../../core/base/together.ts'
import { compiledOnce } from '../../core/database/compiled-once.ts'
import { keptConfiguration } from '../../core/database/configuration.ts'
import { from } from '../../core/database/tenant.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { compiledForWhole } from '../../core/request/compiled-for-whole.ts'
import type { Context } from '../../core/request/context.ts'
import { entriesOf } from '../credits/ledger.service.ts'
import type { Explain } from '../credits/rules.ts'
import { viewFile, viewPrivateFile } from '../../platform/files/files.service.ts'
import { gatesOf } from './credit-trace.ts'
import { assertMove } from './supplement-life.ts'
import { asSupplementRow, supplementRows } from './supplement-list.queries.ts'
import { entriesAsKept, keptRating } from './supplement-rated.service.ts'
import { credentialOf, credentialShown, hasCredential } from './supplement-credential.service.ts'
import { supplementAuthorities, visibleSupplements } from './supplements.queries.ts'

/**
 * Everything the pages of a record show: its row, its proofs, how its values come about, its way to the ledger, its
 * entries there, and its approvals step by step.
 */
export const supplementDetails = (ctx: Context, { lisId }: { lisId: string }): Promise<SupplementDetail> =>
  detailsOf(ctx, lisId)

/** The same for the edit form; refused when the record cannot be edited now. */
export const supplementForEdit = (
  ctx: Context,
  { lisId }: Checked<typeof supplementApi.load>,
): Promise<SupplementDetail> =>
  detailsOf(ctx, lisId, (row) => assertMove('edit', row, supplementAuthorities(ctx.actor)(row)))

/** @param check throws where the asking person may not have the record for what they want it for */
async function detailsOf(
  ctx: Context,
  lisId: string,
  check: (row: Awaited<ReturnType<typeof detailRows>>[number]) => void = () => {},
): Promise<SupplementDetail> {
  const [[row], { granted, ledger }, flows, settings] = await together(
    detailRows(ctx, { lisId }),
    ledgerOfSupplement(ctx, lisId),
    flowsOf(ctx, lisId),
    schoolSettings(ctx, ctx.actor.schoolId),
  )
  if (!row) throw new Failure('not-found')
  check(row)
  const credential = row.hasCredential ? await credentialOf(ctx, lisId) : null
  const { entries } = entriesAsKept(row, row.kept, settings)
  const reckoning = entries
    .filter(({ clType }) => clType !== creditType.ability)
    .map(({ clType, value, explain }) => ({
      clType: labelOf('credit_type', clType),
      value: fromHundredths(value),
      text: explain.text,
    }))
  return Object.assign(asSupplementRow(ctx)(row), unsent, {
    lsPath: row.lsPath,
    lisStartDate: row.lisStartDate,
    lisEndDate: row.lisEndDate,
    certUrl: row.certUrl,
    lisTeamSize: row.lisTeamSize,
    lisRank: row.lisRank,
    lisHoursDeclared: row.lisHoursDeclared === null ? null : fromHundredths(row.lisHoursDeclared),
    lisPoints: fromHundredths(row.lisPoints),
    lisDesc: row.lisDesc,
    proofs: row.proofs,
    passTime: row.passTime,
    completeTime: row.completeTime,
    reckoning,
    gates: gatesOf({ ...row, entries: ledger.length }),
    grantedHours: fromHundredths(granted),
    ledger,
    flows,
    credential: credentialShown(credential, row, ctx.clock.now()),
  })
}

/** What the row holds only to be calculated with; left out of the answer. */
const unsent = { kept: undefined, hasCredential: undefined }

/** The row of a record with what its page shows beyond it, for one who may see it; none otherwise. */
const detailRows = compiledForWhole((reader, { lisId }: { lisId: string }) =>
  supplementRows(reader)
    .select(['lisStartDate', 'lisEndDate', 'certUrl', 'lisTeamSize', 'lisRank', 'lisHoursDeclared', 'lisPoints'])
    .select(['lisDesc', 'passTime', 'completeTime'])
    .select(keptRating.as('kept'))
    .select(hasCredential.as('hasCredential'))
    .select(
      sql<SupplementDetail['proofs']>`coalesce(
          (
            select json_agg(json_build_object('id', f."fileId", 'name', f."fileName", 'kind', f."kind") order by p."at")
            from unnest("supplement"."lisProofs") with ordinality p("id", "at")
            join "file" f on f."schoolId" = "supplement"."schoolId" and f."fileId" = p."id"
          ), '[]'
        )`.as('proofs'),
    )
    .where('supplement.lisId', '=', lisId)
    // of the whole school every record is seen: there is nothing to look up besides
    .$if(!reader.scope.whole, (rows) =>
      rows.where(
        'supplement.lisId',
        'in',
        visibleSupplements(reader).select('supplement.lisId').where('supplement.lisId', '=', lisId),
      ),
    ),
)

/** The entries of a record, and the hundredths of hours that they add up to. */
async function ledgerOfSupplement(
  ctx: Context,
  lisId: string,
): Promise<{ granted: number; ledger: SupplementDetail['ledger'] }> {
  const rows = await ledgerRows(ctx.db, { schoolId: ctx.actor.schoolId, lisId })
  const labels = rows.some(({ sqlId }) => sqlId !== null) ? await abilityNames(ctx) : new Map<string, string>()
  const ledger = rows.map(({ clId, source, clType, sqlId, clValue, explain, grantedAt }) => ({
    clId,
    source,
    clType: labelOf('credit_type', clType) + (sqlId ? `·${labels.get(sqlId) ?? '已删除的能力'}` : ''),
    value: fromHundredths(clValue),
    text: (explain as unknown as Explain).text,
    grantedAt,
  }))
  const granted = rows.reduce((sum, { clType, clValue }) => (clType === creditType.hours ? sum + clValue : sum), 0)
  return { granted, ledger }
}

const ledgerRows = compiledOnce((db, { schoolId, lisId }: { schoolId: string; lisId: string }) => {
  const student = sql<string>`(
    select "suId"
    from "supplement"
    where "schoolId" = ${schoolId} and "lisId" = ${lisId}::uuid
  )`
  return entriesOf({ db }, schoolId, student, lisId)
})

const keptAbilityNames = keptConfiguration(
  async (reader) =>
    new Map(
      (await from(reader, 'qualityLabel').select(['sqlId', 'sqlName']).execute()).map(({ sqlId, sqlName }) => [
        sqlId,
        sqlName,
      ]),
    ),
)
const abilityNames = ({ db, actor }: Context) => keptAbilityNames({ db, schoolId: actor.schoolId })

/** Gives a proof to one who may see its record, and to whoever has just uploaded it. */
export async function supplementProof(ctx: Context, { id }: Checked<typeof supplementApi.proof>) {
  const reader = { ...ctx, scope: ctx.actor.scopeFor('sup:list') }
  const holder = await visibleSupplements(reader)
    .select('supplement.lisId')
    .where(sql<boolean>`"supplement"."lisProofs" @> ${[id]}::uuid[]`)
    .executeTakeFirst()
  return holder ? viewPrivateFile(ctx, id) : viewFile(ctx, { id })
}
