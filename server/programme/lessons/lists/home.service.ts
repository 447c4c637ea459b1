import { sql } from 'kysely'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { addDays, dayEnd, dayOf, dayStart } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'
import { countLessons, lessonsOf, listLessons, matchingLessons } from './lesson-list.queries.ts'
import { ownLessonIds } from '../model/lessons.queries.ts'

/** What the first screen tells of courses. Whoever may not list courses is told of none. */

const permit = 'lesson:list'
/** The context under the right to list courses, whatever call is being answered. */
const underList = (ctx: Context): Context => ({ ...ctx, scope: ctx.actor.scopeFor(permit) })
const maySee = ({ actor }: Context): boolean => actor.permits.has(permit)

const shown = 10
/** Most days of the calendar. */
const maxDays = 14

/** The person's own courses by status, or those of some statuses. */
export async function ownLessonCounts(ctx: Context, liStatus?: string) {
  const rows = maySee(ctx) ? await countLessons(underList(ctx), { myLesson: true }) : []
  const wanted = liStatus?.split(',')
  const byStatus = wanted ? rows.filter((row) => wanted.includes(row.liStatus)) : rows
  return { total: byStatus.reduce((sum, { count }) => sum + count, 0), byStatus }
}

/**
 * In how many of the person's own published courses registrations wait for an answer, and how many registrations these
 * are.
 */
export async function pendingRegistrations(ctx: Context): Promise<{ lessons: number; people: number }> {
  if (!ctx.actor.permits.has('lesson:register')) return { lessons: 0, people: 0 }
  return matchingLessons(underList(ctx), { myLesson: true, liStatus: lessonStatus.published, pending: true })
    .select([
      sql<number>`count(*)::int`.as('lessons'),
      sql<number>`coalesce(sum("lesson"."pendingCount"), 0)::int`.as('people'),
    ])
    .executeTakeFirstOrThrow()
}

/**
 * The person's own courses, the one that comes next or was made last first; for somebody without any, those they may
 * see.
 */
export async function recentLessons(ctx: Context) {
  if (!maySee(ctx)) return []
  const page = { current: 1, pageSize: shown, sort: 'createTime', order: 'desc' as const }
  const { records } = await listLessons(underList(ctx), { ...page, myLesson: true })
  return records.length > 0 ? records : (await listLessons(underList(ctx), page)).records
}

/**
 * Day by day the published courses that take place then: how many, and the first of them. First comes what is not over
 * yet, then what is the person's own, what is of that day alone, and what begins first. A day with none is left out.
 * The course list counts the same under the edges of a day, so that it shows what is only counted here.
 * @param perDay how many courses of a day are told
 */
export async function agenda(
  ctx: Context,
  {
    startDate = dayOf(ctx.clock.now()),
    endDate = startDate,
    perDay,
  }: { startDate?: string | undefined; endDate?: string | undefined; perDay: number },
) {
  if (!maySee(ctx) || endDate < startDate) return []
  const within = underList(ctx)
  const last = addDays(startDate, maxDays - 1)
  const lastDay = endDate < last ? endDate : last
  const dates = Array.from({ length: maxDays }, (_, at) => addDays(startDate, at)).filter((day) => day <= lastDay)
  const found = matchingLessons(within, {
    liStatus: lessonStatus.published,
    startTime: dayStart(startDate),
    endTime: dayEnd(lastDay),
  }).select(['lesson.liId', 'lesson.startTime', 'lesson.endTime'])
  const { rows: days } = await sql<{ date: string; total: number; ids: string[]; own: string[] }>`
    with found as materialized (${found}),
    own as materialized (${ownLessonIds(ctx.actor)}),
    placed as (
      select
        d."date",
        f."liId",
        f."liId" in (select o."liId" from own o) as "mine",
        row_number() over (
          partition by d."date"
          order by
            f."endTime" < ${ctx.clock.now()}::timestamptz,
            f."liId" not in (select o."liId" from own o),
            f."startTime" < d."from",
            f."startTime",
            f."liId"
        ) as "at"
      from (
        select "date", ("date" || ' 00:00:00')::timestamptz as "from", ("date" || ' 23:59:59')::timestamptz as "to"
        from unnest(${dates}::text[]) as "date"
      ) d
      join found f on f."endTime" >= d."from" and f."startTime" <= d."to"
    )
    select
      "date",
      count(*)::int as "total",
      array_agg("liId" order by "at") filter (where "at" <= ${perDay}) as "ids",
      coalesce(array_agg("liId") filter (where "at" <= ${perDay} and "mine"), '{}') as "own"
    from placed
    group by "date"
    order by "date"`.execute(ctx.db)
  const rows = await lessonsOf(within, [...new Set(days.flatMap(({ ids }) => ids))])
  const shownRows = new Map(rows.map((row) => [row.liId, row]))
  return days.map(({ date, total, ids, own }) => ({
    date,
    total,
    events: ids.flatMap((liId) => {
      const row = shownRows.get(liId)
      return row ? [{ row, mine: own.includes(liId) }] : []
    }),
  }))
}

/** Courses in public notice, the one that ends first first. */
export async function publictyEnding(ctx: Context) {
  if (!maySee(ctx)) return []
  const { records } = await listLessons(underList(ctx), {
    current: 1,
    pageSize: shown,
    sort: 'liPublictyEdate',
    order: 'asc',
    liStatus: lessonStatus.inNotice,
  })
  return records
}
