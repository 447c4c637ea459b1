import { sql } from 'kysely'
import { applyStatus } from '../../../../contract/core/codes/programme.ts'
import { quotaUnit, teamStatus } from '../../../../contract/core/codes/teams.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import type { ReachedLesson } from './lessons.queries.ts'
import { seatsLeft, type CollegeQuota, type Seats } from './seats.ts'

type Seated = Pick<ReachedLesson, 'liId' | 'quota' | 'quotaUnit' | 'passCount' | 'quotaByCollege'>

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

/** What colleges are called, by id; asks nothing where none is named. */
export async function collegeNames(
  ctx: Pick<Context, 'db' | 'actor'>,
  courses: readonly { quotaByCollege: readonly { scId: string }[] }[],
): Promise<Map<string, string>> {
  const ids = [...new Set(courses.flatMap(({ quotaByCollege }) => quotaByCollege.map(({ scId }) => scId)))]
  if (ids.length === 0) return new Map()
  const rows = await from(ctx, 'college').select(['scId', 'scName']).where('scId', 'in', ids).execute()
  return new Map(rows.map(({ scId, scName }) => [scId, scName]))
}

/** Refuses places of a college that are fewer than those of it who have one already. */
export async function assertCollegePlaces(
  ctx: Pick<Context, 'db' | 'actor'>,
  liId: string,
  quotaByCollege: readonly CollegeQuota[],
): Promise<void> {
  const admitted = await admittedByCollege(ctx, liId)
  const short = quotaByCollege.find(({ scId, quota }) => quota < (admitted.get(scId) ?? 0))
  if (!short) return
  const name = (await collegeNames(ctx, [{ quotaByCollege: [short] }])).get(short.scId) ?? ''
  throw new Failure('college-quota-below', { name, n: admitted.get(short.scId)! })
}

/** How many places whoever is admitted to a course takes: one each, or one a team where places are for teams. */
export async function placesTaken(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { liId, quotaUnit: unit, passCount }: Pick<Seated, 'liId' | 'quotaUnit' | 'passCount'>,
): Promise<number> {
  if (unit !== quotaUnit.team) return passCount
  const { rows } = await sql<{ n: number }>`
    select ${teamPlaces} as "n"
    from "registration" r
    where ${ofAdmitted(actor.schoolId, liId)}`.execute(db)
  return rows[0]!.n
}

/** Whether anybody has registered for a course or founded a team in it. */
export async function hasRegistered(
  ctx: Pick<Context, 'db' | 'actor'>,
  { liId, applyCount }: Pick<ReachedLesson, 'liId' | 'applyCount'>,
): Promise<boolean> {
  if (applyCount > 0) return true
  const team = await from(ctx, 'team')
    .select('teamId')
    .where('liId', '=', liId)
    .where('teamStatus', '<>', teamStatus.withdrawn)
    .limit(1)
    .executeTakeFirst()
  return team !== undefined
}

/** Somebody who came without a team, by a dispute, takes a place like one. */
const teamPlaces = sql<number>`count(distinct coalesce(r."teamId", r."laId"))::int`
const ofAdmitted = (schoolId: string, liId: string) => sql<boolean>`r."schoolId" = ${schoolId}
      and r."liId" = ${liId}::uuid
      and r."delFlag" = '0'
      and r."laStatus" = ${sql.lit(applyStatus.accepted)}`

/** Whether the places of a course bear its participants as they are written, when `passCount` moves by so many. */
export const placesBear = ({ schoolId }: Context['actor'], liId: string, passCount: number) => sql<boolean>`case
      when "quotaUnit" = ${sql.lit(quotaUnit.team)} then (
        select ${teamPlaces} from "registration" r where ${ofAdmitted(schoolId, liId)}
      ) <= "quota"
      else "passCount" + ${passCount}::int <= "quota"
    end`

/** The places a course has left, in all and by college. True only while the course is locked. */
export async function seatsOf(ctx: Pick<Context, 'db' | 'actor'>, lesson: Seated): Promise<Seats> {
  const quotas = collegeQuotas(lesson)
  const left = seatsLeft(
    lesson.quota,
    quotas,
    await placesTaken(ctx, lesson),
    quotas.length === 0 ? new Map() : await admittedByCollege(ctx, lesson.liId),
  )
  return { ...left, byTeam: lesson.quotaUnit === quotaUnit.team }
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
