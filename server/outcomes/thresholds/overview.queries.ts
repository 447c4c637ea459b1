import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import type { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { termFinder } from '../../school/school/calendar.service.ts'
import { cardsOf, type LevelCounts } from './overview-cards.ts'
import { matchingWarnings } from './warnings.queries.ts'

const counts = sql`count(*)::int "total",
  count(*) filter (where w."warnLevel" = ${sql.lit(warnLevel.mild)})::int "level1",
  count(*) filter (where w."warnLevel" = ${sql.lit(warnLevel.moderate)})::int "level2",
  count(*) filter (where w."warnLevel" = ${sql.lit(warnLevel.severe)})::int "level3"`

interface Group extends LevelCounts {
  scId: string | null
  scName: string | null
  grade: string | null
  finalShort: number
}

/**
 * How many are at which level: in all, by college and by year, beside the terms before, and who is short of which
 * module.
 */
export async function warningOverview(
  ctx: Context,
  filter: Checked<typeof thresholdApi.overview>,
): Promise<Output<typeof thresholdApi.overview>> {
  const { db, actor } = ctx
  const matching = matchingWarnings(ctx, { ...filter, all: '1' })
  const [groups, missing, run, terms, termAt] = await Promise.all([
    sql<Group>`
        select g.*, c."scName"
        from (
          select w."suiCollegeId" "scId", w."suiGrade" "grade", ${counts},
            count(*) filter (where w."finalGap" > 0)::int "finalShort"
          from (${matching.select(['person.suiCollegeId', 'person.suiGrade', 'w.warnLevel', 'w.finalGap'])}) w
          group by 1, 2
        ) g
        left join "college" c on c."schoolId" = ${actor.schoolId} and c."scId" = g."scId"
        order by c."scSort", c."scName"`.execute(db),
    sql<{ collegeId: string; grade: string; lsId: string; name: string; count: number }>`
        select coalesce(m."scId"::text, '') "collegeId", coalesce(m."grade", '') "grade", m."lsId", k."lsName" "name",
          m."count"
        from (
          select w."suiCollegeId" "scId", w."suiGrade" "grade", x "lsId", count(*)::int "count"
          from (${matching.select(['person.suiCollegeId', 'person.suiGrade', 'w.missing'])}) w, unnest(w."missing") x
          group by 1, 2, 3
        ) m
        join "curriculum" k on k."schoolId" = ${actor.schoolId} and k."lsId" = m."lsId"
        where ${filter.lsId ? sql`m."lsId" = ${filter.lsId}::uuid` : sql`true`}
        order by k."lsSort", k."lsId", 1, 2`.execute(db),
    from({ db, actor }, 'thresholdRun').select('runTime').executeTakeFirst(),
    keptTerms(ctx, filter),
    termFinder(ctx, actor.schoolId),
  ])
  const rows = groups.rows
  const now = termAt(dayOf(ctx.clock.now()))
  const [before, lastYear] = [termAt(addDays(now.tmStart, -1)), termAt(addDays(now.tmStart, -351))]
  // what is kept of a term knows places only: beside fewer students it would say something else
  const { search, lsId, prompted, helped, finalShort } = filter
  const kept = (tmStart: string): LevelCounts | null =>
    search || lsId || prompted || helped || finalShort ? null : (terms.find(({ id }) => id === tmStart) ?? null)
  const by = (key: 'scId' | 'grade', nameOf: (row: Group) => string) =>
    [...new Set(rows.map((row) => row[key]))].map((id) => {
      const of = rows.filter((row) => row[key] === id)
      return { id: id ?? '', name: nameOf(of[0]!), ...added(of) }
    })
  const modules = new Map<string, { lsId: string; name: string; count: number }>()
  for (const one of missing.rows)
    modules.set(one.lsId, { lsId: one.lsId, name: one.name, count: (modules.get(one.lsId)?.count ?? 0) + one.count })
  return {
    calcTime: run?.runTime ?? null,
    ...added(rows),
    cards: cardsOf(
      { ...added(rows), finalShort: sum(rows, 'finalShort') },
      kept(before.tmStart),
      kept(lastYear.tmStart),
    ),
    previous: kept(before.tmStart) && { startTime: `${before.tmStart} 00:00:00`, endTime: `${before.tmEnd} 23:59:59` },
    colleges: by('scId', ({ scName }) => scName ?? '未分学院'),
    grades: by('grade', ({ grade }) => (grade ? `${grade} 级` : '未分年级')).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    modules: [...modules.values()],
    gaps: missing.rows.map(({ name: _, ...gap }) => gap),
    terms: terms.map((term) => ({ ...term, isNow: term.id === now.tmStart })),
  }
}

/** What was kept at the end of each term of the places that are asked for, as far as the person's area reaches. */
async function keptTerms(
  { db, actor, scope }: Context,
  { collegeId, majorId, classId, grade }: Checked<typeof thresholdApi.overview>,
): Promise<(LevelCounts & { id: string; name: string })[]> {
  const wanted = sql`${collegeId ? sql`t."collegeId" = ${collegeId}::uuid` : sql`true`}
    and ${majorId ? sql`t."majorId" = ${majorId}::uuid` : sql`true`}
    and ${classId ? sql`t."classId" = ${classId}::uuid` : sql`true`}
    and ${grade ? sql`t."grade" = ${grade}` : sql`true`}`
  const { rows } = await sql<LevelCounts & { id: string; name: string }>`
      select t."tmStart" "id", max(t."tmName") "name", sum(t."total")::int "total", sum(t."level1")::int "level1",
        sum(t."level2")::int "level2", sum(t."level3")::int "level3"
      from "warningTerm" t
      where t."schoolId" = ${actor.schoolId}
        and ${inScope(scope, { college: 't.collegeId', major: 't.majorId', class: 't.classId', grade: 't.grade' })}
        and ${wanted}
      group by 1
      order by 1`.execute(db)
  return rows
}

/** How many are at which level and when that was calculated, for the first screen: one statement. */
export async function warningCounts(
  ctx: Context,
): Promise<{ calcTime: string | null; level1: number; level2: number; level3: number }> {
  const { rows } = await sql<LevelCounts & { calcTime: string | null }>`
    select ${counts}, max(w."calcTime") "calcTime"
    from (${matchingWarnings(ctx, { all: '1' }).select(['w.warnLevel', 'w.calcTime'])}) w`.execute(ctx.db)
  const { calcTime, level1, level2, level3 } = rows[0]!
  return { calcTime, level1, level2, level3 }
}

const sum = <K extends string>(rows: readonly Record<K, number>[], of: K): number =>
  rows.reduce((all, row) => all + row[of], 0)
const added = (of: readonly LevelCounts[]): LevelCounts => ({
  total: sum(of, 'total'),
  level1: sum(of, 'level1'),
  level2: sum(of, 'level2'),
  level3: sum(of, 'level3'),
})
