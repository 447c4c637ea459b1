import type { Checked, Output } from '../../contract/core/call.ts'
import { teamStatus } from '../../contract/core/codes/teams.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { OwnTeam, ownTeamApi } from '../../contract/student/teams.calls.ts'
import { from, withinSchool } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { ownActs } from '../core/request/own-acts.ts'
import { listTeams } from '../programme/lessons/lists/teams.queries.ts'
import { countedTry } from '../programme/lessons/model/code-tries.ts'
import { lessonFor, reachLesson, type ReachedLesson } from '../programme/lessons/model/lessons.queries.ts'
import { cancelFault } from '../programme/lessons/registration/leaving.service.ts'
import { selfRegistrationFault } from '../programme/lessons/registration/self-registration.ts'
import { withCourseQueue } from '../programme/lessons/registration/registration.service.ts'
import { cancelTeamIn, confirmIn, dissolveTeamIn } from '../programme/lessons/registration/team-registration.service.ts'
import { membersOf, type Team } from '../programme/lessons/registration/teams.queries.ts'
import {
  assertNotSigned,
  changeCaptainIn,
  foundTeamIn,
  joinByCodeIn,
  leaveIn,
  renewCodeIn,
} from '../programme/lessons/registration/teams.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { activityOf, onActivity } from './activities.service.ts'

type Input<K extends keyof typeof ownTeamApi> = Checked<(typeof ownTeamApi)[K]>
type Answer<K extends keyof typeof ownTeamApi> = Output<(typeof ownTeamApi)[K]>

/** The student's own team of a course that stands; undefined where there is none. */
const teamOf = (ctx: Context, liId: string) =>
  from(ctx, 'teamMember')
    .innerJoin('team', withinSchool('team.teamId', 'teamMember.teamId'))
    .selectAll('team')
    .where('teamMember.liId', '=', liId)
    .where('teamMember.suId', '=', ctx.actor.suId)
    .executeTakeFirst()

/** A course that the student may see, locked until the work is done. */
async function onLesson<R>(ctx: Context, liId: string, work: (tx: Context, lesson: ReachedLesson) => Promise<R>) {
  await activityOf(ctx, liId)
  return withCourseQueue(onActivity(ctx), liId, async (tx) => work(tx, await lessonFor(tx, 'register', liId)))
}

/**
 * The student's team of a course, both locked: who its captain is and what it is still hold when the act is done.
 * `not-found` where they have none.
 */
const onOwnTeam = <R>(
  ctx: Context,
  liId: string,
  work: (tx: Context, lesson: ReachedLesson, team: Team) => Promise<R>,
): Promise<R> =>
  onLesson(ctx, liId, async (tx, lesson) => {
    const team = await teamOf(tx, liId)
    if (!team) throw new Failure('not-found')
    return work(tx, lesson, team)
  })

/** The same for its captain, who alone decides about it. */
const asCaptain = <R>(
  ctx: Context,
  liId: string,
  work: (tx: Context, lesson: ReachedLesson, team: Team) => Promise<R>,
): Promise<R> =>
  onOwnTeam(ctx, liId, (tx, lesson, team) => {
    if (team.captainId !== tx.actor.suId) throw new Failure('captain-only', { team: team.teamName })
    return work(tx, lesson, team)
  })

/** Refuses founding, joining and confirming outside of the time of registration. */
function assertRegistering(ctx: Context, lesson: ReachedLesson): void {
  const fault = selfRegistrationFault(lesson, ctx.clock.now(), { asTeam: true })
  if (fault) throw fault
}

/** A member of the student's team by the number that the team knows them by. */
async function memberOf(ctx: Context, teamId: string, memberRank: number): Promise<string> {
  const member = (await membersOf(ctx, [teamId])).find((one) => one.memberRank === memberRank)
  if (!member) throw new Failure('not-found')
  return member.suId
}

/** Members of a confirmed team go while they could cancel by themselves; of one that forms at any time. */
async function assertInTime(tx: Context, lesson: ReachedLesson, team: Team): Promise<void> {
  if (team.teamStatus !== teamStatus.confirmed) return
  const late = cancelFault(lesson, tx.clock.now(), await schoolSettings(tx, tx.actor.schoolId))
  if (late) throw late
}

