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
import type { EarnedFilter } from './earned.ts'
import { abilitiesOf } from './earned-sums.ts'
import { countedIn, eachPerson, groupsOf, peopleAsked, type PeopleAsked } from './people-asked.ts'
import type { Place } from './people-columns.ts'
import type { Span } from './periods.ts'
import { collegeNames } from './places.ts'
import { begun, stages } from './published.ts'

type Input = Checked<typeof abilityStatApi.colleges>
const cut = <R>(rows: R[], input: Input) =>
  asPage(rows.slice(offsetOf(input), offsetOf(input) + input.pageSize), rows.length, input)
/** The filter without the page: pages of one answer are cut from it. */
const whole = ({ current: _, pageSize: __, sort: ___, order: ____, ...filter }: Input) => filter

/** Scores of groups of people, by ability: those who count in means. */
interface Sums {
  /** The names of the groups that anybody is in, with how many are. */
  groups: Map<string, number>
  /** The sum of each group and ability, by both. */
  scores: Map<string, number>
  /** How many people have a score above nothing in some ability. */
  covered: number
}

/** Adds scores up by what a place is called. */
function sumsBy(
  asked: PeopleAsked,
  filter: EarnedFilter,
  isCounted: (person: number) => boolean,
  nameOf: (place: Place) => string,
): Sums {
  const { places, items } = asked.columns
  const { names, groupOf } = groupsOf(places, nameOf)
  const people = new Uint32Array(names.length)
  const scores = new Float64Array(names.length * items.length)
  const own = new Int32Array(items.length)
  const abilities = abilitiesOf(asked.columns, filter)
  let covered = 0
  let base = 0
  const touched: number[] = []
  const add = (label: number, score: number): void => {
    scores[base + label]! += score
    if (own[label] === 0) touched.push(label)
    own[label]! += score
  }
  eachPerson(asked, (person, at) => {
    if (!isCounted(person)) return
    const group = groupOf[at]!
    people[group]!++
    base = group * items.length
    abilities(person, add)
    let isCovered = false
    for (const label of touched) {
      isCovered ||= own[label]! > 0
      own[label] = 0
    }
    touched.length = 0
    if (isCovered) covered++
  })
  return {
    groups: new Map(names.flatMap((name, at) => (people[at]! > 0 ? [[name, people[at]!] as const] : []))),
    scores: new Map(
      names.flatMap((name, group) =>
        items.flatMap(({ item }, label) => {
          const score = scores[group * items.length + label]!
          return score === 0 ? [] : [[`${name} ${item}`, score] as const]
        }),
      ),
    ),
    covered,
  }
}

export interface Mean {
  id: string
  students: number
  labels: { sqlId: string; sqlName: string; score: number }[]
  total: number
}

type Named = readonly { sqlId: string; sqlName: string }[]

/** Mean scores of the groups, and of all of them together under `all`. */
function meansOf(labels: Named, { groups, scores }: Sums): { groups: Mean[]; all: Mean } {
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
const byGrade = ({ grade }: Place): string => grade ?? ''
const inOne = (): string => ''

async function means(ctx: Context, input: Input, by: (place: Place) => string) {
  const [labels, asked] = await together(scoredLabels(ctx), peopleAsked(ctx, input))
  return meansOf(labels, sumsBy(asked, input, await countedIn(ctx, asked.columns), by))
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
  const groups = (name: string, by: (place: Place) => string) =>
    cachedAnswer(ctx, `ability means ${name}`, period, () => means(ctx, period, by))
  const [ofColleges, ofGrades] = await Promise.all([
    groups('college', byCollege),
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

/**
 * Mean scores of the colleges, the highest first, with the mean of all students counted, what to compare it with, and
 * the cards.
 */
export async function abilityByCollege(ctx: Context, input: Input): Promise<Output<typeof abilityStatApi.colleges>> {
  const { rows, ...rest } = await cachedAnswer(ctx, 'abilityByCollege', whole(input), async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const [asked, labels, names] = await together(peopleAsked(ctx, input), scoredLabels(ctx), collegeNames(ctx))
    const [isCounted, others] = await together(countedIn(ctx, asked.columns), beside(ctx, input, names))
    const own = sumsBy(asked, input, isCounted, byCollege)
    const { groups, all } = meansOf(labels, own)
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
  return { ...cut(rows, input), ...rest }
}

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

/**
 * How many people count in means, and what each of them who has any of an ability has.
 */
function scoresBy(asked: PeopleAsked, filter: EarnedFilter, isCounted: (person: number) => boolean) {
  const { items, suIds } = asked.columns
  const labels = new Map<number, Int32Array>()
  const abilities = abilitiesOf(asked.columns, filter)
  let people = 0
  eachPerson(asked, (person) => {
    if (!isCounted(person)) return
    const at = people++
    abilities(person, (label, score) => {
      let own = labels.get(label)
      if (!own) labels.set(label, (own = new Int32Array(suIds.length)))
      own[at]! += score
    })
  })
  return {
    people,
    scoresOf: (sqlId: string): Int32Array => {
      const label = items.findIndex(({ item, path }) => item === sqlId && path.length === 0)
      return labels.get(label)?.subarray(0, people) ?? new Int32Array(0)
    },
  }
}

/**
 * The p-th share of all who are counted, those without a score too, has no more than this (nearest rank).
 * @param scored by rising score, of those who have any
 */
const quantile = (people: number, scored: Int32Array, share: number): number => {
  const rank = Math.max(1, Math.ceil(share * people))
  return scored[rank - 1 - (people - scored.length)] ?? 0
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
      const scored = own.filter((score) => score > 0).sort()
      const [p25, p50, p75] = [0.25, 0.5, 0.75].map((share) => units(quantile(people, scored, share)))
      const sum = own.reduce((total, score) => total + score, 0)
      return {
        sqlId,
        sqlName,
        avg: ratio(sum / 100, people) ?? 0,
        max: units(scored.at(-1) ?? 0),
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
