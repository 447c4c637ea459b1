import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { round } from '../../../contract/outcomes/statistics/change.ts'
import type { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, during, percent, ratio, units, type CardKind } from './figures.ts'
import { byGrade, scoresBy, sumsBy, type Sums } from './ability-sums.ts'
import { countedIn, peopleAsked } from './people-asked.ts'
import type { Place } from './people-columns.ts'
import type { Span } from './periods.ts'
import { pageOf } from './pages.ts'
import { collegeNames } from './places.ts'
import { stages } from './published.ts'

type Input = Checked<typeof abilityStatApi.labels>
const cut = <R>(rows: R[], input: Input) =>
  asPage(rows.slice(offsetOf(input), offsetOf(input) + input.pageSize), rows.length, input)
/** The filter without the page: pages of one answer are cut from it. */
const whole = ({ current: _, pageSize: __, sort: ___, order: ____, ...filter }: Input) => filter

interface Mean {
  id: string
  students: number
  labels: { sqlId: string; sqlName: string; score: number }[]
  total: number
}

interface Means {
  groups: Mean[]
  all: Mean
}
type Named = readonly { sqlId: string; sqlName: string }[]

/** Mean scores of the groups, and of all of them together under `all`. */
function meansOf(labels: Named, { groups, scores }: Sums): Means {
  const of = (id: string, students: number, names: readonly string[]): Mean => {
    const sums = labels.map(({ sqlId, sqlName }) => ({
      sqlId,
      sqlName,
      sum: names.reduce((sum, name) => sum + (scores.get(`${name} ${sqlId}`) ?? 0), 0),
    }))
    return {
      id,
      students,
      labels: sums.map(({ sum, ...label }) => ({ ...label, score: ratio(sum / 100, students) ?? 0 })),
      total: ratio(sums.reduce((all, { sum }) => all + sum, 0) / 100, students) ?? 0,
    }
  }
  return {
    groups: [...groups].map(([name, students]) => of(name, students, [name])),
    all: of(
      '',
      [...groups.values()].reduce((sum, n) => sum + n, 0),
      [...groups.keys()],
    ),
  }
}

const byCollege = ({ collegeId }: Place): string => collegeId ?? ''
const inOne = (): string => ''

/** Scores of everybody who counts in means, as sums: for who compares schools, of which each has labels of its own. */
export async function abilitySums(ctx: Context, span: Span, by: 'grade' | 'nothing') {
  const [labels, asked] = await together(scoredLabels(ctx), peopleAsked(ctx, {}))
  return { labels, ...sumsBy(asked, span, await countedIn(ctx, asked.columns), by === 'grade' ? byGrade : inOne) }
}

async function means(ctx: Context, input: Input, by: (place: Place) => string) {
  const [labels, asked] = await together(scoredLabels(ctx), peopleAsked(ctx, input))
  return meansOf(labels, sumsBy(asked, input, await countedIn(ctx, asked.columns), by))
}

/**
 * What is drawn beside those who are counted: everybody of the own area, the college and the grade. The same for all
 * who ask for the same period. @param known what is known of all colleges already
 */
async function beside(
  ctx: Context,
  { startTime, endTime, everybody, collegeId, grade }: Input,
  names: Map<string, string>,
  known?: Means,
): Promise<Output<typeof abilityStatApi.colleges>['beside']> {
  const period = { startTime, endTime, everybody, current: 1, pageSize: 1, order: 'asc' as const }
  const groups = (name: string, by: (place: Place) => string) =>
    cachedAnswer(ctx, `ability means ${name}`, period, () => means(ctx, period, by))
  const [ofColleges, ofGrades] = await Promise.all([
    known ?? groups('college', byCollege),
    grade ? groups('grade', byGrade) : null,
  ])
  const shown = (key: 'all' | 'college' | 'grade', name: string, mean: Mean | undefined) =>
    mean ? [{ key, name, students: mean.students, labels: mean.labels, total: mean.total }] : []
  return [
    ...shown('all', ctx.scope.whole ? '全校平均' : '数据范围平均', ofColleges.all),
    ...(collegeId
      ? shown(
          'college',
          names.get(collegeId) ?? '',
          ofColleges.groups.find(({ id }) => id === collegeId),
        )
      : []),
    ...(grade
      ? shown(
          'grade',
          `${grade} 级`,
          ofGrades?.groups.find(({ id }) => id === grade),
        )
      : []),
  ]
}

