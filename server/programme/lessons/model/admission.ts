import { sql, type RawBuilder } from 'kysely'
import { applyStatus, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { isInSchool } from '../../../../contract/core/codes/in-school.ts'
import { personType } from '../../../../contract/core/codes/school.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import type { Context } from '../../../core/request/context.ts'
import type { ReachedLesson } from './lessons.queries.ts'

/** A student as the rules of admission see them, with their registration in the course if they ever had one. */
export interface Candidate {
  suId: string
  suiName: string
  suiNumber: string
  suiType: string
  suiStatus: string
  suiCollegeId: string | null
  suiGrade: string | null
  majorId: string | null
  scClassId: string | null
  suiSex: string
  suiPolitical: string | null
  /** They are a member of a circle that the course is open to, or it names none. */
  inCircles: boolean
  suiCredibility: number
  blackUntil: string | null
  /** Name of another course they take part in at the same time. */
  clash: string | null
  laId: string | null
  laStatus: string | null
  laSignStatus: string | null
  laResult: string | null
  signInTime: string | null
  signOutTime: string | null
  signMethod: string | null
  adId: string | null
  awardName: string | null
  laHours: number | null
  laCredit: number | null
  laPoints: number | null
  partakeMode: string | null
  remark: string | null
  version: number | null
}

/** Whether the person `p` is a member of a circle that the course `l` is open to, or it names none. */
const inCirclesOfCourse = sql<boolean>`(
    cardinality(l."rangeCircles") = 0
    or exists (
      select
      from "circleMember" m
      where m."schoolId" = p."schoolId"
        and m."suId" = p."suId"
        and m."quitTime" is null
        and m."ciId" = any(l."rangeCircles")
    )
  )`

/**
 * Whether a course's range includes a person, as {@link admissionFault} has it, for statements over many courses.
 * @param l alias of the course @param p alias of the person
 */
export const inRangeOfCourse = (l: string, p: string) => {
  const of = (alias: string) => (column: string) => sql.ref(`${alias}.${column}`)
  const [course, person] = [of(l), of(p)]
  const open = (range: string, column: string) =>
    sql`(cardinality(${course(range)}) = 0 or ${person(column)} = any(${course(range)}))`
  return sql<boolean>`(${open('rangeColleges', 'suiCollegeId')}
    and ${open('rangeGrades', 'suiGrade')}
    and ${open('rangeMajors', 'majorId')}
    and ${open('rangeClasses', 'scClassId')}
    and ${open('rangePolitical', 'suiPolitical')}
    and ${open('rangeSexes', 'suiSex')}
    and (
      cardinality(${course('rangeCircles')}) = 0
      or exists (
        select
        from "circleMember" m
        where m."schoolId" = ${person('schoolId')}
          and m."suId" = ${person('suId')}
          and m."quitTime" is null
          and m."ciId" = any(${course('rangeCircles')})
      )
    ))`
}

/** States of a registration that stands; from the others a student may come back. */
export const activeStatuses: readonly string[] = [
  applyStatus.pending,
  applyStatus.accepted,
  applyStatus.waitlisted,
  applyStatus.onLeave,
]

/**
 * The name of another course that a person takes part in at the time of a course, for {@link admissionFault} and for
 * lists; null where there is none.
 * @param liId of the course, as SQL @param p alias of the person @param clashing which registrations stand in the way
 */
export const clashOf = (
  liId: RawBuilder<unknown>,
  p: string,
  clashing: readonly string[] = [applyStatus.pending, applyStatus.accepted],
) => sql<string | null>`(
          select o."liName"
          from "registration" x
          join "lesson" o on o."schoolId" = x."schoolId"
            and o."liId" = x."liId"
            and o."delFlag" = '0'
            and o."liStatus" not in (
              ${sql.lit(lessonStatus.unpublished)}, ${sql.lit(lessonStatus.cancelled)},
              ${sql.lit(lessonStatus.abnormal)}
            )
          join "lessonSession" s on s."schoolId" = o."schoolId" and s."liId" = o."liId"
          join "lessonSession" m on m."schoolId" = o."schoolId"
            and m."liId" = ${liId}
            and m."startTime" < s."endTime"
            and s."startTime" < m."endTime"
          where x."schoolId" = ${sql.ref(`${p}.schoolId`)}
            and x."suId" = ${sql.ref(`${p}.suId`)}
            and x."liId" <> ${liId}
            and x."delFlag" = '0'
            and x."laStatus" = any(${clashing}::text[])
          limit 1
        )`

/**
 * The students asked for by id or by number, by id. Inside a transaction they are locked in one order, so that two
 * courses cannot take the same hour of the same student at once.
 * @param clashing which registrations elsewhere stand in the way
 */
export async function candidatesFor(
  { db, actor }: Context,
  lesson: Pick<ReachedLesson, 'liId'>,
  wanted: { suIds: readonly string[] } | { suiNumbers: readonly string[] },
  clashing: readonly string[] = [applyStatus.pending, applyStatus.accepted],
): Promise<Candidate[]> {
  const { schoolId } = actor
  const which =
    'suIds' in wanted ? anyOf('p.suId', wanted.suIds) : sql`p."suiNumber" = any(${wanted.suiNumbers}::text[])`
  const these = sql`p."schoolId" = ${schoolId} and p."delFlag" = '0' and ${which} order by p."suId"`
  // a statement of its own: what another course has done while we waited is seen only by the statements that follow
  if (db.isTransaction) await sql`select from "person" p where ${these} for no key update`.execute(db)
  const { rows } = await sql<Candidate>`
      select p."suId", p."suiName", p."suiNumber", p."suiType", p."suiStatus", p."suiCollegeId", p."suiGrade",
        p."majorId", p."scClassId", p."suiSex", p."suiPolitical", p."suiCredibility", p."blackUntil", r."laId", r."laStatus", r."laSignStatus",
        r."laResult", r."signInTime", r."signOutTime", r."signMethod", r."adId", r."awardName", r."laHours",
        r."laCredit", r."laPoints", r."partakeMode", r."remark", r."version",
        ${clashOf(sql`${lesson.liId}::uuid`, 'p', clashing)} as "clash",
        (
          select ${inCirclesOfCourse}
          from "lesson" l
          where l."schoolId" = p."schoolId" and l."liId" = ${lesson.liId}::uuid
        ) as "inCircles"
      from "person" p
      left join "registration" r on r."schoolId" = p."schoolId"
        and r."suId" = p."suId"
        and r."liId" = ${lesson.liId}::uuid
        and r."delFlag" = '0'
      where ${these}`.execute(db)
  return rows
}

/** The part of a course that says for whom it is. An empty list leaves that question open. */
export type LessonRange = Pick<ReachedLesson, (typeof rangeFields)[number]>

/** The fields that say for whom a course is. */
export const rangeFields = [
  'rangeColleges',
  'rangeGrades',
  'rangeMajors',
  'rangeClasses',
  'rangeCircles',
  'rangePolitical',
  'rangeSexes',
] as const

/** Whether a course is for some only. */
export const hasRange = (range: LessonRange): boolean => rangeFields.some((field) => range[field].length > 0)

/**
 * Why a student cannot be taken into a course; undefined when they can, as far as they themselves go (places are
 * another matter). Pure.
 */
export function admissionFault(
  student: Candidate,
  lesson: LessonRange,
  now: string,
  { applyCredibility }: Pick<SchoolSettings, 'applyCredibility'>,
): Failure | undefined {
  const { suiName: name, suiCredibility: points } = student
  if (student.suiType !== personType.student || !isInSchool(student.suiStatus))
    return new Failure('not-a-student', { name })
  if (student.laStatus !== null && activeStatuses.includes(student.laStatus))
    return new Failure('already-registered', { name })
  if (!inRange(student, lesson)) return new Failure('outside-range')
  if (student.blackUntil !== null && student.blackUntil > now) return new Failure('blacklisted')
  if (points < applyCredibility) return new Failure('credibility-low', { points, n: applyCredibility })
  if (student.clash !== null) return new Failure('time-conflict', { lesson: student.clash })
  return undefined
}

const oneOf = (list: readonly string[], value: string | null): boolean =>
  list.length === 0 || (value !== null && list.includes(value))

const inRange = (student: Candidate, range: LessonRange): boolean =>
  oneOf(range.rangeColleges, student.suiCollegeId) &&
  oneOf(range.rangeGrades, student.suiGrade) &&
  oneOf(range.rangeMajors, student.majorId) &&
  oneOf(range.rangeClasses, student.scClassId) &&
  oneOf(range.rangePolitical, student.suiPolitical) &&
  oneOf(range.rangeSexes, student.suiSex) &&
  student.inCircles
