import { sql, type RawBuilder } from 'kysely'
import { dayFigure } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { round } from '../../../contract/outcomes/statistics/change.ts'
import type { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, during, duringDays, percent, ratio, units, type CardKind } from './figures.ts'
import { atPlaces, collegeNames, personsAt } from './places.ts'
import { begun, stages } from './published.ts'
import { inMeans } from './student-statistics.queries.ts'

type Input = Checked<typeof abilityStatApi.colleges>
const isTimed = ({ startTime, endTime }: Input): boolean => startTime !== undefined || endTime !== undefined
const cut = <R>(rows: R[], input: Input) =>
  asPage(rows.slice(offsetOf(input), offsetOf(input) + input.pageSize), rows.length, input)
/** The filter without the page: pages of one answer are cut from it. */
const whole = ({ current: _, pageSize: __, sort: ___, order: ____, ...filter }: Input) => filter

/**
 * Sums of scores by a column of the place: of a period from the days, otherwise from the totals of persons; person by
 * person where some do not count.
 */
async function sums(
  ctx: Context,
  input: Input,
  by: RawBuilder<unknown>,
  counts: RawBuilder<boolean> | undefined,
): Promise<{ id: string; sqlId: string; score: number }[]> {
  if (counts)
    return (
      await sql<{
        id: string
        sqlId: string
        score: number
      }>`
        select coalesce(${by}::text, '') "id", a."sqlId", sum(a."score")::float8 "score"
        from (${scoresOf(ctx, input)}) a
        join ${personsAt} on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = a."suId"
        where ${atPlaces(ctx, input, '1')} and ${counts}
        group by 1, 2`.execute(ctx.db)
    ).rows
  const { rows } = isTimed(input)
    ? await sql<{
        id: string
        sqlId: string
        score: number
      }>`
        select coalesce(${by}::text, '') "id", d."item" "sqlId", sum(d."hours")::float8 "score"
        from "statDay" d
        join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId"
        where d."schoolId" = ${ctx.actor.schoolId}
          and d."stKind" = ${sql.lit(dayFigure.ability)}
          and ${duringDays('d.stDay', input)}
          and ${atPlaces(ctx, input, '1')}
        group by 1, 2`.execute(ctx.db)
    : await sql<{
        id: string
        sqlId: string
        score: number
      }>`
        select coalesce(${by}::text, '') "id", a."sqlId", sum(a."score")::float8 "score"
        from "statAbility" a
        join ${personsAt} on s."schoolId" = a."schoolId" and s."suId" = a."suId"
        where a."schoolId" = ${ctx.actor.schoolId} and ${atPlaces(ctx, input, '1')}
        group by 1, 2`.execute(ctx.db)
  return rows
}

const headCounts = (ctx: Context, input: Input, by: RawBuilder<unknown>, counts: RawBuilder<boolean> | undefined) =>
  sql<{
    id: string
    n: number
  }>`
    select coalesce(${by}::text, '') "id", count(*)::int "n"
    from ${personsAt}
    where ${atPlaces(ctx, input, '1')} and ${counts ?? sql`true`}
    group by 1`
    .execute(ctx.db)
    .then(({ rows }) => rows)

export interface Mean {
  id: string
  students: number
  labels: { sqlId: string; sqlName: string; score: number }[]
  total: number
}

/** Mean scores of the groups, and of all of them together under `all`. */
async function means(ctx: Context, input: Input, by: RawBuilder<unknown>): Promise<{ groups: Mean[]; all: Mean }> {
  const counts = await inMeans(ctx)
  const [labels, rows, headers] = await Promise.all([
    scoredLabels(ctx),
    sums(ctx, input, by, counts),
    headCounts(ctx, input, by, counts),
  ])
  const of = (id: string, students: number, own: typeof rows): Mean => {
    const scores = labels.map(({ sqlId, sqlName }) => ({
      sqlId,
      sqlName,
      sum: own.filter((row) => row.sqlId === sqlId).reduce((sum, { score }) => sum + score, 0),
    }))
    return {
      id,
      students,
      labels: scores.map(({ sum, ...label }) => ({ ...label, score: ratio(sum / 100, students) ?? 0 })),
      total: ratio(scores.reduce((all, { sum }) => all + sum, 0) / 100, students) ?? 0,
    }
  }
  return {
    groups: headers.map(({ id, n }) =>
      of(
        id,
        n,
        rows.filter((row) => row.id === id),
      ),
    ),
    all: of(
      '',
      headers.reduce((sum, { n }) => sum + n, 0),
      rows,
    ),
  }
}