interface Figures extends Mean {
  /** Students counted who have a score. */
  covered: number
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

/** What the list of colleges can be ordered by; the first one if nothing is asked for. */
const sortable: Record<string, (one: { row: { rank: number; students: number; total: number } }) => number> = {
  rank: ({ row }) => row.rank,
  students: ({ row }) => row.students,
  total: ({ row }) => row.total,
}

/**
 * Mean scores of the colleges, the highest first unless another order is asked for, with the mean of all students
 * counted, what to compare it with, and the cards.
 */
export async function abilityByCollege(
  ctx: Context,
  { sort, ...input }: Checked<typeof abilityStatApi.colleges>,
): Promise<Output<typeof abilityStatApi.colleges>> {
  const { rows, ...rest } = await cachedAnswer(ctx, 'abilityByCollege', whole(input), async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const [asked, labels, names] = await together(peopleAsked(ctx, input), scoredLabels(ctx), collegeNames(ctx))
    const isCounted = await countedIn(ctx, asked.columns)
    const own = sumsBy(asked, input, isCounted, byCollege)
    const { groups, all } = meansOf(labels, own)
    const isEverywhere = !(input.collegeId || input.majorId || input.scClassId || input.grade)
    const others = await beside(ctx, input, names, isEverywhere ? { groups, all } : undefined)
    const figuresIn = (span: Span | null): Figures | null => {
      const sums = span && sumsBy(asked, { ...input, ...span }, isCounted, inOne)
      return sums && { ...meansOf(labels, sums).all, covered: sums.covered }
    }
    const sorted = groups
      .map(({ id, ...mean }) => ({ collegeId: id, collegeName: names.get(id) ?? '', ...mean }))
      .toSorted((a, b) => b.total - a.total || a.collegeName.localeCompare(b.collegeName, 'zh'))
    const { id: _, ...school } = all
    return {
      rows: sorted.map((row) => ({ ...row, rank: sorted.findIndex(({ total }) => total === row.total) + 1 })),
      school,
      beside: others,
      cards: cardsOf(kindsOf(all), { ...all, covered: own.covered }, figuresIn(previous), figuresIn(lastYear)),
      asOf,
      previous,
      lastYear,
    }
  })
  const placed = rows.map((row, place) => ({ id: row.collegeId, place, row }))
  const page = pageOf(placed, { ...input, sort }, sortable, 'asc', ({ place }) => place).map(({ row }) => row)
  return { ...asPage(page, rows.length, input), ...rest }
}

/** Mean scores of the abilities by grade. */
export async function abilityByGrade(
  ctx: Context,
  input: Checked<typeof abilityStatApi.grades>,
): Promise<Output<typeof abilityStatApi.grades>> {
  const rows = await cachedAnswer(ctx, 'abilityByGrade', whole(input), async () => {
    const { groups } = await means(ctx, input, byGrade)
    return groups.map(({ id, ...mean }) => ({ grade: id, ...mean })).toSorted((a, b) => a.grade.localeCompare(b.grade))
  })
  return cut(rows, input)
}

/** Scores up to this one are counted one by one, which is faster than to sort them; in hundredths. */
const countedUpTo = 100_000

/** For each of rising shares what so many have no more than (nearest rank); who has less than nothing has nothing. */
function quantiles(scores: Int32Array, shares: readonly number[]): number[] {
  const ranks = shares.map((share) => Math.max(1, Math.ceil(share * scores.length)))
  let max = 0
  for (let at = 0; at < scores.length; at++) if (scores[at]! > max) max = scores[at]!
  if (max > countedUpTo) {
    const sorted = scores.toSorted()
    return ranks.map((rank) => Math.max(0, sorted[rank - 1] ?? 0))
  }
  const counts = new Uint32Array(max + 1)
  for (let at = 0; at < scores.length; at++) counts[scores[at]! > 0 ? scores[at]! : 0]!++
  let [before, found] = [0, 0]
  const values = shares.map(() => 0)
  for (let score = 0; score <= max && found < ranks.length; score++) {
    before += counts[score]!
    while (found < ranks.length && before >= ranks[found]!) values[found++] = score
  }
  return values
}

/** How each ability is spread over the students, and how much of it courses offered. */
export async function abilityByLabel(
  ctx: Context,
  input: Checked<typeof abilityStatApi.labels>,
): Promise<Output<typeof abilityStatApi.labels>> {
  const rows = await cachedAnswer(ctx, 'abilityByLabel', whole(input), async () => {
    const [labels, asked, offered] = await together(scoredLabels(ctx), peopleAsked(ctx, input), offers(ctx, input))
    const { people, scoresOf } = scoresBy(asked, input, await countedIn(ctx, asked.columns))
    return labels.map(({ sqlId, sqlName }) => {
      const own = scoresOf(sqlId)
      const [p25, p50, p75, max] = quantiles(own, [0.25, 0.5, 0.75, 1]).map(units)
      let sum = 0
      for (let at = 0; at < own.length; at++) sum += own[at]!
      return {
        sqlId,
        sqlName,
        avg: ratio(sum / 100, people) ?? 0,
        max: max!,
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
    select r ->> 'sqlId' "sqlId", sum(l."hours" * (r ->> 'weight')::numeric / 100)::float8 "hours"
    from (
      select l."esId", sum(l."liHours") "hours"
      from "lesson" l
      where l."schoolId" = ${ctx.actor.schoolId}
        and l."delFlag" = '0'
        and l."liStatus" = any(${stages.done as unknown as string[]}::text[])
        and l."startTime" <= ${ctx.clock.now()}::timestamptz
        and ${during('l.startTime', input)}
        and ${inScope(ctx.scope, { college: 'l.liCollegeId', department: 'l.liDepartmentId', path: 'l.lsPath' })}
        and ${input.collegeId ? sql`l."liCollegeId" = ${input.collegeId}::uuid` : sql`true`}
      group by l."esId"
    ) l
    join "evaluation" e on e."schoolId" = ${ctx.actor.schoolId} and e."esId" = l."esId"
    cross join lateral jsonb_array_elements(e."abilityRules") r
    group by 1`.execute(ctx.db)
  return new Map(rows.map(({ sqlId, hours }) => [sqlId, hours]))
}
