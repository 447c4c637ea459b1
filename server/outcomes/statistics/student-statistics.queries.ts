import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { personSex } from '../../../contract/core/codes/school.ts'
import { dictionary } from '../../../contract/core/dictionary.ts'
import {
  creditBands,
  credibilityBands,
  studentFigures,
  type studentStatApi,
} from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { maskedName, maskedNumber } from '../../core/secrets/masks.ts'
import { termOf } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import { personsWith } from './earned.ts'
import { cardsOf, comparisons, flatOf, percent, ratio, units, type CardKind } from './figures.ts'
import { atPlaces, collegeNames } from './places.ts'

type Input = Checked<typeof studentStatApi.total>
const students = (ctx: Context, input: Input): RawBuilder<unknown> =>
  sql`${personsWith(ctx, input)} where ${atPlaces(ctx, input, '1')}`

/**
 * The condition on `s`, a student's totals, that they count in means: none where all do, or (a setting) all who did not
 * enter this term.
 */
export async function inMeans(ctx: Context): Promise<RawBuilder<boolean> | undefined> {
  const { averageWithoutNew } = await schoolSettings(ctx, ctx.actor.schoolId)
  if (!averageWithoutNew) return undefined
  const { tmStart } = await termOf(ctx, ctx.actor.schoolId, ctx.clock.now())
  return sql<boolean>`(s."enterDate" is null or s."enterDate" < ${dayOf(tmStart)}::date)`
}

const counting = async (ctx: Context): Promise<RawBuilder<boolean>> => (await inMeans(ctx)) ?? sql<boolean>`true`
/** What is said of means where some students may be left out of them. */
const leftOut = '；学校设置平均数不含本学期新生时，本学期入学的学生不计'

/** Conditions on `s`, a student's totals, by what the cards and the list call them. */
export const stagesOf = (now: string) => ({
  recorded: sql<boolean>`s."activities" + s."sups" > 0`,
  none: sql<boolean>`s."activities" + s."sups" = 0`,
  met: sql<boolean>`s."met"`,
  unmet: sql<boolean>`not s."met"`,
  zero: sql<boolean>`s."hours" <= 0`,
  black: sql<boolean>`coalesce(s."blackUntil" > ${now}::timestamptz, false)`,
})

interface Figures {
  people: number
  recorded: number
  met: number
  zero: number
  black: number
  counted: number
  hours: number
  activities: number
}

/** What the filters leave of records, and of whom they are compared. */
const ofFilter = '；选择了时间、模块或级别时，只计其中的记录'
const ofToday = '；各期都按现在的学生计'
const kinds: CardKind<Figures>[] = [
  {
    key: 'people',
    name: '学生人数',
    unit: '人',
    definition: '在读学生；打开“含非在读学生”后，休学、毕业等也计入',
    value: ({ people }) => people,
    standing: true,
  },
  {
    key: 'recorded',
    name: '有记录人数',
    unit: '人',
    definition: `至少有一条有效活动或补录记录的学生${ofFilter}${ofToday}`,
    value: ({ recorded }) => recorded,
  },
  {
    key: 'coverage',
    name: '覆盖率',
    unit: '%',
    definition: `有记录人数 ÷ 学生人数${ofFilter}${ofToday}`,
    value: ({ recorded, people }) => percent(recorded, people),
  },
  {
    key: 'avgHours',
    name: '人均学时',
    unit: '学时',
    definition: `已入账学时 ÷ 学生人数，冲正的已扣除${ofFilter}${ofToday}${leftOut}`,
    value: ({ hours, counted }) => ratio(hours / 100, counted),
  },
  {
    key: 'avgActivities',
    name: '人均活动',
    unit: '次',
    definition: `已入账的活动次数 ÷ 学生人数，补录不计${ofFilter}${ofToday}${leftOut}`,
    value: ({ activities, counted }) => ratio(activities, counted),
  },
  {
    key: 'metRate',
    name: '达标率',
    unit: '%',
    definition:
      '已达到毕业要求的学生 ÷ 学生人数。毕业要求有两项，至今须同时达到：总学时，以及每个必修模块的最低学时；不随所选时间、模块与级别变化',
    value: ({ met, people }) => percent(met, people),
    standing: true,
  },
  {
    key: 'zero',
    name: '零学时人数',
    unit: '人',
    definition: `没有任何学时的学生${ofFilter}${ofToday}`,
    value: ({ zero }) => zero,
  },
  {
    key: 'black',
    name: '限制报名人数',
    unit: '人',
    definition: '目前因多次缺席而暂停报名的学生',
    value: ({ black }) => black,
    standing: true,
  },
]