/**
 * What is drawn beside those who are counted: everybody of the own area, the college and the grade. The same for all
 * who ask for the same period.
 */
async function beside(
  ctx: Context,
  { startTime, endTime, everybody, collegeId, grade }: Input,
  names: Map<string, string>,
): Promise<Output<typeof abilityStatApi.colleges>['beside']> {
  const period = { startTime, endTime, everybody, current: 1, pageSize: 1, order: 'asc' as const }
  const groups = (name: string, by: RawBuilder<unknown>) =>
    cachedAnswer(ctx, `ability means ${name}`, period, () => means(ctx, period, by))
  const [byCollege, byGrade] = await Promise.all([
    groups('college', sql`pl."collegeId"`),
    grade ? groups('grade', sql`pl."grade"`) : null,
  ])
  const shown = (key: 'all' | 'college' | 'grade', name: string, mean: Mean | undefined) =>
    mean ? [{ key, name, students: mean.students, labels: mean.labels, total: mean.total }] : []
  return [
    ...shown('all', ctx.scope.whole ? '全校平均' : '数据范围平均', byCollege.all),
    ...(collegeId
      ? shown(
          'college',
          names.get(collegeId) ?? '',
          byCollege.groups.find(({ id }) => id === collegeId),
        )
      : []),
    ...(grade
      ? shown(
          'grade',
          `${grade} 级`,
          byGrade?.groups.find(({ id }) => id === grade),
        )
      : []),
  ]
}

interface Figures extends Mean {
  /** Students counted who have a score. */
  covered: number
}

/** Those counted in means who have a score above nothing in some ability. */
async function coveredBy(ctx: Context, input: Input): Promise<number> {
  const counts = (await inMeans(ctx)) ?? sql<boolean>`true`
  const { rows } = await sql<{
    n: number
  }>`
    select count(distinct a."suId")::int "n"
    from (${scoresOf(ctx, input)}) a
    join ${personsAt} on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = a."suId"
    where a."score" > 0 and ${atPlaces(ctx, input, '1')} and ${counts}`.execute(ctx.db)
  return rows[0]!.n
}

const figuresOf = async (ctx: Context, input: Input): Promise<Figures> => {
  const [{ all }, covered] = await Promise.all([means(ctx, input, sql`''`), coveredBy(ctx, input)])
  return { ...all, covered }
}

const newLeftOut = '；学校设置平均数不含本学期新生时，本学期入学的学生不计'
const ofToday = '；各期都按现在的学生计'
/**
 * The cards; which abilities are the strongest and the weakest is said by the present figures, and the same ones are
 * compared.
 */
