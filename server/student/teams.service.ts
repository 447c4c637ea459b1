import type { Checked, Output } from '../../contract/core/call.ts'
import { teamStatus } from '../../contract/core/codes/teams.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { OwnTeam, ownTeamApi } from '../../contract/student/teams.calls.ts'
import { from, withinSchool } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { listTeams } from '../programme/lessons/lists/teams.queries.ts'
import { countedTry } from '../programme/lessons/model/code-tries.ts'
import { reachLesson, type ReachedLesson } from '../programme/lessons/model/lessons.queries.ts'
import { cancelFault } from '../programme/lessons/registration/leaving.service.ts'
import { selfRegistrationFault } from '../programme/lessons/registration/self-registration.ts'
import { cancelTeam, confirmTeam, dissolveTeam } from '../programme/lessons/registration/team-registration.service.ts'
import { membersOf } from '../programme/lessons/registration/teams.queries.ts'
import {
  changeCaptain,
  foundTeam,
  joinByCode,
  removeMember,
  renewCode,
} from '../programme/lessons/registration/teams.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { activityOf, onActivity } from './activities.service.ts'

type Input<K extends keyof typeof ownTeamApi> = Checked<(typeof ownTeamApi)[K]>
type Answer<K extends keyof typeof ownTeamApi> = Output<(typeof ownTeamApi)[K]>

/** The student's own team of a course that stands; undefined where there is none. */
const teamOf = (ctx: Context, liId: string) =>
  from(ctx, 'teamMember')
    .innerJoin('team', withinSchool('team.teamId', 'teamMember.teamId'))
    .select(['team.teamId', 'team.teamName', 'team.teamStatus', 'team.captainId'])
    .where('teamMember.liId', '=', liId)
    .where('teamMember.suId', '=', ctx.actor.suId)
    .executeTakeFirst()

/** The same for who takes part in it; `not-found` where there is none. */
async function ownTeamOf(ctx: Context, liId: string) {
  await activityOf(ctx, liId)
  const team = await teamOf(ctx, liId)
  if (!team) throw new Failure('not-found')
  return team
}

/** The same for its captain, who alone decides about it. */
async function teamOfCaptain(ctx: Context, liId: string) {
  const team = await ownTeamOf(ctx, liId)
  if (team.captainId !== ctx.actor.suId) throw new Failure('captain-only', { team: team.teamName })
  return team
}

/** The course for one who wants to found, join or confirm a team, in the time of registration. */
async function lessonToRegister(ctx: Context, liId: string): Promise<ReachedLesson> {
  await activityOf(ctx, liId)
  const lesson = await reachLesson(onActivity(ctx), liId)
  const fault = selfRegistrationFault(lesson, ctx.clock.now(), { asTeam: true })
  if (fault) throw fault
  return lesson
}

/** A member of the student's team by the number that the team knows them by. */
async function memberOf(ctx: Context, teamId: string, memberRank: number): Promise<string> {
  const member = (await membersOf(ctx, [teamId])).find((one) => one.memberRank === memberRank)
  if (!member) throw new Failure('not-found')
  return member.suId
}

/** Members of a confirmed team go while they could cancel by themselves; of one that forms at any time. */
async function assertInTime(ctx: Context, liId: string, status: string): Promise<void> {
  if (status !== teamStatus.confirmed) return
  const lesson = await reachLesson(onActivity(ctx), liId)
  const late = cancelFault(lesson, ctx.clock.now(), await schoolSettings(ctx, ctx.actor.schoolId))
  if (late) throw late
}