async function figuresOf(ctx: Context, input: Input): Promise<Figures> {
  const [counts, { recorded, met, zero, black }] = [await counting(ctx), stagesOf(ctx.clock.now())]
  const { rows } = await sql<Figures>`
      select count(*)::int "people", (count(*) filter (where ${recorded}))::int "recorded",
        (count(*) filter (where ${met}))::int "met", (count(*) filter (where ${zero}))::int "zero",
        (count(*) filter (where ${black}))::int "black", (count(*) filter (where ${counts}))::int "counted",
        coalesce(sum(s."hours") filter (where ${counts}), 0)::float8 "hours",
        coalesce(sum(s."activities") filter (where ${counts}), 0)::int "activities"
      from ${students(ctx, input)}`.execute(ctx.db)
  return rows[0]!
}

/**
 * The cards, with those of the period before and of the year before; without a period everything to this day, compared
 * with nothing.
 */
export const studentTotal = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.total>> =>
  cachedAnswer(ctx, 'studentTotal', input, async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const [own, before, year] = await Promise.all([
      figuresOf(ctx, input),
      previous && figuresOf(ctx, { ...input, ...previous }),
      lastYear && figuresOf(ctx, { ...input, ...lastYear }),
    ])
    const cards = cardsOf(kinds, own, before, year)
    return { cards, ...flatOf(studentFigures, cards), asOf, previous, lastYear }
  })

/** Sums by college and grade over those who count in means. */
async function byPlace(ctx: Context, input: Input) {
  const [{ rows }, names] = await Promise.all([
    sql<{ collegeId: string; grade: string; students: number; hours: number; credit: number; activities: number }>`
        select coalesce(pl."collegeId"::text, '') "collegeId", coalesce(pl."grade", '') "grade",
          count(*)::int "students", sum(s."hours")::float8 "hours", sum(s."credit")::float8 "credit",
          sum(s."activities")::float8 "activities"
        from ${students(ctx, input)} and ${await counting(ctx)}
        group by 1, 2`.execute(ctx.db),
    collegeNames(ctx),
  ])
  return rows
    .map((row) => ({ ...row, collegeName: names.get(row.collegeId) ?? '' }))
    .toSorted((a, b) => a.collegeName.localeCompare(b.collegeName, 'zh') || a.grade.localeCompare(b.grade))
}

export const averageActivity = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.activity>> =>
  cachedAnswer(ctx, 'averageActivity', input, async () =>
    (await byPlace(ctx, input)).map(({ collegeId, collegeName, grade, students, activities }) => ({
      collegeId,
      collegeName,
      grade,
      students,
      score: ratio(activities, students) ?? 0,
    })),
  )

export const averageScore = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.score>> =>
  cachedAnswer(ctx, 'averageScore', input, async () =>
    (await byPlace(ctx, input)).map(({ collegeId, collegeName, grade, students, hours, credit }) => ({
      collegeId,
      collegeName,
      grade,
      students,
      avgHours: ratio(hours / 100, students) ?? 0,
      avgCredit: ratio(credit / 100, students) ?? 0,
    })),
  )

/** The band of a student's credibility. */
export const bandOf: RawBuilder<string> = sql<string>`case ${sql.join(
  credibilityBands.map(([key, , from]) => sql`when s."credibility" >= ${sql.lit(from)} then ${sql.lit(key)}`),
  sql` `,
)} else ${sql.lit(credibilityBands.at(-1)![0])} end`

/** The band of what a student has of credits, as it is counted. */
export const creditBandOf: RawBuilder<string> = sql<string>`case ${sql.join(
  creditBands.slice(0, -1).map(([key, , from]) => sql`when s."credit" >= ${sql.lit(from)} then ${sql.lit(key)}`),
  sql` `,
)} else 'none' end`

/** Students by credibility and by credits, each band with what those in it have on average. */
export const credibilityShares = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.credit>> =>
  cachedAnswer(ctx, 'credibilityShares', input, async () => {
    const counts = await counting(ctx)
    const { rows } = await sql<{
      credibility: string
      credit: string
      count: number
      counted: number
      hours: number
      credits: number
    }>`
      select ${bandOf} "credibility", ${creditBandOf} "credit", count(*)::int "count",
        (count(*) filter (where ${counts}))::int "counted",
        coalesce(sum(s."hours") filter (where ${counts}), 0)::float8 "hours",
        coalesce(sum(s."credit") filter (where ${counts}), 0)::float8 "credits"
      from ${students(ctx, input)}
      group by 1, 2`.execute(ctx.db)
    const of = (series: 'credibility' | 'credit', key: string, range: string) => {
      const own = rows.filter((row) => row[series] === key)
      const sum = (name: 'count' | 'counted' | 'hours' | 'credits') => own.reduce((all, row) => all + row[name], 0)
      return {
        series,
        key,
        range,
        count: sum('count'),
        avgHours: ratio(sum('hours') / 100, sum('counted')),
        avgCredit: ratio(sum('credits') / 100, sum('counted')),
      }
    }
    return [
      ...credibilityBands.map(([key, range]) => of('credibility', key, range)),
      ...creditBands.map(([key, range]) => of('credit', key, range)),
    ]
  })

