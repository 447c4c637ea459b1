import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { dictionary, labelOf } from '../../contract/core/dictionary.ts'
import { credibilityBands, smallestGroup, studentFigures, type studentStatApi } from '../../contract/statistics/student-statistics.calls.ts'
import { dayOf } from '../core/clock.ts'
import type { Context } from '../core/context.ts'
import { termOf } from '../school/calendar.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { answered } from './answers.ts'
import { cardsOf, flatOf, percent, ratio, units, type CardKind } from './figures.ts'
import { atPlaces, collegeNames, personsAt } from './places.ts'

type Input = Checked<typeof studentStatApi.total>
const students = (ctx: Context, input: Input): RawBuilder<unknown> => sql`${personsAt} where ${atPlaces(ctx, input, '1')}`

/** The condition on `s`, a student's totals, that he counts in means: none where all do, or (a setting) all who did not enter this term. */
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
  recorded: sql<boolean>`s."activities" + s."sups" > 0`, none: sql<boolean>`s."activities" + s."sups" = 0`, met: sql<boolean>`s."met"`, unmet: sql<boolean>`not s."met"`, zero: sql<boolean>`s."hours" <= 0`, black: sql<boolean>`coalesce(s."blackUntil" > ${now}::timestamptz, false)`,
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

const kinds: CardKind<Figures>[] = [
  { key: 'people', name: '学生人数', unit: '人', definition: '在读学生；打开“含非在读学生”后，休学、毕业等也计入', value: ({ people }) => people },
  { key: 'recorded', name: '有记录人数', unit: '人', definition: '至少有一条有效活动或补录记录的学生', value: ({ recorded }) => recorded },
  { key: 'coverage', name: '覆盖率', unit: '%', definition: '有记录人数 ÷ 学生人数', value: ({ recorded, people }) => percent(recorded, people) },
  { key: 'avgHours', name: '人均学时', unit: '学时', definition: `已入账学时 ÷ 学生人数，冲正的已扣除${leftOut}`, value: ({ hours, counted }) => ratio(hours / 100, counted) },
  { key: 'avgActivities', name: '人均活动', unit: '次', definition: `已入账的活动次数 ÷ 学生人数，补录不计${leftOut}`, value: ({ activities, counted }) => ratio(activities, counted) },
  { key: 'metRate', name: '达标率', unit: '%', definition: '已达到毕业要求的学生 ÷ 学生人数。毕业要求有两项，须同时达到：总学时，以及每个必修模块的最低学时', value: ({ met, people }) => percent(met, people) },
  { key: 'zero', name: '零学时人数', unit: '人', definition: '至今没有任何学时的学生', value: ({ zero }) => zero },
  { key: 'black', name: '限制报名人数', unit: '人', definition: '因多次缺席而暂停报名的学生', value: ({ black }) => black },
]

export const studentTotal = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.total>> =>
  answered(ctx, 'studentTotal', input, async (asOf) => {
    const [counts, { recorded, met, zero, black }] = [await counting(ctx), stagesOf(ctx.clock.now())]
    const { rows } = await sql<Figures>`select count(*)::int "people", (count(*) filter (where ${recorded}))::int "recorded", (count(*) filter (where ${met}))::int "met", (count(*) filter (where ${zero}))::int "zero", (count(*) filter (where ${black}))::int "black",
      (count(*) filter (where ${counts}))::int "counted", coalesce(sum(s."hours") filter (where ${counts}), 0)::float8 "hours", coalesce(sum(s."activities") filter (where ${counts}), 0)::int "activities" from ${students(ctx, input)}`.execute(ctx.db)
    const cards = cardsOf(kinds, rows[0]!, null, null)
    return { cards, ...flatOf(studentFigures, cards), asOf, previous: null, lastYear: null }
  })

