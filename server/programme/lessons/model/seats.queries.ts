import { sql } from 'kysely'
import { applyStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import type { Context } from '../../../core/request/context.ts'
import type { ReachedLesson } from './lessons.queries.ts'
import { seatsLeft, type CollegeQuota, type Seats } from './seats.ts'

type Seated = Pick<ReachedLesson, 'liId' | 'quota' | 'passCount' | 'quotaByCollege'>

/** The places of single colleges of a course. */
export const collegeQuotas = ({ quotaByCollege }: Pick<ReachedLesson, 'quotaByCollege'>): CollegeQuota[] =>
  quotaByCollege as CollegeQuota[]

/** Admitted participants of a course by college. */
export async function admittedByCollege(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  liId: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{
    scId: string
    n: number
  }>`
    select p."suiCollegeId" as "scId", count(*)::int as "n"
    from "registration" r
    join "person" p on p."schoolId" = r."schoolId" and p."suId" = r."suId"
    where r."schoolId" = ${actor.schoolId}
      and r."liId" = ${liId}::uuid
      and r."delFlag" = '0'
      and r."laStatus" = ${sql.lit(applyStatus.accepted)}
      and p."suiCollegeId" is not null
    group by 1`.execute(db)
  return new Map(rows.map(({ scId, n }) => [scId, n]))
}

/** The places a course has left, in all and by college. True only while the course is locked. */
export async function seatsOf(ctx: Pick<Context, 'db' | 'actor'>, lesson: Seated): Promise<Seats> {
  const quotas = collegeQuotas(lesson)
  return seatsLeft(
    lesson.quota,
    quotas,
    lesson.passCount,
    quotas.length === 0 ? new Map() : await admittedByCollege(ctx, lesson.liId),
  )
}

/** Why there is no place for somebody of a college: the course is full, or their college is. */
export function noSeat(
  lesson: Pick<ReachedLesson, 'quotaByCollege'>,
  { free }: Seats,
  suiCollegeId: string | null,
): Failure {
  const own = collegeQuotas(lesson).find(({ scId }) => scId === suiCollegeId)
  return free > 0 && own ? new Failure('college-quota-full', { n: own.quota }) : new Failure('quota-full')
}
