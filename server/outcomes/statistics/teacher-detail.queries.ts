import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { circleAuthStatus, circleStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { pickFields } from '../../core/base/pick-fields.ts'
import { together } from '../../core/base/together.ts'
import { asPage } from '../../core/database/paging.ts'
import type { Context } from '../../core/request/context.ts'
import { during, ratio } from './figures.ts'
import { byPerson, guidedBy, type Guiding } from './guided.ts'
import type { LessonRow } from './lesson-rows.ts'
import { lessonsNamed } from './lessons-named.queries.ts'
import { pageOf } from './pages.ts'
import { type Period } from './published.ts'
import { teachersNamed } from './teachers-named.queries.ts'

/** What the list of courses can be ordered by; the first one if nothing is asked for. */
const guidedOrders: Record<string, (one: { row: LessonRow }) => string | number | null> = {
  startTime: ({ row }) => row.startTime,
  signed: ({ row }) => row.signed,
  hours: ({ row }) => row.liHours,
  rating: ({ row }) => ratio(row.starSum, row.starTimes),
}

/** The courses behind the figures, one row a teacher and course, the latest first unless another order is asked for. */
export async function guidedLessons(
  ctx: Context,
  input: Checked<typeof teacherStatApi.lessons>,
): Promise<Output<typeof teacherStatApi.lessons>> {
  const { staff, guided } = await guidedBy(ctx, input)
  const rows = guided.flatMap(({ person, row }) => {
    const suId = staff.columns.suIds[person]!
    return input.suId && input.suId !== suId ? [] : [{ id: `${row.id}:${suId}`, suId, row }]
  })
  const page = pageOf(rows, input, guidedOrders, 'desc')
  const [people, said] = await together(
    teachersNamed(
      ctx,
      page.map(({ suId }) => suId),
    ),
    lessonsNamed(
      ctx,
      page.map(({ row }) => row.id),
    ),
  )
  const opensLesson = ctx.actor.permits.has('lesson:list')
  const records = page.flatMap(({ id, suId, row }) => {
    const [person, lesson] = [people.get(suId), said.get(row.id)]
    return person === undefined || lesson === undefined
      ? []
      : [
          {
            id,
            ...pickFields(lesson, ['liId', 'liName', 'levelName']),
            ...pickFields(person, ['suId', 'suiName', 'suiNumber', 'collegeName']),
            ...pickFields(row, ['liStatus', 'startTime', 'signed']),
            hours: fromHundredths(row.liHours),
            rating: ratio(row.starSum, row.starTimes),
            opens: opensLesson,
          },
        ]
  })
  return asPage(records, rows.length, input)
}

/** A teacher of the list before their names are known; null where there is nothing of the kind. */
interface Found {
  id: string
  /** The place in the order of numbers. */
  byNumber: number
  own: Guiding | undefined
  circles: number | null
  handled: Handled | undefined
}

/** What the list can be ordered by; the first one if nothing is asked for. */
const sortable: Record<string, (one: Found) => number | null> = {
  suiNumber: ({ byNumber }) => byNumber,
  lessons: ({ own }) => own?.lessons ?? null,
  circles: ({ circles }) => circles,
  times: ({ own }) => own?.times ?? null,
  hours: ({ own }) => own?.hours ?? null,
  handled: ({ handled }) => handled?.handled ?? null,
}

const guides: Record<NonNullable<Checked<typeof teacherStatApi.detail>['guides']>, (one: Found) => boolean> = {
  1: ({ own }) => own !== undefined,
  0: ({ own }) => own === undefined,
  rated: ({ own }) => own !== undefined && own.starTimes > 0,
  circle: ({ circles }) => circles !== null,
}

/** Approvals that somebody decided, and the seconds that they took. */
interface Handled {
  handled: number
  seconds: number
}

/** What teachers decided in a period, of some of them or of all. */
async function decisionsOf(
  { db, actor }: Context,
  period: Period,
  suIds?: readonly string[],
): Promise<Map<string, Handled>> {
  const { rows } = await sql<Handled & { suId: string }>`
    select k."checkerId" "suId", count(*)::int "handled",
      sum(extract(epoch from k."handleTime" - k."arriveTime"))::float8 "seconds"
    from "approvalTask" k
    where k."schoolId" = ${actor.schoolId}
      and ${suIds === undefined ? sql`true` : sql`k."checkerId" = any(${suIds}::uuid[])`}
      and k."taskStatus" in (${sql.lit(taskStatus.passed)}, ${sql.lit(taskStatus.refused)})
      and k."handleTime" is not null
      and ${during('k.handleTime', period)}
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.suId, row]))
}

/** How many circles each teacher guides now. */
async function circlesOfTeachers({ db, actor }: Context): Promise<Map<string, number>> {
  const { rows } = await sql<{ suId: string; circles: number }>`
    select x."suId", count(*)::int "circles"
    from "circleTeacher" x
    join "circle" i on i."schoolId" = x."schoolId" and i."ciId" = x."ciId"
    where x."schoolId" = ${actor.schoolId}
      and i."delFlag" = '0'
      and i."ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)}
      and i."ciStatus" <> ${sql.lit(circleStatus.dissolved)}
    group by 1`.execute(db)
  return new Map(rows.map(({ suId, circles }) => [suId, circles]))
}

/**
 * Teachers with what they guided and the approvals that they decided in the period: what their workload is calculated
 * from.
 */
export async function teachersDetail(
  ctx: Context,
  input: Checked<typeof teacherStatApi.detail>,
): Promise<Output<typeof teacherStatApi.detail>> {
  const [{ staff, guided }, circles, allDecisions] = await together(
    guidedBy(ctx, input),
    circlesOfTeachers(ctx),
    input.sort === 'handled' ? decisionsOf(ctx, input) : undefined,
  )
  const { columns, wanted } = staff
  const guiding = byPerson(guided)
  const found: Found[] = []
  for (const [byNumber, person] of columns.byNumber.entries()) {
    if (wanted[columns.place[person]!] !== 1 || (input.sex && columns.sex[person] !== input.sex)) continue
    const id = columns.suIds[person]!
    const one = {
      id,
      byNumber,
      own: guiding.get(person),
      circles: circles.get(id) ?? null,
      handled: allDecisions?.get(id),
    }
    if (!input.guides || guides[input.guides](one)) found.push(one)
  }
  const page = pageOf(found, input, sortable, undefined, ({ byNumber }) => byNumber)
  const ids = page.map(({ id }) => id)
  const [people, decisions] = await together(teachersNamed(ctx, ids), allDecisions ?? decisionsOf(ctx, input, ids))
  const mayOpen = ctx.actor.permits.has('teacher:list')
  const records = page.flatMap(({ id, own, circles: guidedCircles }) => {
    const person = people.get(id)
    if (person === undefined) return []
    const { handled, seconds } = decisions.get(id) ?? { handled: 0, seconds: 0 }
    return [
      {
        ...pickFields(person, ['suId', 'suiName', 'suiNumber', 'collegeName']),
        title: person.title === null ? '' : labelOf('teacher_title', person.title),
        lessons: own?.lessons ?? 0,
        circles: guidedCircles ?? 0,
        times: own?.times ?? 0,
        hours: fromHundredths(own?.hours ?? 0),
        rating: ratio(own?.stars ?? 0, own?.starTimes ?? 0),
        handled,
        handleHours: ratio(seconds / 3600, handled),
        opens: mayOpen,
      },
    ]
  })
  return asPage(records, found.length, input)
}