function kindsOf(own: Mean): CardKind<Figures>[] {
  const sorted = own.labels.toSorted((a, b) => b.score - a.score)
  const score = ({ labels }: Figures, sqlId: string | undefined) =>
    labels.find((label) => label.sqlId === sqlId)?.score ?? null
  const [best, worst] = own.total === 0 ? [] : [sorted[0], sorted.at(-1)]
  return [
    {
      key: 'total',
      name: '人均能力分',
      unit: '分',
      definition: `各能力得分之和 ÷ 学生人数，没有得分的学生按 0 计${ofToday}${newLeftOut}`,
      value: ({ students, total }) => (students === 0 ? null : total),
    },
    {
      key: 'covered',
      name: '有得分人数',
      unit: '人',
      definition: `所选时间内至少在一项能力上有得分的学生，未选时为入学至今${ofToday}${newLeftOut}`,
      value: ({ covered }) => covered,
    },
    {
      key: 'coverage',
      name: '覆盖率',
      unit: '%',
      definition: `有得分人数 ÷ 学生人数${ofToday}${newLeftOut}`,
      value: ({ covered, students }) => percent(covered, students),
    },
    {
      key: 'best',
      name: best ? `最强：${best.sqlName}` : '最强能力',
      unit: '分',
      definition: `人均得分最高的能力；环比与同比为该能力在上一周期与上年同期的人均得分${ofToday}`,
      value: (figures) => score(figures, best?.sqlId),
    },
    {
      key: 'worst',
      name: worst ? `最弱：${worst.sqlName}` : '最弱能力',
      unit: '分',
      definition: `人均得分最低的能力；环比与同比为该能力在上一周期与上年同期的人均得分${ofToday}`,
      value: (figures) => score(figures, worst?.sqlId),
    },
  ]
}

/**
 * Mean scores of the colleges, the highest first, with the mean of all students counted, what to compare it with, and
 * the cards.
 */
export async function abilityByCollege(ctx: Context, input: Input): Promise<Output<typeof abilityStatApi.colleges>> {
  const { rows, ...rest } = await cachedAnswer(ctx, 'abilityByCollege', whole(input), async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const [{ groups, all }, names] = await Promise.all([means(ctx, input, sql`pl."collegeId"`), collegeNames(ctx)])
    const [covered, before, year, others] = await Promise.all([
      coveredBy(ctx, input),
      previous && figuresOf(ctx, { ...input, ...previous }),
      lastYear && figuresOf(ctx, { ...input, ...lastYear }),
      beside(ctx, input, names),
    ])
    const sorted = groups
      .map(({ id, ...mean }) => ({ collegeId: id, collegeName: names.get(id) ?? '', ...mean }))
      .toSorted((a, b) => b.total - a.total || a.collegeName.localeCompare(b.collegeName, 'zh'))
    const { id: _, ...school } = all
    return {
      rows: sorted.map((row) => ({ ...row, rank: sorted.findIndex(({ total }) => total === row.total) + 1 })),
      school,
      beside: others,
      cards: cardsOf(kindsOf(all), { ...all, covered }, before, year),
      asOf,
      previous,
      lastYear,
    }
  })
  return { ...cut(rows, input), ...rest }
}

export async function abilityByGrade(
  ctx: Context,
  input: Checked<typeof abilityStatApi.grades>,
): Promise<Output<typeof abilityStatApi.grades>> {
  const rows = await cachedAnswer(ctx, 'abilityByGrade', whole(input), async () => {
    const { groups } = await means(ctx, input, sql`pl."grade"`)
    return groups.map(({ id, ...mean }) => ({ grade: id, ...mean })).toSorted((a, b) => a.grade.localeCompare(b.grade))
  })
  return cut(rows, input)
}

/**
 * What each student counted has of each ability: totals, or what occurred in a period. A reversal goes with what it
 * reverses (see decision 022).
 */
function scoresOf(ctx: Context, input: Input): RawBuilder<unknown> {
  const { schoolId } = ctx.actor
  if (!isTimed(input))
    return sql`
      select a."suId", a."sqlId", a."score"
      from "statAbility" a
      where a."schoolId" = ${schoolId}`
  return sql`
    select e."suId", e."sqlId", sum(e."clValue")::int "score"
    from (
      select c."suId", c."sqlId", c."clValue"
      from "creditLedger" c
      where c."schoolId" = ${schoolId}
        and c."clType" = ${sql.lit(creditType.ability)}
        and c."reverseOf" is null
        and ${during('c.occurTime', input)}
      union all
      select r."suId", r."sqlId", r."clValue"
      from "creditLedger" r
      join "creditLedger" c on c."schoolId" = r."schoolId" and c."clId" = r."reverseOf"
      where r."schoolId" = ${schoolId}
        and r."clType" = ${sql.lit(creditType.ability)}
        and r."reverseOf" is not null
        and ${during('c.occurTime', input)}
    ) e
    group by e."suId", e."sqlId"`
}