/** The student's team in an activity with what is still missing, or why none can be formed now. */
export async function ownTeam(ctx: Context, { liId }: Input<'view'>): Promise<Answer<'view'>> {
  const { suiNumber } = await activityOf(ctx, liId)
  const lesson = await reachLesson(onActivity(ctx), liId)
  const { liName, teamMin, teamMax } = lesson
  const known = await teamOf(ctx, liId)
  const fault = ctx.actor.isGraduate
    ? new Failure('graduate-reads-only')
    : selfRegistrationFault(lesson, ctx.clock.now(), { asTeam: true })
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
      can: ownActs(ctx.actor, can),
    },
  }
}

/** Founds a team whose captain the student is. */
export const foundOwnTeam = (ctx: Context, { liId, teamName }: Input<'found'>): Promise<Answer<'found'>> =>
  onLesson(ctx, liId, async (tx, lesson) => {
    assertRegistering(tx, lesson)
    await foundTeamIn(tx, lesson, { teamName, captainId: tx.actor.suId, suIds: [] })
    return { affected: 1 }
  })

/** Joins the team whose code the student has; of wrong codes they have only so many. */
export async function joinTeam(ctx: Context, { liId, joinCode }: Input<'join'>): Promise<Answer<'join'>> {
  const { teamName } = await countedTry(ctx, liId, 'team', () =>
    onLesson(ctx, liId, (tx, lesson) => {
      assertRegistering(tx, lesson)
      return joinByCodeIn(tx, lesson, joinCode, tx.actor.suId)
    }),
  )
  return { teamName }
}

/** The student leaves their team; of a confirmed one they leave the course. */
export const leaveTeam = (ctx: Context, { liId }: Input<'leave'>): Promise<Answer<'leave'>> =>
  onOwnTeam(ctx, liId, async (tx, lesson, team) => {
    await assertInTime(tx, lesson, team)
    await assertNotSigned(tx, team, tx.actor.suId, '退出队伍')
    await leaveIn(tx, lesson, team, tx.actor.suId, '')
    return { affected: 1 }
  })

/** The captain takes a member out. */
export const removeTeamMember = (ctx: Context, { liId, memberRank }: Input<'remove'>): Promise<Answer<'remove'>> =>
  asCaptain(ctx, liId, async (tx, lesson, team) => {
    await assertInTime(tx, lesson, team)
    const suId = await memberOf(tx, team.teamId, memberRank)
    await assertNotSigned(tx, team, suId, '移出队员')
    await leaveIn(tx, lesson, team, suId, '')
    return { affected: 1 }
  })

/** The captain makes another member the captain. */
export const handOverTeam = (ctx: Context, { liId, memberRank }: Input<'captain'>): Promise<Answer<'captain'>> =>
  asCaptain(ctx, liId, async (tx, lesson, team) =>
    changeCaptainIn(tx, lesson, team, await memberOf(tx, team.teamId, memberRank)),
  )

/** The captain gives the team another code; with the former one nobody joins any more. */
export const renewTeamCode = (ctx: Context, { liId }: Input<'renewCode'>): Promise<Answer<'renewCode'>> =>
  asCaptain(ctx, liId, async (tx, lesson, team) => {
    await renewCodeIn(tx, lesson, team)
    return { affected: 1 }
  })

/** The captain registers the team, all of it or nobody. */
export const confirmOwnTeam = (ctx: Context, { liId }: Input<'confirm'>): Promise<Answer<'confirm'>> =>
  asCaptain(ctx, liId, async (tx, lesson, team) => {
    assertRegistering(tx, lesson)
    const { laStatus } = await confirmIn(tx, lesson, team)
    return { laStatus: laStatus as Answer<'confirm'>['laStatus'] }
  })

/** The captain dissolves a team that forms, or cancels the registration of a confirmed one. */
export const dissolveOwnTeam = (ctx: Context, { liId }: Input<'dissolve'>): Promise<Answer<'dissolve'>> =>
  asCaptain(ctx, liId, (tx, lesson, team) =>
    team.teamStatus === teamStatus.confirmed ? cancelTeamIn(tx, lesson, team) : dissolveTeamIn(tx, lesson, team, ''),
  )
