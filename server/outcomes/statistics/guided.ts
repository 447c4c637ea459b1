import type { Checked } from '../../../contract/core/call.ts'
import { peopleKind } from '../../../contract/core/codes/outcomes.ts'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import type { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { lessonsOf, type LessonRow } from './lesson-rows.ts'
import { peopleAsked, type PeopleAsked } from './people-asked.ts'
import { isDuring, isOfSubject, type Period } from './published.ts'

/** What the figures of teachers are asked by. */
export type TeacherFilter = Checked<typeof teacherStatApi.total> &
  Pick<Checked<typeof teacherStatApi.detail>, 'lacking'>

/** Statuses in which a course is not guided: before its publication, taken down, called off. */
const notGuided: readonly string[] = [
  lessonStatus.draft,
  lessonStatus.publishInReview,
  lessonStatus.publishRefused,
  lessonStatus.publishPassed,
  lessonStatus.unpublished,
  lessonStatus.cancelled,
  lessonStatus.abnormal,
]

/** The teachers asked about. */
export const staffAsked = (ctx: Context, { collegeId, lacking }: TeacherFilter): Promise<PeopleAsked> =>
  peopleAsked(ctx, { collegeId, lacking }, peopleKind.staff)

/** One teacher asked about, by their number, and a course that they guide or lead. */
export interface Guided {
  person: number
  row: LessonRow
}

/** Who of those asked about guides which course of whatever period: its guiding teachers and whoever leads it. */
export async function guidedEver(
  ctx: Context,
  input: TeacherFilter,
): Promise<{ staff: PeopleAsked; guided: Guided[] }> {
  const [staff, lessons] = await together(staffAsked(ctx, input), lessonsOf(ctx))
  const { owners, place } = staff.columns
  const guided: Guided[] = []
  const add = (suId: string, row: LessonRow) => {
    const person = owners.numberOf(suId)
    if (person !== undefined && place[person]! >= 0 && staff.wanted[place[person]!] === 1) guided.push({ person, row })
  }
  for (const row of lessons.filter((one) => !one.removed && isGuided(one) && isOfSubject(one, input))) {
    if (!row.teachers.includes(row.liPrincipalId)) add(row.liPrincipalId, row)
    for (const suId of row.teachers) add(suId, row)
  }
  return { staff, guided }
}

const isGuided = ({ liStatus }: LessonRow): boolean => !notGuided.includes(liStatus)

/** Those whose courses begin in a period. */
export const guidedIn = (guided: readonly Guided[], period: Period): Guided[] =>
  guided.filter(({ row }) => isDuring(row.startTime, period))

/** The same of a whole filter, with those who were asked about. */
export async function guidedBy(ctx: Context, input: TeacherFilter): Promise<{ staff: PeopleAsked; guided: Guided[] }> {
  const { staff, guided } = await guidedEver(ctx, input)
  return { staff, guided: guidedIn(guided, input) }
}

/** What a teacher guided. Hours in hundredths. */
export interface Guiding {
  lessons: number
  hours: number
  times: number
  stars: number
  starTimes: number
}

/** What each teacher guided, by their number. */
export function byPerson(guided: readonly Guided[]): Map<number, Guiding> {
  const found = new Map<number, Guiding>()
  for (const { person, row } of guided) {
    let own = found.get(person)
    if (own === undefined) found.set(person, (own = { lessons: 0, hours: 0, times: 0, stars: 0, starTimes: 0 }))
    own.lessons++
    own.hours += row.liHours
    own.times += row.signed
    own.stars += row.starSum
    own.starTimes += row.starTimes
  }
  return found
}
