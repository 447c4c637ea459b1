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
import { sumsOf, type Sums } from './earned-sums.ts'
import { cardsOf, comparisons, flatOf, ratio, units } from './figures.ts'
import { countedIn, eachPerson, groupsOf, peopleAsked } from './people-asked.ts'
import type { Span } from './periods.ts'
import { atPlaces, collegeNames } from './places.ts'
import { bandAt, studentFiguresOf, studentKinds } from './student-figures.ts'

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

/**
 * The cards, with those of the period before and of the year before; without a period everything to this day, compared
 * with nothing.
 */
export const studentTotal = (ctx: Context, input: Input): Promise<Output<typeof studentStatApi.total>> =>
  cachedAnswer(ctx, 'studentTotal', input, async (asOf) => {
    const [{ previous, lastYear }, asked] = await together(comparisons(ctx, input), peopleAsked(ctx, input))
    const isCounted = await countedIn(ctx, asked.columns)
    const of = (span: Partial<Span>) => studentFiguresOf(asked, { ...input, ...span }, isCounted, ctx.clock.now())
    const cards = cardsOf(studentKinds, of({}), previous && of(previous), lastYear && of(lastYear))
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

/** Activities a student, by college and grade. */
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

/** Hours and credit a student, by college and grade. */
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

/** Students by grade and sex. */
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

/** Students by sex, with their mean hours. */
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

/** The colleges that have students in the part of the school the caller sees. */
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

/** The grades that have students in the part of the school the caller sees. */
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
