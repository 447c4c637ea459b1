import { sql } from 'kysely'
import { applyStatus, resultStatus } from '../../../../contract/core/codes/programme.ts'
import { teamStatus } from '../../../../contract/core/codes/teams.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { activeStatuses } from '../model/admission.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import { changeRegistrations } from './registration-write.ts'

/**
 * What becomes of teams when their members are registered, leave or are turned down: always in a transaction that has
 * locked their course.
 */

type TeamLesson = Pick<ReachedLesson, 'liId' | 'teamMin'>
/** A registration of somebody who goes. */
interface Going {
  laId: string
  suId: string
  suiName: string
  laStatus: string
  teamId: string | null
}

const teamIdsOf = (rows: readonly { teamId: string | null }[]): string[] => [
  ...new Set(rows.flatMap(({ teamId }) => teamId ?? [])),
]

/** The registrations of teams that stand, in the order of their ranks. */
export async function teamRegistrations(ctx: Context, teamIds: readonly string[]) {
  if (teamIds.length === 0) return []
  return from(ctx, 'registration')
    .innerJoin('person', withinSchool('person.suId', 'registration.suId'))
    .select([
      'laId',
      'registration.suId',
      'suiName',
      'suiNumber',
      'suiCollegeId',
      'laStatus',
      'laSignStatus',
      'laResult',
      'signOutTime',
      'partakeMode',
      'waitNo',
      'registration.teamId',
      'teamRank',
    ])
    .where(anyOf('registration.teamId', teamIds))
    .where('laStatus', 'in', activeStatuses)
    .orderBy('teamRank')
    .orderBy('laId')
    .execute()
}
export type TeamRegistration = Awaited<ReturnType<typeof teamRegistrations>>[number]

/** Teams of which some registrations are named and others, of the same states, are not: these by name. */
export async function partOfTeams(
  ctx: Context,
  rows: readonly Going[],
  states: readonly string[],
): Promise<Map<string, string>> {
  const teamIds = teamIdsOf(rows)
  if (teamIds.length === 0) return new Map()
  const named = new Set(rows.map(({ laId }) => laId))
  const missing = (await teamRegistrations(ctx, teamIds)).filter(
    ({ laId, laStatus }) => states.includes(laStatus) && !named.has(laId),
  )
  if (missing.length === 0) return new Map()
  const names = await teamNames(ctx, teamIdsOf(missing))
  return new Map(names.map(({ teamId, teamName }) => [teamId, teamName]))
}

const teamNames = (ctx: Context, teamIds: readonly string[]) =>
  from(ctx, 'team').select(['teamId', 'teamName', 'captainId']).where(anyOf('teamId', teamIds)).execute()

/**
 * Lets registered members go from their teams: of a team either all go, and it is dissolved, or as many stay as a team
 * needs, its captain among them. Those who stay are ranked anew and are to be rated anew, for their shares are others.
 * @returns how many are to be rated anew
 */
export async function letGo(ctx: Context, lesson: TeamLesson, rows: readonly Going[]): Promise<number> {
  const going = rows.filter(({ laStatus }) => activeStatuses.includes(laStatus))
  const teamIds = teamIdsOf(going)
  if (teamIds.length === 0) return 0
  const gone = new Set(going.map(({ laId }) => laId))
  const staying = (await teamRegistrations(ctx, teamIds)).filter(({ laId }) => !gone.has(laId))
  const dissolved: string[] = []
  let unrated = 0
  for (const { teamId, teamName, captainId } of await teamNames(ctx, teamIds)) {
    const left = staying.filter((row) => row.teamId === teamId)
    if (left.length === 0) {
      dissolved.push(teamId)
      continue
    }
    const min = lesson.teamMin ?? 1
    if (left.length < min) throw new Failure('team-too-small', { team: teamName, n: left.length, min })
    const captain = going.find(({ suId }) => suId === captainId)
    if (captain) throw new Failure('captain-stays', { name: captain.suiName, team: teamName })
    await ctx.db
      .deleteFrom('teamMember')
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('teamId', '=', teamId)
      .where(
        anyOf(
          'suId',
          going.filter((row) => row.teamId === teamId).map(({ suId }) => suId),
        ),
      )
      .execute()
    await rankTeam(ctx, teamId)
    unrated += await unrate(ctx, lesson.liId, left)
  }
  if (dissolved.length > 0) await disband(ctx, dissolved)
  return unrated
}

/** Dissolves teams: their members are free for others, their names for new ones. */
export async function disband(ctx: Context, teamIds: readonly string[]): Promise<void> {
  const { schoolId } = ctx.actor
  await ctx.db.deleteFrom('teamMember').where('schoolId', '=', schoolId).where(anyOf('teamId', teamIds)).execute()
  await setTeamStatus(ctx, teamIds, teamStatus.withdrawn)
}

/** Teams that were turned down form anew: their captain may change something and confirm once more. */
export const formAnew = (ctx: Context, rows: readonly { teamId: string | null }[]): Promise<void> =>
  setTeamStatus(ctx, teamIdsOf(rows), teamStatus.forming)

/** Sets the state of teams; confirmed ones keep the moment. */
export async function setTeamStatus(ctx: Context, teamIds: readonly string[], status: string): Promise<void> {
  if (teamIds.length === 0) return
  const now = ctx.clock.now()
  await ctx.db
    .updateTable('team')
    .set({
      teamStatus: status,
      confirmTime: status === teamStatus.confirmed ? now : null,
      updateTime: now,
      version: sql<number>`version + 1`,
    })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where(anyOf('teamId', teamIds))
    .execute()
}

/** Writes rank and size of a team, as its members are now, to their registrations that stand. */
export async function rankTeam({ db, actor, clock }: Context, teamId: string): Promise<void> {
  await sql`
    update "registration" t
    set "teamRank" = m."rank",
      "teamSize" = m."size",
      "updateTime" = ${clock.now()}::timestamptz,
      "version" = t."version" + 1
    from (
      select "suId", row_number() over (order by "memberRank", "suId")::int as "rank", count(*) over ()::int as "size"
      from "teamMember"
      where "schoolId" = ${actor.schoolId} and "teamId" = ${teamId}::uuid
    ) m
    where t."schoolId" = ${actor.schoolId}
      and t."teamId" = ${teamId}::uuid
      and t."suId" = m."suId"
      and t."delFlag" = '0'
      and t."laStatus" = any(${activeStatuses}::text[])
      and (t."teamRank" is distinct from m."rank" or t."teamSize" is distinct from m."size")`.execute(db)
}

/** Takes back ratings whose shares, or whose course's terms, no longer hold; @returns how many there were. */
export async function unrate(
  ctx: Context,
  liId: string,
  rows: readonly Pick<TeamRegistration, 'laId' | 'laStatus' | 'laSignStatus' | 'laResult'>[],
): Promise<number> {
  const rated = rows.filter(
    ({ laStatus, laResult }) => laStatus === applyStatus.accepted && laResult !== resultStatus.unrated,
  )
  if (rated.length === 0) return 0
  await changeRegistrations(ctx, liId, rated, {
    laResult: resultStatus.unrated,
    adId: null,
    awardName: '',
    laHours: 0,
    laCredit: 0,
    laPoints: 0,
  })
  return rated.length
}
