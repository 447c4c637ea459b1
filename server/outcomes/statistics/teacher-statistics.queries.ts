import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import {
  circleAuthStatus,
  circleStatus,
  lessonStatus,
  taskStatus,
  lessonPersonRole,
} from '../../../contract/core/codes/programme.ts'
import { dictionary, labelOf } from '../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { teacherFigures, type teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { dayEnd } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, during, flatOf, percent, ratio, units, type CardKind } from './figures.ts'
import { atPlaces, collegeNames, personsAt } from './places.ts'
import { ofSubject, starCount, starSum } from './published.ts'

type Input = Checked<typeof teacherStatApi.total> & Pick<Checked<typeof teacherStatApi.detail>, 'lacking'>
const staff = (ctx: Context, input: Input): RawBuilder<boolean> =>
  atPlaces(ctx, { collegeId: input.collegeId, lacking: input.lacking }, '2')

/**
 * Who guides which course: its guiding teachers and whoever leads it. Courses of the period that were published and not
 * called off, as `l` and `t`.
 */
const guided = ({ actor }: Pick<Context, 'actor'>, input: Input): RawBuilder<unknown> => sql`(
    select g."suId", l."liId", l."liName", l."liLevel", l."liStatus", l."startTime", l."liHours", t."sessions",
      t."signed", ${starSum} "stars", ${starCount} "starTimes"
    from "lesson" l
    join "statLesson" t on t."schoolId" = l."schoolId" and t."liId" = l."liId"
    join lateral (
      select l."liPrincipalId" "suId"
      union
      select x."suId"
      from "lessonPerson" x
      where x."schoolId" = l."schoolId" and x."liId" = l."liId" and x."lpRole" = ${sql.lit(lessonPersonRole.teacher)}
    ) g on true
    where l."schoolId" = ${actor.schoolId}
      and l."delFlag" = '0'
      and l."liStatus" not in (
        ${sql.lit(lessonStatus.draft)}, ${sql.lit(lessonStatus.publishInReview)},
        ${sql.lit(lessonStatus.publishRefused)}, ${sql.lit(lessonStatus.publishPassed)},
        ${sql.lit(lessonStatus.unpublished)}, ${sql.lit(lessonStatus.cancelled)}, ${sql.lit(lessonStatus.abnormal)}
      )
      and ${during('l.startTime', input)}
      and ${ofSubject(input)}
  )`

interface Figures {
  all: number
  people: number
  lessons: number
  hours: number
  times: number
  stars: number
  starTimes: number
}

const kinds: CardKind<Figures>[] = [
  {
    key: 'people',
    name: '参与指导教师',
    unit: '人',
    definition: '时间范围内负责或指导过课程的在职教职工',
    value: ({ people }) => people,
  },
  {
    key: 'rate',
    name: '参与率',
    unit: '%',
    definition: '参与指导教师 ÷ 在职教职工',
    value: ({ people, all }) => percent(people, all),
  },
  {
    key: 'perTeacher',
    name: '人均指导课程',
    unit: '门',
    definition: '指导课程数之和 ÷ 参与指导教师；一门课程由两人指导，各计一门',
    value: ({ lessons, people }) => ratio(lessons, people),
  },
  {
    key: 'hours',
    name: '指导学时',
    unit: '学时',
    definition: '所指导课程的学时之和',
    value: ({ hours }) => units(hours),
  },
  { key: 'times', name: '指导学生', unit: '人次', definition: '所指导课程的签到人次', value: ({ times }) => times },
  {
    key: 'rating',
    name: '平均评分',
    unit: '星',
    definition: '学生对所指导课程评价的平均星级',
    value: ({ stars, starTimes }) => ratio(stars, starTimes),
  },
]

async function figuresOf(ctx: Context, input: Input): Promise<Figures> {
  const [{ rows }, all] = await Promise.all([
    sql<Omit<Figures, 'all'>>`
      select count(distinct g."suId")::int "people", count(*)::int "lessons",
        coalesce(sum(g."liHours"), 0)::float8 "hours", coalesce(sum(g."signed"), 0)::int "times",
        coalesce(sum(g."stars"), 0)::int "stars", coalesce(sum(g."starTimes"), 0)::int "starTimes"
      from ${guided(ctx, input)} g
      join ${personsAt} on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = g."suId"
      where ${staff(ctx, input)}`.execute(ctx.db),
    headCount(ctx, input),
  ])
  return { ...rows[0]!, all }
}
const headCount = (ctx: Context, input: Input) =>
  sql<{ n: number }>`select count(*)::int "n" from ${personsAt} where ${staff(ctx, input)}`
    .execute(ctx.db)
    .then(({ rows }) => rows[0]!.n)

