import type { Sheet } from '../../../contract/core/sheets.ts'
import type { ColumnMatch } from '../../../contract/platform/imports/imports.schema.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import type { SheetLine } from '../../core/sheets/limits.ts'
import { missingOf } from './headers.ts'
import { headerKeys, type Match } from './match-columns.ts'

/** Matches a person has made and still may want; the oldest beyond them are forgotten. */
const maxRemembered = 200

/**
 * How this person matched headers like one of the first rows before; not where the sheet has got columns since that
 * were left out then.
 */
export async function rememberedMatch(
  { db, actor }: Context,
  sheet: Sheet,
  lines: readonly SheetLine[],
): Promise<Match | undefined> {
  const keys = headerKeys(sheet, lines)
  if (keys.length === 0) return undefined
  const known = await from({ db, actor }, 'importMatch')
    .select(['headKey', 'columns'])
    .where('suId', '=', actor.suId)
    .where('ibKind', '=', sheet.kind)
    .where(
      'headKey',
      'in',
      keys.map(({ key }) => key),
    )
    .execute()
  for (const { no, key } of keys) {
    const match = known.find(({ headKey }) => headKey === key)
    const columns =
      (match?.columns as ColumnMatch[] | undefined)?.filter((one) =>
        sheet.columns.some((column) => column.key === one.key),
      ) ?? []
    if (match && missingOf(sheet, columns).length === 0) return { headNo: no, columns }
  }
  return undefined
}

/** Remembers how this person matched the headers in that row, for the next file that has the same. */
export async function rememberMatch(
  { db, actor, clock }: Context,
  sheet: Sheet,
  lines: readonly SheetLine[],
  { headNo: headerNo, columns }: Match,
): Promise<void> {
  const key = headerKeys(sheet, lines).find(({ no }) => no === headerNo)?.key
  if (!key) return
  const mine = { schoolId: actor.schoolId, suId: actor.suId }
  const value = { columns: JSON.stringify(columns), updateTime: clock.now() }
  await db
    .insertInto('importMatch')
    .values({ ...mine, ibKind: sheet.kind, headKey: key, ...value })
    .onConflict((conflict) => conflict.columns(['schoolId', 'suId', 'ibKind', 'headKey']).doUpdateSet(value))
    .execute()
  const older = from({ db, schoolId: mine.schoolId }, 'importMatch')
    .select(['ibKind', 'headKey'])
    .where('suId', '=', mine.suId)
    .orderBy('updateTime', 'desc')
    .offset(maxRemembered)
  await db
    .deleteFrom('importMatch')
    .where('schoolId', '=', mine.schoolId)
    .where('suId', '=', mine.suId)
    .where((eb) => eb(eb.refTuple('ibKind', 'headKey'), 'in', older.$asTuple('ibKind', 'headKey')))
    .execute()
}