/** Sums by college and grade over those who count in means. */
async function byPlace(ctx: Context, input: Input) {
  const [{ rows }, names] = await Promise.all([
    sql<{ collegeId: string; grade: string; students: number; hours: number; credit: number; activities: number }>`
      select coalesce(pl."collegeId"::text, '') "collegeId", coalesce(pl."grade", '') "grade", count(*)::int "students", sum(s."hours")::float8 "hours", sum(s."credit")::float8 "credit", sum(s."activities")::float8 "activities"
      from ${students(ctx, input)} and ${await counting(ctx)} group by 1, 2`.execute(ctx.db),
    collegeNames(ctx),
  ])
  return rows.map((row) => ({ ...row, collegeName: names.get(row.collegeId) ?? '' })).toSorted((a, b) => a.collegeName.localeCompare(b.collegeName, 'zh') || a.grade.localeCompare(b.grade))
}

export const averageActivity = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.activity>> =>
  answered(ctx, 'averageActivity', input, async () => (await byPlace(ctx, input)).map(({ collegeId, collegeName, grade, students, activities }) => ({ collegeId, collegeName, grade, students, score: ratio(activities, students) ?? 0 })))

export const averageScore = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.score>> =>
  answered(ctx, 'averageScore', input, async () =>
    (await byPlace(ctx, input)).map(({ collegeId, collegeName, grade, students, hours, credit }) => ({ collegeId, collegeName, grade, students, avgHours: ratio(hours / 100, students) ?? 0, avgCredit: ratio(credit / 100, students) ?? 0 })))

/** The band of a student's credibility. */
export const bandOf: RawBuilder<string> = sql<string>`case ${sql.join(credibilityBands.map(([key, , from]) => sql`when s."credibility" >= ${sql.lit(from)} then ${sql.lit(key)}`), sql` `)} else '0' end`

export const credibilityShares = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.credit>> =>
  answered(ctx, 'credibilityShares', input, async () => {
    const counts = await counting(ctx)
    const { rows } = await sql<{ key: string; count: number; counted: number; hours: number; credit: number }>`select ${bandOf} "key", count(*)::int "count", (count(*) filter (where ${counts}))::int "counted", coalesce(sum(s."hours") filter (where ${counts}), 0)::float8 "hours", coalesce(sum(s."credit") filter (where ${counts}), 0)::float8 "credit" from ${students(ctx, input)} group by 1`.execute(ctx.db)
    return credibilityBands.map(([key, range]) => {
      const row = rows.find((one) => one.key === key)
      return { key, range, count: row?.count ?? 0, avgHours: row ? ratio(row.hours / 100, row.counted) : null, avgCredit: row ? ratio(row.credit / 100, row.counted) : null }
    })
  })

export const gradesBySex = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.gradeSex>> =>
  answered(ctx, 'gradesBySex', input, async () => {
    const { rows } = await sql<Output<typeof studentStatApi.gradeSex>[number]>`select coalesce(pl."grade", '') "grade", (count(*) filter (where s."sex" = '1'))::int "male", (count(*) filter (where s."sex" = '2'))::int "female", (count(*) filter (where s."sex" not in ('1', '2')))::int "unknown" from ${students(ctx, input)} group by 1 order by 1`.execute(ctx.db)
    return rows
  })

/** 王*明, and 2024*****01: enough to find oneself. */
const hidden = (text: string, keep: number): string => (text.length <= keep + 1 ? `${text.slice(0, 1)}*` : text.slice(0, text.length - keep * 2 > 0 ? keep : 1) + '*'.repeat(Math.max(1, text.length - keep * 2)) + text.slice(-keep))

