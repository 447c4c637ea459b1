import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { Gap, thresholdApi, WarningRow } from '../../contract/thresholds/thresholds.calls.ts'
import { among } from '../core/among.ts'
import type { Context } from '../core/context.ts'
import { asPage, contains, countOf, offsetOf } from '../core/pages.ts'
import { inScope } from '../core/scope-sql.ts'
import { listOrder } from '../core/sorting.ts'
import { studentPlace, visibleStudents, visibleStudentsWithPlace } from '../people/students.service.ts'

export type WarningFilter = Omit<Checked<typeof thresholdApi.list>, 'current' | 'pageSize' | 'sort' | 'order'>

/** The weighed students that exist for whoever asks. */
export const visibleWarnings = (ctx: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  visibleStudents(ctx).innerJoin('studentWarning as w', (join) => join.onRef('w.schoolId', '=', 'person.schoolId').onRef('w.suId', '=', 'person.suId'))

/** Those that fit the filters; without a level and `all` only the warned ones. */
export function matchingWarnings(ctx: Context, { search, collegeId, majorId, classId, grade, warnLevel, lsId, prompted, helped, all }: WarningFilter) {
  let query = visibleWarnings(ctx)
  if (search) query = query.where((or) => or.or([contains('person.suiName' as never, search), contains('person.suiNumber' as never, search)]))
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (majorId) query = query.where('person.majorId', '=', majorId)
  if (classId) query = query.where('person.scClassId', '=', classId)
  if (grade) query = query.where('person.suiGrade', '=', grade)
  if (warnLevel) query = query.where('w.warnLevel', '=', warnLevel)
  else if (all !== '1' && !lsId) query = query.where('w.warnLevel', '<>', sql.lit('0'))
  if (lsId) query = query.where(sql<boolean>`w."missing" @> array[${lsId}::uuid]`)
  if (prompted) query = query.where('w.promptCount', prompted === '1' ? '>' : '=', 0)
  if (helped) query = query.where('w.helpCount', helped === '1' ? '>' : '=', 0)
  return query
}

const sortable = { level: 'w.warnLevel', totalGap: 'w.totalGap', finalGap: 'w.finalGap', suiNumber: 'person.suiNumber', suiGrade: 'person.suiGrade', lastPromptTime: 'w.lastPromptTime' }

const columns = ['person.suId', 'person.suiName', 'person.suiNumber', 'person.suiGrade', 'w.levelSince', 'w.totalHave', 'w.totalNeed', 'w.totalGap', 'w.finalGap', 'w.zeroTerm', 'w.gaps', 'w.lastPromptTime', 'w.promptCount', 'w.lastHelpTime', 'w.helpCount', 'w.helperName', 'w.calcTime'] as const

/** The rows of these students, in any order. */
export async function warningRows(ctx: Context, suIds: readonly string[]): Promise<WarningRow[]> {
  const mayPrompt = ctx.actor.permits.has('threshold:prompt')
  const rows = await visibleStudentsWithPlace(ctx)
    .innerJoin('studentWarning as w', (join) => join.onRef('w.schoolId', '=', 'person.schoolId').onRef('w.suId', '=', 'person.suId'))
    .select(columns)
    .select([
      sql<WarningRow['warnLevel']>`w."warnLevel"`.as('warnLevel'), sql<string>`coalesce("scName", '')`.as('collegeName'), sql<string>`coalesce("smName", '')`.as('majorName'), sql<string>`coalesce("scClassName", '')`.as('className'),
      inScope(ctx.actor.scopeFor('threshold:prompt'), studentPlace).as('inPrompt'),
    ])
    .where(among('person.suId', [...suIds]))
    .execute()
  return rows.map(({ totalHave, totalNeed, totalGap, finalGap, gaps, inPrompt, ...row }) => ({
    ...row, totalHave: fromHundredths(totalHave), totalNeed: fromHundredths(totalNeed), totalGap: fromHundredths(totalGap), finalGap: fromHundredths(finalGap), gaps: gaps as Gap[], can: mayPrompt && inPrompt ? ['prompt', 'help'] : [],
  }))
}

/** Warned students, the worst first. The page's students first, then what they are short of. */
export async function listWarnings(ctx: Context, input: Checked<typeof thresholdApi.list>): Promise<Output<typeof thresholdApi.list>> {
  const query = matchingWarnings(ctx, input)
  const ordered = input.sort ? query.orderBy(listOrder(input, sortable)) : query.orderBy('w.warnLevel', 'desc').orderBy('w.totalGap', 'desc')
  const [keys, total] = await Promise.all([ordered.select('person.suId').orderBy('person.suId').limit(input.pageSize).offset(offsetOf(input)).execute(), countOf(query)])
  const rows = new Map((keys.length === 0 ? [] : await warningRows(ctx, keys.map(({ suId }) => suId))).map((row) => [row.suId, row]))
  return asPage(keys.flatMap(({ suId }) => rows.get(suId) ?? []), total, input)
}

/** The next ones after a number, for exports and reminders. */
export async function warningsAfter(ctx: Context, filter: WarningFilter, last: string | undefined, most: number): Promise<WarningRow[]> {
  let query = matchingWarnings(ctx, filter).select(['person.suId', 'person.suiNumber']).orderBy('person.suiNumber').limit(most)
  if (last !== undefined) query = query.where('person.suiNumber', '>', last)
  const keys = await query.execute()
  const rows = new Map((keys.length === 0 ? [] : await warningRows(ctx, keys.map(({ suId }) => suId))).map((row) => [row.suId, row]))
  return keys.flatMap(({ suId }) => rows.get(suId) ?? [])
}

const counts = sql<{ total: number; level1: number; level2: number; level3: number }>`count(*)::int "total", count(*) filter (where w."warnLevel" = '1')::int "level1", count(*) filter (where w."warnLevel" = '2')::int "level2", count(*) filter (where w."warnLevel" = '3')::int "level3"`

/** How many are at which level: in all, by college and by year, and who is short of which module. */
export async function warningOverview(ctx: Context, filter: Checked<typeof thresholdApi.overview>): Promise<Output<typeof thresholdApi.overview>> {
  const { db, actor, scope } = ctx
  const matching = matchingWarnings(ctx, { ...filter, all: '1' })
  const { collegeId, majorId, classId, grade } = filter
  const wanted = sql`${collegeId ? sql`t."collegeId" = ${collegeId}::uuid` : sql`true`} and ${majorId ? sql`t."majorId" = ${majorId}::uuid` : sql`true`} and ${classId ? sql`t."classId" = ${classId}::uuid` : sql`true`} and ${grade ? sql`t."grade" = ${grade}` : sql`true`}`
  const [groups, modules, run, terms] = await Promise.all([
    sql<{ scId: string | null; scName: string | null; grade: string | null; total: number; level1: number; level2: number; level3: number }>`
      select g.*, c."scName" from (select w."suiCollegeId" "scId", w."suiGrade" "grade", ${counts} from (${matching.select(['person.suiCollegeId', 'person.suiGrade', 'w.warnLevel'])}) w group by 1, 2) g
      left join "college" c on c."schoolId" = ${actor.schoolId} and c."scId" = g."scId" order by c."scSort", c."scName"`.execute(db),
    sql<{ lsId: string; name: string; count: number }>`
      select m."lsId", k."lsName" "name", m."count" from (select x "lsId", count(*)::int "count" from (${matching.select('w.missing')}) w, unnest(w."missing") x group by 1) m
      join "curriculum" k on k."schoolId" = ${actor.schoolId} and k."lsId" = m."lsId" order by k."lsSort", k."lsId"`.execute(db),
    db.selectFrom('thresholdRun').select('runTime').where('schoolId', '=', actor.schoolId).executeTakeFirst(),
    sql<{ id: string; name: string; total: number; level1: number; level2: number; level3: number }>`
      select t."tmStart" "id", max(t."tmName") "name", sum(t."total")::int "total", sum(t."level1")::int "level1", sum(t."level2")::int "level2", sum(t."level3")::int "level3" from "warningTerm" t
      where t."schoolId" = ${actor.schoolId} and ${inScope(scope, { college: 't.collegeId', major: 't.majorId', class: 't.classId', grade: 't.grade' })} and ${wanted} group by 1 order by 1`.execute(db),
  ])
  const rows = groups.rows
  const add = (of: readonly (typeof rows)[number][]) => ({ total: sum(of, 'total'), level1: sum(of, 'level1'), level2: sum(of, 'level2'), level3: sum(of, 'level3') })
  const by = (key: 'scId' | 'grade', nameOf: (row: (typeof rows)[number]) => string) =>
    [...new Set(rows.map((row) => row[key]))].map((id) => {
      const of = rows.filter((row) => row[key] === id)
      return { id: id ?? '', name: nameOf(of[0]!), ...add(of) }
    })
  return { calcTime: run?.runTime ?? null, ...add(rows), colleges: by('scId', ({ scName }) => scName ?? '未分学院'), grades: by('grade', ({ grade }) => (grade ? `${grade} 级` : '未分年级')).toSorted((a, b) => (a.id < b.id ? -1 : 1)), modules: modules.rows, terms: terms.rows }
}

const sum = (rows: readonly Record<'total' | 'level1' | 'level2' | 'level3', number>[], of: 'total' | 'level1' | 'level2' | 'level3') => rows.reduce((all, row) => all + row[of], 0)