/** The student's team in an activity with what is still missing, or why none can be formed now. */
export async function ownTeam(ctx: Context, { liId }: Input<'view'>): Promise<Answer<'view'>> {
  const { suiNumber } = await activityOf(ctx, liId)
  const lesson = await reachLesson(onActivity(ctx), liId)
  const { liName, teamMin, teamMax } = lesson
  const known = await teamOf(ctx, liId)
  const fault = selfRegistrationFault(lesson, ctx.clock.now(), { asTeam: true })
  if (!known) return { liName, teamMin, teamMax, verdict: fault?.msg ?? '', team: null }
  const { records } = await listTeams(onActivity(ctx), { liId, suiNumber, current: 1, pageSize: 5 })
  const row = records.find(({ teamId }) => teamId === known.teamId)
  if (!row) throw new Failure('not-found')
  const ranks = new Map((await membersOf(ctx, [known.teamId])).map(({ suId, memberRank }) => [suId, memberRank]))
  const isCaptain = row.captainId === ctx.actor.suId
  const isForming = row.teamStatus === teamStatus.forming
  const staffMay = (act: (typeof row.can)[number]) => row.can.includes(act)
  const inTime = isForming || staffMay('cancel')
  const can: OwnTeam['can'] = isCaptain
    ? [
        ...(isForming && !fault && row.blocks.length === 0 ? (['confirm'] as const) : []),
        ...(isForming && staffMay('code') ? (['code'] as const) : []),
        ...(staffMay('captain') ? (['captain'] as const) : []),
        ...(inTime && staffMay('leave') ? (['remove'] as const) : []),
        ...(isForming && staffMay('dissolve') ? (['dissolve'] as const) : []),
        ...(staffMay('cancel') ? (['cancel'] as const) : []),
      ]
    : inTime && staffMay('leave')
      ? ['leave']
      : []
  return {
    liName,
    teamMin,
    teamMax,
    verdict: '',
    team: {
      teamName: row.teamName,
      teamStatus: row.teamStatus as OwnTeam['teamStatus'],
      laStatus: row.laStatus as OwnTeam['laStatus'],
      waitNo: row.waitNo,
      joinCode: fault ? '' : row.joinCode,
      members: row.members.map(({ suId, suiName, collegeName }) => ({
        memberRank: ranks.get(suId) ?? 0,
        suiName,
        collegeName,
        isCaptain: suId === row.captainId,
        isMe: suId === ctx.actor.suId,
      })),
      blocks: row.blocks,
      refuseReason: row.refuseReason,
      can,
    },
  }
}

/** Founds a team whose captain the student is. */
export async function foundOwnTeam(ctx: Context, { liId, teamName }: Input<'found'>): Promise<Answer<'found'>> {
  await lessonToRegister(ctx, liId)
  await foundTeam(onActivity(ctx), { liId, teamName, captainId: ctx.actor.suId, suIds: [] })
  return { affected: 1 }
}

/** Joins the team whose code the student has; of wrong codes they have only so many. */
export async function joinTeam(ctx: Context, { liId, joinCode }: Input<'join'>): Promise<Answer<'join'>> {
  await lessonToRegister(ctx, liId)
  const { suiNumber } = await activityOf(ctx, liId)
  const { teamName } = await countedTry(ctx, liId, 'team', () =>
    joinByCode(onActivity(ctx), { liId, joinCode, suiNumber }),
  )
  return { teamName }
}

/** The student leaves their team; of a confirmed one they leave the course. */
export async function leaveTeam(ctx: Context, { liId }: Input<'leave'>): Promise<Answer<'leave'>> {
  const { teamId, teamStatus: status } = await ownTeamOf(ctx, liId)
  await assertInTime(ctx, liId, status)
  return removeMember(onActivity(ctx), { teamId, suId: ctx.actor.suId })
}

/** The captain takes a member out. */
export async function removeTeamMember(ctx: Context, { liId, memberRank }: Input<'remove'>): Promise<Answer<'remove'>> {
  const { teamId, teamStatus: status } = await teamOfCaptain(ctx, liId)
  await assertInTime(ctx, liId, status)
  return removeMember(onActivity(ctx), { teamId, suId: await memberOf(ctx, teamId, memberRank) })
}

/** The captain makes another member the captain. */
export async function handOverTeam(ctx: Context, { liId, memberRank }: Input<'captain'>): Promise<Answer<'captain'>> {
  const { teamId } = await teamOfCaptain(ctx, liId)
  return changeCaptain(onActivity(ctx), { teamId, suId: await memberOf(ctx, teamId, memberRank) })
}

/** The captain gives the team another code; with the former one nobody joins any more. */
export async function renewTeamCode(ctx: Context, { liId }: Input<'renewCode'>): Promise<Answer<'renewCode'>> {
  await renewCode(onActivity(ctx), { teamId: (await teamOfCaptain(ctx, liId)).teamId })
  return { affected: 1 }
}

/** The captain registers the team, all of it or nobody. */
export async function confirmOwnTeam(ctx: Context, { liId }: Input<'confirm'>): Promise<Answer<'confirm'>> {
  await lessonToRegister(ctx, liId)
  const { teamId } = await teamOfCaptain(ctx, liId)
  const { laStatus } = await confirmTeam(onActivity(ctx), { teamId })
  return { laStatus: laStatus as Answer<'confirm'>['laStatus'] }
}

/** The captain dissolves a team that forms, or cancels the registration of a confirmed one. */
export async function dissolveOwnTeam(ctx: Context, { liId }: Input<'dissolve'>): Promise<Answer<'dissolve'>> {
  const { teamId, teamStatus: status } = await teamOfCaptain(ctx, liId)
  return status === teamStatus.confirmed
    ? cancelTeam(onActivity(ctx), { teamId })
    : dissolveTeam(onActivity(ctx), { teamId })
}