/** The fifty with the most hours; who has as many shares the rank. */
export const topStudents = (ctx: Context, input: Checked<typeof studentStatApi.ranking>): Promise<Output<typeof studentStatApi.ranking>> =>
  answered(ctx, 'topStudents', { ...input, opens: ctx.actor.permits.has('student:list') }, async () => {
    const { rows } = await sql<{ rank: number; suId: string; suiName: string; suiNumber: string; collegeName: string; hours: number }>`
      select k."rank", k."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName", k."hours" from (
        select s."suId", s."hours", (rank() over (order by s."hours" desc))::int "rank" from ${students(ctx, input)} and s."hours" > 0 order by s."hours" desc, s."suId" limit 50) k
        join "person" p on p."schoolId" = ${ctx.actor.schoolId} and p."suId" = k."suId" left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId" order by k."hours" desc, k."suId"`.execute(ctx.db)
    return rows.map(({ hours, suiName, suiNumber, suId, ...row }) => ({
      ...row, total: units(hours), opens: !input.anonymous && ctx.actor.permits.has('student:list'), suId: input.anonymous ? '' : suId, suiName: input.anonymous ? hidden(suiName, 1) : suiName, suiNumber: input.anonymous ? hidden(suiNumber, 2) : suiNumber,
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
  const { rows } = await sql<Share>`select coalesce(${by}, '') "key", count(*)::int "value", (count(*) filter (where ${counts}))::int "counted", coalesce(sum(s."hours") filter (where ${counts}), 0)::float8 "hours" from ${students(ctx, input)} group by 1`.execute(ctx.db)
  return rows
}

/**
 * Groups too small to be shown are put together; as long as what was put together is itself too small to be shown, the next smallest joins
 * it, so that nobody is found by subtracting from the total.
 */
export function withoutSmall<G extends { value: number }>(groups: readonly G[], least = smallestGroup): { shown: G[]; joined: G[] } {
  const sorted = groups.toSorted((a, b) => b.value - a.value)
  const shown = sorted.filter(({ value }) => value >= least)
  const joined = sorted.filter(({ value }) => value < least)
  while (joined.length > 0 && shown.length > 0 && joined.reduce((sum, { value }) => sum + value, 0) < least) joined.push(shown.pop()!)
  return { shown, joined }
}

export const politicalShares = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.political>> =>
  answered(ctx, 'politicalShares', input, async () => {
    const { shown, joined } = withoutSmall(await shares(ctx, input, sql`s."political"`))
    const people = joined.reduce((sum, { value }) => sum + value, 0)
    const counted = joined.reduce((sum, one) => sum + one.counted, 0)
    const hours = joined.reduce((sum, one) => sum + one.hours, 0)
    // a mean over few says as much as their number
    const mean = (sum: number, over: number) => (over < smallestGroup ? null : ratio(sum / 100, over))
    const other = people >= smallestGroup ? { value: people, avgHours: mean(hours, counted) } : { value: null, avgHours: null }
    return [
      ...shown.map(({ key, value, hours: sum, counted: over }) => ({ key, name: key === '' ? '未登记' : labelOf('political', key), value, avgHours: mean(sum, over) })),
      ...(joined.length > 0 ? [{ key: 'other', name: `其他（不足 ${smallestGroup} 人的合并）`, ...other }] : []),
    ]
  })

export const sexShares = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.sex>> =>
  answered(ctx, 'sexShares', input, async () => {
    const rows = await shares(ctx, input, sql`s."sex"`)
    return dictionary.sex.flatMap(([key, name]) => rows.filter((row) => row.key === key).map(({ value, hours, counted }) => ({ key, name, value, avgHours: ratio(hours / 100, counted) })))
  })

export async function studentColleges(ctx: Context): Promise<Output<typeof studentStatApi.colleges>> {
  const { rows } = await sql<{ id: string; name: string }>`select o."scId" "id", o."scName" "name" from "college" o where o."schoolId" = ${ctx.actor.schoolId}
    and exists (select from "statPlace" pl where pl."schoolId" = o."schoolId" and pl."collegeId" = o."scId" and ${atPlaces(ctx, { everybody: true }, '1')}) order by o."scSort", o."scName"`.execute(ctx.db)
  return rows
}

export async function studentGrades(ctx: Context): Promise<Output<typeof studentStatApi.grades>> {
  const { rows } = await sql<{ id: string }>`select distinct pl."grade" "id" from "statPlace" pl where ${atPlaces(ctx, { everybody: true }, '1')} and pl."grade" is not null order by 1 desc`.execute(ctx.db)
  return rows.map(({ id }) => ({ id, name: `${id} 级` }))
}