export const gradesBySex = (
  ctx: Context,
  input: Checked<typeof studentStatApi.gradeSex>,
): Promise<Output<typeof studentStatApi.gradeSex>> =>
  cachedAnswer(ctx, 'gradesBySex', input, async () => {
    const { rows } = await sql<Output<typeof studentStatApi.gradeSex>[number]>`
      select coalesce(pl."grade", '') "grade",
        (count(*) filter (where s."sex" = ${sql.lit(personSex.male)}))::int "male",
        (count(*) filter (where s."sex" = ${sql.lit(personSex.female)}))::int "female",
        (count(*) filter (where s."sex" not in (${sql.lit(personSex.male)}, ${sql.lit(personSex.female)})))::int
        "unknown"
      from ${students(ctx, input)}
      group by 1
      order by 1`.execute(ctx.db)
    return rows
  })

/** The fifty with the most hours; who has as many shares the rank. */
export const topStudents = (
  ctx: Context,
  input: Checked<typeof studentStatApi.ranking>,
): Promise<Output<typeof studentStatApi.ranking>> =>
  cachedAnswer(ctx, 'topStudents', { ...input, opens: ctx.actor.permits.has('student:list') }, async () => {
    const { rows } = await sql<{
      rank: number
      suId: string
      suiName: string
      suiNumber: string
      collegeName: string
      hours: number
    }>`
        select k."rank", k."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName", k."hours"
        from (
          select s."suId", s."hours", (rank() over (order by s."hours" desc))::int "rank"
          from ${students(ctx, input)} and s."hours" > 0
          order by s."hours" desc, s."suId"
          limit 50
        ) k
        join "person" p on p."schoolId" = ${ctx.actor.schoolId} and p."suId" = k."suId"
        left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"
        order by k."hours" desc, k."suId"`.execute(ctx.db)
    return rows.map(({ hours, suiName, suiNumber, suId, ...row }) => ({
      ...row,
      total: units(hours),
      opens: !input.anonymous && ctx.actor.permits.has('student:list'),
      suId: input.anonymous ? '' : suId,
      suiName: input.anonymous ? maskedName(suiName) : suiName,
      suiNumber: input.anonymous ? maskedNumber(suiNumber) : suiNumber,
    }))
  })

interface Share {
  key: string
  value: number
  /** Of them those who count in means, with their hours. */
  counted: number
  hours: number
}
async function shares(ctx: Context, input: Input, by: RawBuilder<unknown>): Promise<Share[]> {
  const counts = await counting(ctx)
  const { rows } = await sql<Share>`
      select coalesce(${by}, '') "key", count(*)::int "value", (count(*) filter (where ${counts}))::int "counted",
        coalesce(sum(s."hours") filter (where ${counts}), 0)::float8 "hours"
      from ${students(ctx, input)}
      group by 1`.execute(ctx.db)
  return rows
}

export const sexShares = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.sex>> =>
  cachedAnswer(ctx, 'sexShares', input, async () => {
    const rows = await shares(ctx, input, sql`s."sex"`)
    return dictionary.sex.flatMap(([key, name]) =>
      rows
        .filter((row) => row.key === key)
        .map(({ value, hours, counted }) => ({ key, name, value, avgHours: ratio(hours / 100, counted) })),
    )
  })

export async function studentColleges(ctx: Context): Promise<Output<typeof studentStatApi.colleges>> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`
    select o."scId" "id", o."scName" "name"
    from "college" o
    where o."schoolId" = ${ctx.actor.schoolId}
      and exists (
        select
        from "statPlace" pl
        where pl."schoolId" = o."schoolId"
          and pl."collegeId" = o."scId"
          and ${atPlaces(ctx, { everybody: true }, '1')}
      )
    order by o."scSort", o."scName"`.execute(ctx.db)
  return rows
}

export async function studentGrades(ctx: Context): Promise<Output<typeof studentStatApi.grades>> {
  const { rows } = await sql<{
    id: string
  }>`
    select distinct pl."grade" "id"
    from "statPlace" pl
    where ${atPlaces(ctx, { everybody: true }, '1')} and pl."grade" is not null
    order by 1 desc`.execute(ctx.db)
  return rows.map(({ id }) => ({ id, name: `${id} 级` }))
}