/** How many students have a score of an ability. */
interface Scored {
  sqlId: string
  score: number
  n: number
}

/**
 * The p-th share of all who are counted, those without a score too, has no more than this (nearest rank).
 * @param scored by rising score, of those who have any
 */
const quantile = (people: number, scored: readonly Scored[], share: number): number => {
  let before = people - scored.reduce((sum, { n }) => sum + n, 0)
  const rank = Math.max(1, Math.ceil(share * people))
  if (rank <= before) return 0
  return scored.find(({ n }) => rank <= (before += n))?.score ?? 0
}

/** How each ability is spread over the students, and how much of it courses offered. */
export async function abilityByLabel(
  ctx: Context,
  input: Checked<typeof abilityStatApi.labels>,
): Promise<Output<typeof abilityStatApi.labels>> {
  const rows = await cachedAnswer(ctx, 'abilityByLabel', whole(input), async () => {
    const counts = await inMeans(ctx)
    const [labels, headers, offered] = await Promise.all([
      scoredLabels(ctx),
      headCounts(ctx, input, sql`''`, counts),
      offers(ctx, input),
    ])
    const people = headers.reduce((sum, { n }) => sum + n, 0)
    const { rows: scores } = await sql<Scored>`
        select a."sqlId", a."score", count(*)::int "n"
        from (${scoresOf(ctx, input)}) a
        join ${personsAt} on s."schoolId" = ${ctx.actor.schoolId} and s."suId" = a."suId"
        where ${atPlaces(ctx, input, '1')} and ${counts ?? sql`true`}
        group by 1, 2`.execute(ctx.db)
    return labels.map(({ sqlId, sqlName }) => {
      const own = scores.filter((row) => row.sqlId === sqlId)
      const scored = own.filter(({ score }) => score > 0).toSorted((a, b) => a.score - b.score)
      const [p25, p50, p75] = [0.25, 0.5, 0.75].map((share) => units(quantile(people, scored, share)))
      const sum = own.reduce((total, { score, n }) => total + score * n, 0)
      return {
        sqlId,
        sqlName,
        avg: ratio(sum / 100, people) ?? 0,
        max: units(scored.at(-1)?.score ?? 0),
        p25: p25!,
        p50: p50!,
        p75: p75!,
        offered: round((offered.get(sqlId) ?? 0) / 100),
      }
    })
  })
  return cut(rows, input)
}

/**
 * Hours of the courses that were completed, by the weight their own rule gives each label: courses that the asking
 * person's area covers and the chosen college holds, of the period by the day they begin.
 */
async function offers(ctx: Context, input: Input): Promise<Map<string, number>> {
  const { rows } = await sql<{
    sqlId: string
    hours: number
  }>`
    select r ->> 'sqlId' "sqlId", sum(l."liHours" * (r ->> 'weight')::numeric / 100)::float8 "hours"
    from "lesson" l
    join "evaluation" e on e."schoolId" = l."schoolId" and e."esId" = l."esId"
    cross join lateral jsonb_array_elements(e."abilityRules") r
    where l."schoolId" = ${ctx.actor.schoolId}
      and l."delFlag" = '0'
      and l."liStatus" = any(${stages.done as unknown as string[]}::text[])
      and ${begun(ctx.clock.now())}
      and ${during('l.startTime', input)}
      and ${inScope(ctx.scope, { college: 'l.liCollegeId', department: 'l.liDepartmentId', path: 'l.lsPath' })}
      and ${input.collegeId ? sql`l."liCollegeId" = ${input.collegeId}::uuid` : sql`true`}
    group by 1`.execute(ctx.db)
  return new Map(rows.map(({ sqlId, hours }) => [sqlId, hours]))
}