export const teacherTotal = (ctx: Context, input: Input): Promise<Output<typeof teacherStatApi.total>> =>
  cachedAnswer(ctx, 'teacherTotal', input, async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    // courses that lie ahead count in the period, and not in what is compared with the passed part of another one
    const passed = previous?.part ? { ...input, endTime: dayEnd(ctx.clock.now()) } : null
    const [own, before, year, soFar] = await Promise.all([
      figuresOf(ctx, input),
      previous && figuresOf(ctx, { ...input, ...previous }),
      lastYear && figuresOf(ctx, { ...input, ...lastYear }),
      passed && figuresOf(ctx, passed),
    ])
    const cards = cardsOf(kinds, own, before, year, soFar ?? own)
    return { cards, ...flatOf(teacherFigures, cards), asOf, previous, lastYear }
  })

interface Sum {
  id: string
  name: string
  num: number
  stars: number
  starTimes: number
}

/** What each teacher guided, by the order told; the first twenty. */
const byTeacher = (ctx: Context, input: Input, having: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
  sql<Sum>`
    select g."suId" "id", p."suiName" "name", count(*)::int "num", sum(g."stars")::int "stars",
      sum(g."starTimes")::int "starTimes"
    from ${guided(ctx, input)} g
    join ${personsAt} on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = g."suId"
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    where ${staff(ctx, input)}
    group by g."suId", p."suiName"
    having ${having}
    order by ${order}, g."suId"
    limit 20`
    .execute(ctx.db)
    .then(({ rows }) => rows)

/** Whether the asking person may open teachers. */
const opens = ({ actor }: Context): boolean => actor.permits.has('teacher:list')

export const teachersByActivity = (ctx: Context, input: Input): Promise<Output<typeof teacherStatApi.activities>> =>
  cachedAnswer(ctx, 'teachersByActivity', { ...input, opens: opens(ctx) }, async () =>
    (await byTeacher(ctx, input, sql`true`, sql`count(*) desc`)).map(({ id, name, num }) => ({
      id,
      name,
      num,
      opens: opens(ctx),
    })),
  )

export const teachersByScore = (ctx: Context, input: Input): Promise<Output<typeof teacherStatApi.score>> =>
  cachedAnswer(ctx, 'teachersByScore', { ...input, opens: opens(ctx) }, async () =>
    (
      await byTeacher(ctx, input, sql`sum(g."starTimes") > 0`, sql`sum(g."stars")::numeric / sum(g."starTimes") desc`)
    ).map(({ id, name, stars, starTimes }) => ({
      id,
      name,
      score: ratio(stars, starTimes) ?? 0,
      times: starTimes,
      opens: opens(ctx),
    })),
  )

const shares = (ctx: Context, input: Input, by: RawBuilder<unknown>) =>
  sql<{
    key: string
    value: number
  }>`
    select coalesce(${by}, '') "key", count(*)::int "value"
    from ${personsAt}
    where ${staff(ctx, input)}
    group by 1`
    .execute(ctx.db)
    .then(({ rows }) => rows)

export const teachersBySex = (ctx: Context, input: Input): Promise<Output<typeof teacherStatApi.sex>> =>
  cachedAnswer(ctx, 'teachersBySex', { collegeId: input.collegeId }, async () => {
    const rows = await shares(ctx, input, sql`s."sex"`)
    return dictionary.sex.flatMap(([key, name]) =>
      rows.filter((row) => row.key === key).map(({ value }) => ({ key, name, value })),
    )
  })

/** Colleges by the courses that their teachers guide: `num` courses, `people` who guide, `total` teachers. */
export const teachersByCollege = (ctx: Context, input: Input): Promise<Output<typeof teacherStatApi.colleges>> =>
  cachedAnswer(ctx, 'teachersByCollege', input, async () => {
    const college = sql`coalesce(pl."collegeId"::text, '')`
    const [guiding, all, names] = await Promise.all([
      sql<{
        id: string
        num: number
        people: number
      }>`
        select ${college} "id", count(*)::int "num", count(distinct g."suId")::int "people"
        from ${guided(ctx, input)} g
        join ${personsAt} on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = g."suId"
        where ${staff(ctx, input)}
        group by 1`.execute(ctx.db),
      sql<{
        id: string
        total: number
      }>`
        select ${college} "id", count(*)::int "total"
        from ${personsAt}
        where ${staff(ctx, input)}
        group by 1`.execute(ctx.db),
      collegeNames(ctx),
    ])
    return all.rows
      .map(({ id, total }) => {
        const { num, people } = guiding.rows.find((row) => row.id === id) ?? { num: 0, people: 0 }
        return {
          id,
          name: id === '' ? '校级部门' : (names.get(id) ?? ''),
          num,
          people,
          total,
          rate: percent(people, total),
        }
      })
      .toSorted((a, b) => b.num - a.num || a.name.localeCompare(b.name, 'zh'))
  })

type LessonRow = Omit<Output<typeof teacherStatApi.lessons>['records'][number], 'id' | 'hours' | 'rating' | 'opens'> & {
  liHours: number
  stars: number
  starTimes: number
}

/** The courses behind the figures, one row a teacher and course, the latest first. */
export async function guidedLessons(
  ctx: Context,
  input: Checked<typeof teacherStatApi.lessons>,
): Promise<Output<typeof teacherStatApi.lessons>> {
  const from = sql`from ${guided(ctx, input)} g
    join ${personsAt} on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = g."suId"
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    where ${staff(ctx, input)} and ${input.suId ? sql`g."suId" = ${input.suId}::uuid` : sql`true`}`
  const [page, all] = await Promise.all([
    sql<LessonRow>`
      select g."liId", g."liName", g."suId", p."suiName", p."suiNumber",
        coalesce(
          (select o."scName" from "college" o where o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"), ''
        ) "collegeName",
        (select v."llName" from "lessonLevel" v where v."schoolId" = p."schoolId" and v."llId" = g."liLevel")
        "levelName", g."liStatus", g."startTime", g."signed", g."liHours", g."stars", g."starTimes" ${from}
      order by g."startTime" desc, g."liId", g."suId"
      limit ${input.pageSize}
      offset ${offsetOf(input)}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
  ])
  const opensLesson = ctx.actor.permits.has('lesson:list')
  return asPage(
    page.rows.map(({ liHours, stars, starTimes, ...row }) => ({
      ...row,
      id: `${row.liId}:${row.suId}`,
      hours: fromHundredths(liHours),
      rating: ratio(stars, starTimes),
      opens: opensLesson,
    })),
    all.rows[0]!.n,
    input,
  )
}

interface TeacherRow {
  suId: string
  suiName: string
  suiNumber: string
  collegeName: string
  title: string | null
  lessons: number
  circles: number
  times: number
  hours: number
  stars: number
  starTimes: number
  handled: number
  seconds: number
}

const sortable = {
  suiNumber: 'p.suiNumber',
  lessons: 'q.lessons',
  circles: 'r.circles',
  times: 'q.times',
  hours: 'q.hours',
  handled: 'h.handled',
}

const guiding = {
  1: sql`q."lessons" > 0`,
  0: sql`q."lessons" is null`,
  rated: sql`q."starTimes" > 0`,
  circle: sql`r."circles" > 0`,
}

/**
 * Teachers with what they guided and the approvals that they decided in the period: what their workload is calculated
 * from.
 */
export async function teachersDetail(
  ctx: Context,
  input: Checked<typeof teacherStatApi.detail>,
): Promise<Output<typeof teacherStatApi.detail>> {
  const { schoolId } = ctx.actor
  const from = sql`from ${personsAt}
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    left join (
      select g."suId", count(*) "lessons", sum(g."signed") "times", sum(g."liHours") "hours", sum(g."stars") "stars",
        sum(g."starTimes") "starTimes"
      from ${guided(ctx, input)} g
      group by 1
    ) q on q."suId" = s."suId"
    left join (
      select k."checkerId", count(*) "handled", sum(extract(epoch from k."handleTime" - k."arriveTime")) "seconds"
      from "approvalTask" k
      where k."schoolId" = ${schoolId}
        and k."taskStatus" in (${sql.lit(taskStatus.passed)}, ${sql.lit(taskStatus.refused)})
        and k."handleTime" is not null
        and ${during('k.handleTime', input)}
      group by 1
    ) h on h."checkerId" = s."suId"
    left join (
      select x."suId", count(*) "circles"
      from "circleTeacher" x
      join "circle" i on i."schoolId" = x."schoolId" and i."ciId" = x."ciId"
      where x."schoolId" = ${schoolId}
        and i."delFlag" = '0'
        and i."ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)}
        and i."ciStatus" <> ${sql.lit(circleStatus.dissolved)}
      group by 1
    ) r on r."suId" = s."suId"
    where ${staff(ctx, input)}
      and ${input.guides ? guiding[input.guides] : sql`true`}
      and ${input.sex ? sql`s."sex" = ${input.sex}` : sql`true`}`
  const [page, all] = await Promise.all([
    sql<TeacherRow>`
      select s."suId", p."suiName", p."suiNumber",
        coalesce(
          (select o."scName" from "college" o where o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"), ''
        ) "collegeName", p."title", coalesce(q."lessons", 0)::int "lessons", coalesce(r."circles", 0)::int "circles",
        coalesce(q."times", 0)::int "times", coalesce(q."hours", 0)::float8 "hours",
        coalesce(q."stars", 0)::int "stars", coalesce(q."starTimes", 0)::int "starTimes",
        coalesce(h."handled", 0)::int "handled", coalesce(h."seconds", 0)::float8 "seconds" ${from}
      order by ${listOrder(input, sortable)} nulls last, p."suiNumber", s."suId"
      limit ${input.pageSize}
      offset ${offsetOf(input)}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
  ])
  const mayOpen = opens(ctx)
  const rows = page.rows.map(({ stars, starTimes, seconds, hours, title, ...row }) => ({
    ...row,
    title: title === null ? '' : labelOf('teacher_title', title),
    hours: fromHundredths(hours),
    rating: ratio(stars, starTimes),
    handleHours: ratio(seconds / 3600, row.handled),
    opens: mayOpen,
  }))
  return asPage(rows, all.rows[0]!.n, input)
}
