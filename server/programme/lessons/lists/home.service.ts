import { sql } from 'kysely'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { addDays, dayEnd, dayOf, dayStart } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'
import { countLessons, listLessons, matchingLessons } from './lesson-list.queries.ts'
import { ownLessonIds } from '../model/lessons.queries.ts'

/** What the first screen tells of courses. Whoever may not list courses is told of none. */

const permit = 'lesson:list'
/** The context under the right to list courses, whatever call is being answered. */
const underList = (ctx: Context): Context => ({ ...ctx, scope: ctx.actor.scopeFor(permit) })
const maySee = ({ actor }: Context): boolean => actor.permits.has(permit)

const shown = 10
/** Most days and rows of the calendar. */
const maxDays = 14
const maxEvents = 100

/** The person's own courses by status, or those of some statuses. */
export async function ownLessonCounts(ctx: Context, liStatus?: string) {
  const rows = maySee(ctx) ? await countLessons(underList(ctx), { myLesson: true }) : []
  const wanted = liStatus?.split(',')
  const byStatus = wanted ? rows.filter((row) => wanted.includes(row.liStatus)) : rows
  return { total: byStatus.reduce((sum, { count }) => sum + count, 0), byStatus }
}

/** How many registrations wait for an answer in the person's own published courses. */
export async function pendingRegistrations(ctx: Context): Promise<number> {
  if (!ctx.actor.permits.has('lesson:register')) return 0
  const row = await matchingLessons(underList(ctx), { myLesson: true, liStatus: lessonStatus.published })
    .select(sql<number>`coalesce(sum("lesson"."pendingCount"), 0)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return row.count
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

/** Published courses that take place on these days, in their order, with whether they are the person's own. */
export async function agenda(
  ctx: Context,
  {
    startDate = dayOf(ctx.clock.now()),
    endDate = startDate,
  }: { startDate?: string | undefined; endDate?: string | undefined },
) {
  if (!maySee(ctx) || endDate < startDate) return []
  const last = addDays(startDate, maxDays - 1)
  const { records } = await listLessons(underList(ctx), {
    current: 1,
    pageSize: maxEvents,
    sort: 'startTime',
    order: 'asc',
    liStatus: lessonStatus.published,
    startTime: dayStart(startDate),
    endTime: dayEnd(endDate < last ? endDate : last),
  })
  const { rows } = await sql<{
    liId: string
  }>`
    select o."liId"
    from (${ownLessonIds(ctx.actor)}) o
    where o."liId" = any(${records.map(({ liId }) => liId)}::uuid[])`.execute(ctx.db)
  const own = new Set(rows.map(({ liId }) => liId))
  return records.map((row) => ({ ...row, mine: own.has(row.liId) }))
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
