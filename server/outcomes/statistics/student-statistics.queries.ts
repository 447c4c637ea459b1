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
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { maskedName, maskedNumber } from '../../core/secrets/masks.ts'
import { termOf } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import type { EarnedFilter } from './earned.ts'
import { sumsOf, type Sums } from './earned-sums.ts'
import { cardsOf, comparisons, flatOf, percent, ratio, units, type CardKind } from './figures.ts'
import { countedIn, eachPerson, groupsOf, peopleAsked, type PeopleAsked } from './people-asked.ts'
import type { Span } from './periods.ts'
import { atPlaces, collegeNames } from './places.ts'

type Input = Checked<typeof studentStatApi.total>

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

function figuresOf(
  asked: PeopleAsked,
  filter: EarnedFilter,
  isCounted: (person: number) => boolean,
  now: string,
): Figures {
  const { met, blackUntil } = asked.columns
  const earned = sumsOf(asked.columns, filter)
  const found: Figures = { people: 0, recorded: 0, met: 0, zero: 0, black: 0, counted: 0, hours: 0, activities: 0 }
  eachPerson(asked, (person) => {
    const { hours, activities, sups } = earned(person)
    found.people++
    if (activities + sups > 0) found.recorded++
    if (met[person]) found.met++
    if (hours <= 0) found.zero++
    if ((blackUntil[person] ?? '') > now) found.black++
    if (!isCounted(person)) return
    found.counted++
    found.hours += hours
    found.activities += activities
  })
  return found
}

/**
 * The cards, with those of the period before and of the year before; without a period everything to this day, compared
 * with nothing.
 */
export const studentTotal = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.total>> =>
  cachedAnswer(ctx, 'studentTotal', input, async (asOf) => {
    const [{ previous, lastYear }, asked] = await together(comparisons(ctx, input), peopleAsked(ctx, input))
    const isCounted = await countedIn(ctx, asked.columns)
    const of = (span: Partial<Span>) => figuresOf(asked, { ...input, ...span }, isCounted, ctx.clock.now())
    const cards = cardsOf(kinds, of({}), previous && of(previous), lastYear && of(lastYear))
    return { cards, ...flatOf(studentFigures, cards), asOf, previous, lastYear }
  })

