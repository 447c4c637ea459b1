import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { warnLevel as warnLevelCodes } from '../../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { Gap, thresholdApi, WarningRow } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { studentScopeColumns, visibleStudents, visibleStudentsWithPlace } from '../../school/people/students.service.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'

/**
 * Whom a list, an export or a reminder is about: what its filters find, of chosen ones where there are `ids`, and of
 * these the warned ones where `warned` says so.
 */
export type WarningFilter = Omit<Checked<typeof thresholdApi.list>, 'current' | 'pageSize' | 'sort' | 'order'> & {
  ids?: readonly string[] | undefined
  warned?: boolean
}

/** The checked students that exist for whoever asks. */
const visibleWarnings = (ctx: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  visibleStudents(ctx).innerJoin('studentWarning as w', withinSchool('w.suId', 'person.suId'))

/** Those that fit the filters; without a level, `all`, and a filter that asks for gaps only the warned ones. */
export function matchingWarnings(
  ctx: Context,
  {
    search,
    collegeId,
    majorId,
    classId,
    grade,
    warnLevel,
    lsId,
    prompted,
    helped,
    finalShort,
    all,
    ids,
    warned,
  }: WarningFilter,
) {
  let query = visibleWarnings(ctx)
  if (ids) query = query.where(anyOf('person.suId', [...ids]))
  if (search) query = query.where(isNamed(search))
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (majorId) query = query.where('person.majorId', '=', majorId)
  if (classId) query = query.where('person.scClassId', '=', classId)
  if (grade) query = query.where('person.suiGrade', '=', grade)
  if (warnLevel) query = query.where('w.warnLevel', '=', warnLevel)
  else if (all !== yesNo.yes && !lsId && !finalShort && !ids)
    query = query.where('w.warnLevel', '<>', sql.lit(warnLevelCodes.normal))
  if (warned) query = query.where('w.warnLevel', '<>', sql.lit(warnLevelCodes.normal))
  if (lsId) query = query.where(sql<boolean>`w."missing" @> array[${lsId}::uuid]`)
  if (prompted) query = query.where('w.promptCount', prompted === yesNo.yes ? '>' : '=', 0)
  if (helped) query = query.where('w.helpCount', helped === yesNo.yes ? '>' : '=', 0)
  if (finalShort) query = query.where('w.finalGap', finalShort === yesNo.yes ? '>' : '=', 0)
  return query
}

const sortable = {
  level: 'w.warnLevel',
  totalGap: 'w.totalGap',
  finalGap: 'w.finalGap',
  suiNumber: 'person.suiNumber',
  suiGrade: 'person.suiGrade',
  lastPromptTime: 'w.lastPromptTime',
}

const columns = [
  'person.suId',
  'person.suiName',
  'person.suiNumber',
  'person.suiGrade',
  'w.levelSince',
  'w.totalHave',
  'w.totalNeed',
  'w.totalGap',
  'w.finalGap',
  'w.zeroTerm',
  'w.gaps',
  'w.lastPromptTime',
  'w.promptCount',
  'w.lastHelpTime',
  'w.helpCount',
  'w.helperName',
  'w.calcTime',
] as const

/** The rows of these students, in any order. Only who is warned can be reminded. */
export async function warningRows(ctx: Context, suIds: readonly string[]): Promise<WarningRow[]> {
  const mayPrompt = ctx.actor.permits.has('threshold:prompt')
  const rows = await visibleStudentsWithPlace(ctx)
    .innerJoin('studentWarning as w', withinSchool('w.suId', 'person.suId'))
    .select(columns)
    .select([
      sql<WarningRow['warnLevel']>`w."warnLevel"`.as('warnLevel'),
      sql<string>`coalesce("scName", '')`.as('collegeName'),
      sql<string>`coalesce("smName", '')`.as('majorName'),
      sql<string>`coalesce("scClassName", '')`.as('className'),
      inScope(ctx.actor.scopeFor('threshold:prompt'), studentScopeColumns).as('inPrompt'),
    ])
    .where(anyOf('person.suId', [...suIds]))
    .execute()
  return rows.map(({ totalHave, totalNeed, totalGap, finalGap, gaps, inPrompt, ...row }) => ({
    ...row,
    totalHave: fromHundredths(totalHave),
    totalNeed: fromHundredths(totalNeed),
    totalGap: fromHundredths(totalGap),
    finalGap: fromHundredths(finalGap),
    gaps: gaps as Gap[],
    can:
      mayPrompt && inPrompt ? [...(row.warnLevel === warnLevelCodes.normal ? [] : (['prompt'] as const)), 'help'] : [],
  }))
}

/** Warned students, the worst first. The page's students first, then what they are short of. */
export async function listWarnings(
  ctx: Context,
  input: Checked<typeof thresholdApi.list>,
): Promise<Output<typeof thresholdApi.list>> {
  const query = matchingWarnings(ctx, input)
  const ordered = input.sort
    ? query.orderBy(listOrder(input, sortable))
    : query.orderBy('w.warnLevel', 'desc').orderBy('w.totalGap', 'desc')
  const [keys, total] = await Promise.all([
    ordered.select('person.suId').orderBy('person.suId').limit(input.pageSize).offset(offsetOf(input)).execute(),
    countOf(query),
  ])
  return asPage(await rowsOf(ctx, keys), total, input)
}

/** The rows of these students, in this order. */
async function rowsOf(ctx: Context, keys: readonly { suId: string }[]): Promise<WarningRow[]> {
  if (keys.length === 0) return []
  const rows = await warningRows(
    ctx,
    keys.map(({ suId }) => suId),
  )
  const byId = new Map(rows.map((row) => [row.suId, row]))
  return keys.flatMap(({ suId }) => byId.get(suId) ?? [])
}

/** The next ones after a number, for exports and reminders. */
export async function warningsAfter(
  ctx: Context,
  filter: WarningFilter,
  last: string | undefined,
  limit: number,
): Promise<WarningRow[]> {
  let query = matchingWarnings(ctx, filter)
    .select(['person.suId', 'person.suiNumber'])
    .orderBy('person.suiNumber')
    .limit(limit)
  if (last !== undefined) query = query.where('person.suiNumber', '>', last)
  return rowsOf(ctx, await query.execute())
}
