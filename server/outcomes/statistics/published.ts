import { finishedLessonStatuses, underwayLessonStatuses } from '../../../contract/core/codes/lesson-stages.ts'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import type { Context } from '../../core/request/context.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { lessonsOf, type LessonRow } from './lesson-rows.ts'

/** Statuses of a course before its publication: it is in no statistic yet. */
const unpublished: readonly string[] = [
  lessonStatus.draft,
  lessonStatus.publishInReview,
  lessonStatus.publishRefused,
  lessonStatus.publishPassed,
]
/** Where a published course stands, for the cards and the list behind them. */
export const stages = {
  running: underwayLessonStatuses,
  done: finishedLessonStatuses,
  stopped: [lessonStatus.unpublished, lessonStatus.cancelled, lessonStatus.abnormal],
} as const satisfies Record<string, readonly string[]>

/** Whether a course stands there. */
export const isAtStage = ({ liStatus }: LessonRow, stage: keyof typeof stages): boolean =>
  (stages[stage] as readonly string[]).includes(liStatus)

export interface Period {
  startTime?: string | undefined
  endTime?: string | undefined
}

interface LessonFilter extends Period {
  collegeId?: string | undefined
  lsId?: string | undefined
  llId?: string | undefined
  lacking?: 'college' | undefined
}

/** Whether a moment lies within a period. */
export const isDuring = (moment: string, { startTime, endTime }: Period): boolean =>
  (startTime === undefined || moment >= startTime) && (endTime === undefined || moment <= endTime)

/** Whether a course is of a node of the curriculum or below it, and of a level. */
export const isOfSubject = ({ lsPath, liLevel }: LessonRow, { lsId, llId }: Pick<LessonFilter, 'lsId' | 'llId'>) =>
  (!lsId || lsPath.includes(lsId)) && (!llId || liLevel === llId)

/**
 * The published courses that the asking person's area covers, or without any area those of their own, and that fit
 * whatever the period. Taken down ones stay: they are counted as such.
 */
export async function publishedEver(ctx: Context, input: Omit<LessonFilter, keyof Period>): Promise<LessonRow[]> {
  const { actor, scope } = ctx
  const { collegeId, lacking } = input
  const isSeen = hasOwnOnly(ctx)
    ? (row: LessonRow) => isOwn(row, actor.suId)
    : ({ liCollegeId: college, liDepartmentId: department, lsPath: path }: LessonRow) =>
        scopeIncludes(scope, { college, department, path })
  return (await lessonsOf(ctx)).filter(
    (row) =>
      wasPublished(row) &&
      (!collegeId || row.liCollegeId === collegeId) &&
      (!lacking || row.liCollegeId === null) &&
      isOfSubject(row, input) &&
      isSeen(row),
  )
}

/** Those of them that were published within the period. */
export const within = (rows: readonly LessonRow[], period: Period): LessonRow[] =>
  rows.filter(({ publishTime }) => isDuring(publishTime!, period))

/** The same of a whole filter. */
export const publishedLessons = async (ctx: Context, input: LessonFilter): Promise<LessonRow[]> =>
  within(await publishedEver(ctx, input), input)

/** Whether a course that is there has been published. */
export const wasPublished = ({ removed, publishTime, liStatus }: LessonRow): boolean =>
  !removed && publishTime !== null && !unpublished.includes(liStatus)

/** Whether the right was given for one's own records only: then figures are of those. */
export const hasOwnOnly = ({ scope }: Pick<Context, 'scope'>): boolean => !scope.whole && scope.areas.length === 0

/** Whether a person made, leads or guides a course. */
const isOwn = ({ createBy, liPrincipalId, teachers }: LessonRow, suId: string): boolean =>
  createBy === suId || liPrincipalId === suId || teachers.includes(suId)

/** Whether the attendance of a course says something: begun, and neither taken down nor called off. */
export const hasBegun = (row: LessonRow, now: string): boolean => row.startTime <= now && !isAtStage(row, 'stopped')

/** Who holds a course: a circle, a college, or else somebody of the whole school. */
export const organiserOf = ({ liCircleId, liCollegeId }: LessonRow): 'circle' | 'college' | 'school' =>
  liCircleId !== null ? 'circle' : liCollegeId !== null ? 'college' : 'school'

/** The sum of a figure over courses. */
export const sumOf = (rows: readonly LessonRow[], figure: (row: LessonRow) => number): number => {
  let sum = 0
  for (const row of rows) sum += figure(row)
  return sum
}

/** Courses by what tells groups apart. */
export function groupsOfLessons<K>(rows: readonly LessonRow[], keyOf: (row: LessonRow) => K): Map<K, LessonRow[]> {
  const groups = new Map<K, LessonRow[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