/** Sums by college and grade over those who count in means. */
async function byPlace(ctx: Context, input: Input) {
  const [asked, names] = await together(peopleAsked(ctx, input), collegeNames(ctx))
  const { columns } = asked
  const isCounted = await countedIn(ctx, columns)
  const earned = sumsOf(columns, input)
  const { groupOf } = groupsOf(columns.places, ({ collegeId, grade }) => `${collegeId ?? ''} ${grade ?? ''}`)
  const rows: {
    collegeId: string
    grade: string
    students: number
    hours: number
    credit: number
    activities: number
  }[] = []
  eachPerson(asked, (person, at) => {
    if (!isCounted(person)) return
    const place = columns.places[at]!
    const row = (rows[groupOf[at]!] ??= {
      collegeId: place.collegeId ?? '',
      grade: place.grade ?? '',
      students: 0,
      hours: 0,
      credit: 0,
      activities: 0,
    })
    const { hours, credit, activities } = earned(person)
    row.students++
    row.hours += hours
    row.credit += credit
    row.activities += activities
  })
  return Object.values(rows)
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

/** The first band that a value reaches; the last one where it reaches none. */
export function bandAt(bands: readonly (readonly [string, string, number])[], value: number): number {
  for (let at = 0; at < bands.length; at++) if (value >= bands[at]![2]) return at
  return bands.length - 1
}

/** Students by credibility and by credits, each band with what those in it have on average. */
export const credibilityShares = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.credit>> =>
  cachedAnswer(ctx, 'credibilityShares', input, async () => {
    const asked = await peopleAsked(ctx, input)
    const isCounted = await countedIn(ctx, asked.columns)
    const earned = sumsOf(asked.columns, input)
    const empty = () => ({ count: 0, counted: 0, hours: 0, credits: 0 })
    const bands = { credibility: credibilityBands.map(empty), credit: creditBands.map(empty) }
    const put = (band: ReturnType<typeof empty>, { hours, credit }: Sums, counts: boolean): void => {
      band.count++
      if (!counts) return
      band.counted++
      band.hours += hours
      band.credits += credit
    }
    eachPerson(asked, (person) => {
      const [sums, counts] = [earned(person), isCounted(person)]
      put(bands.credibility[bandAt(credibilityBands, asked.columns.credibility[person]!)]!, sums, counts)
      put(bands.credit[bandAt(creditBands, sums.credit)]!, sums, counts)
    })
    const of = (series: 'credibility' | 'credit', key: string, range: string, at: number) => {
      const { count, counted, hours, credits } = bands[series][at]!
      return {
        series,
        key,
        range,
        count,
        avgHours: ratio(hours / 100, counted),
        avgCredit: ratio(credits / 100, counted),
      }
    }
    return [
      ...credibilityBands.map(([key, range], at) => of('credibility', key, range, at)),
      ...creditBands.map(([key, range], at) => of('credit', key, range, at)),
    ]
  })

export const gradesBySex = (
  ctx: Context,
  input: Checked<typeof studentStatApi.gradeSex>,
): Promise<Output<typeof studentStatApi.gradeSex>> =>
  cachedAnswer(ctx, 'gradesBySex', input, async () => {
    const asked = await peopleAsked(ctx, input)
    const { sex, places } = asked.columns
    const grades = new Map<string, { grade: string; male: number; female: number; unknown: number }>()
    eachPerson(asked, (person, at) => {
      const grade = places[at]!.grade ?? ''
      const row = grades.get(grade) ?? { grade, male: 0, female: 0, unknown: 0 }
      grades.set(grade, row)
      row[sex[person] === personSex.male ? 'male' : sex[person] === personSex.female ? 'female' : 'unknown']++
    })
    return [...grades.values()].toSorted((a, b) => (a.grade < b.grade ? -1 : 1))
  })

/** How many are told. */
const topLength = 50

/** The fifty with the most hours; who has as many shares the rank. */
export const topStudents = (
  ctx: Context,
  input: Checked<typeof studentStatApi.ranking>,
): Promise<Output<typeof studentStatApi.ranking>> =>
  cachedAnswer(ctx, 'topStudents', { ...input, opens: ctx.actor.permits.has('student:list') }, async () => {
    const asked = await peopleAsked(ctx, input)
    const { suIds } = asked.columns
    const earned = sumsOf(asked.columns, input)
    const all: { suId: string; hours: number }[] = []
    const lowest = new Int32Array(topLength)
    eachPerson(asked, (person) => {
      const { hours } = earned(person)
      // who has less than the fifty best so far is none of them
      if (hours <= 0 || hours < lowest[0]!) return
      all.push({ suId: suIds[person]!, hours })
      if (hours > lowest[0]!) {
        lowest[0] = hours
        lowest.sort()
      }
    })
    const top = all.sort((a, b) => b.hours - a.hours || (a.suId < b.suId ? -1 : 1)).slice(0, topLength)
    const { rows: names } = await sql<{ suId: string; suiName: string; suiNumber: string; collegeName: string }>`
        select p."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName"
        from "person" p
        left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"
        where p."schoolId" = ${ctx.actor.schoolId} and p."suId" = any(${top.map(({ suId }) => suId)}::uuid[])`.execute(
      ctx.db,
    )
    const rows = top.flatMap(({ suId, hours }) =>
      names
        .filter((person) => person.suId === suId)
        .map((person) => ({ ...person, hours, rank: top.findIndex((one) => one.hours === hours) + 1 })),
    )
    return rows.map(({ hours, suiName, suiNumber, suId, ...row }) => ({
      ...row,
      total: units(hours),
      opens: !input.anonymous && ctx.actor.permits.has('student:list'),
      suId: input.anonymous ? '' : suId,
      suiName: input.anonymous ? maskedName(suiName) : suiName,
      suiNumber: input.anonymous ? maskedNumber(suiNumber) : suiNumber,
    }))
  })

export const sexShares = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.sex>> =>
  cachedAnswer(ctx, 'sexShares', input, async () => {
    const asked = await peopleAsked(ctx, input)
    const { sex } = asked.columns
    const isCounted = await countedIn(ctx, asked.columns)
    const earned = sumsOf(asked.columns, input)
    /** Everybody, and of them those who count in means, with their hours. */
    const shares = new Map<string, { value: number; counted: number; hours: number }>()
    eachPerson(asked, (person) => {
      const share = shares.get(sex[person]!) ?? { value: 0, counted: 0, hours: 0 }
      shares.set(sex[person]!, share)
      share.value++
      if (!isCounted(person)) return
      share.counted++
      share.hours += earned(person).hours
    })
    return dictionary.sex.flatMap(([key, name]) => {
      const share = shares.get(key)
      return share ? [{ key, name, value: share.value, avgHours: ratio(share.hours / 100, share.counted) }] : []
    })
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
