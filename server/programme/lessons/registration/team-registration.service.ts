import type { Checked } from '../../../../contract/core/call.ts'
import { applyStatus, partakeMode, signStatus } from '../../../../contract/core/codes/programme.ts'
import { quotaUnit, teamStatus } from '../../../../contract/core/codes/teams.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { teamApi } from '../../../../contract/programme/lessons/teams.calls.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { forEachItem } from '../../../core/request/for-each-item.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import type { Candidate } from '../model/admission.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { seatGroups } from '../model/seats.ts'
import { noSeat, seatsOf } from '../model/seats.queries.ts'
import { cancelFault } from './leaving.service.ts'
import { notifyStudents } from './registration-notify.service.ts'
import { enrol } from './registration-write.ts'
import { promoteWaiting } from './waiting-list.service.ts'
import { auditPeople, passRegistrations, refuseRegistrations, setStatus } from './registration.service.ts'
import { disband, letGo, rankTeam, setTeamStatus, teamRegistrations } from './team-members.ts'
import { assertFit, assertTeamCourse, assertTeamIs, membersOf, onTeam, type Team } from './teams.queries.ts'

/** What becomes of a team as a whole. */

/**
 * Registers a team, all of it or nobody: admitted, waiting for a decision, or on the waiting list, as the course says.
 */
export const confirmTeam = (ctx: Context, { teamId }: Checked<typeof teamApi.confirm>) =>
  onTeam(ctx, 'register', teamId, confirmIn)

/** Registers a locked team for whoever has been let in. */
export async function confirmIn(ctx: Context, lesson: ReachedLesson, team: Team) {
  assertTeamCourse(lesson)
  assertTeamIs(team, [teamStatus.forming], '确认')
  const { teamId, teamName } = team
  const members = await membersOf(ctx, [teamId])
  const [min, max] = [lesson.teamMin ?? 1, lesson.teamMax ?? members.length]
  if (members.length < min || members.length > max)
    throw new Failure('team-size', { team: teamName, n: members.length, min, max })
  const candidates = await assertFit(
    ctx,
    lesson,
    team,
    members.map(({ suId }) => suId),
  )
  const enrolled = await enrol(
    ctx,
    lesson,
    candidates.map((candidate) => ({
      candidate,
      partakeMode: candidate.suId === team.captainId ? partakeMode.teamLeader : partakeMode.teamMember,
      remark: '',
      teamId,
    })),
    ctx.actor.suId === team.captainId ? 'self' : 'proxy',
  )
  if (enrolled.length === 0) throw await noSeatFor(ctx, lesson, teamName, candidates)
  await rankTeam(ctx, teamId)
  await setTeamStatus(ctx, [teamId], teamStatus.confirmed)
  await auditPeople(ctx, teamApi.confirm.summary, lesson, candidates, { teamName })
  return { affected: enrolled.length, laStatus: enrolled[0]!.laStatus }
}

/** Why a whole team has no place: the course is full, has fewer left than it needs, or a college of theirs has. */
async function noSeatFor(
  ctx: Context,
  lesson: ReachedLesson,
  team: string,
  people: readonly Candidate[],
): Promise<Failure> {
  const seats = await seatsOf(ctx, lesson)
  const needed = lesson.quotaUnit === quotaUnit.team ? 1 : people.length
  if (seats.free === 0) return new Failure('quota-full')
  if (seats.free < needed) return new Failure('team-no-seat', { free: seats.free, team, n: people.length })
  const { left } = seatGroups(
    people.map((one) => [one]),
    { ...seats, byTeam: false, free: people.length },
  )
  return noSeat(lesson, seats, left[0]?.suiCollegeId ?? null)
}

/** Admits teams that wait for a decision, in the order in which they are named, as far as places reach. */
export const passTeams = (ctx: Context, { teamIds }: Checked<typeof teamApi.pass>) =>
  eachTeam(ctx, teamIds, (laIds) => passRegistrations(ctx, laIds, { asOne: true }))

/** Turns teams down; they are told the reason, and form anew. */
export const refuseTeams = (ctx: Context, { teamIds, reason }: Checked<typeof teamApi.refuse>) =>
  eachTeam(ctx, teamIds, (laIds) => refuseRegistrations(ctx, laIds, reason, { asOne: true }))

/** Does to teams of one course, each by itself, what is done to all their registrations. */
async function eachTeam(ctx: Context, teamIds: readonly string[], work: (laIds: string[]) => Promise<unknown>) {
  const teams = await from(ctx, 'team')
    .select(['teamId', 'teamName', 'teamStatus', 'liId'])
    .where(anyOf('teamId', teamIds))
    .execute()
  if (teams.length < teamIds.length) throw new Failure('not-found')
  const { liId } = teams[0]!
  if (teams.some((team) => team.liId !== liId)) throw new Failure('one-lesson-only')
  // before anything is told of the teams
  await lessonFor(ctx, 'admit', liId, { lock: false })
  const byId = new Map(teams.map((team) => [team.teamId, team]))
  return forEachItem(
    teamIds,
    async (teamId) => {
      assertTeamIs(byId.get(teamId)!, [teamStatus.confirmed], '审核')
      await work((await teamRegistrations(ctx, [teamId])).map(({ laId }) => laId))
    },
    (teamId) => byId.get(teamId)!.teamName,
  )
}

/**
 * Cancels the registration of a whole team in its name, within the time in which its members could themselves; its
 * places go to those who wait.
 */
export const cancelTeam = (ctx: Context, { teamId }: Checked<typeof teamApi.cancel>) =>
  onTeam(ctx, 'register', teamId, cancelTeamIn)

/** Cancels the registration of a locked team. */
export async function cancelTeamIn(tx: Context, lesson: ReachedLesson, team: Team) {
  const act = '取消整队报名'
  const { teamId } = team
  assertTeamIs(team, [teamStatus.confirmed], act)
  const rows = await teamRegistrations(tx, [teamId])
  const here = rows.find(({ laSignStatus }) => laSignStatus !== signStatus.notSigned)
  if (here) throw new Failure('signed-already', { name: here.suiName, act })
  const late = cancelFault(lesson, tx.clock.now(), await schoolSettings(tx, tx.actor.schoolId))
  if (late) throw late
  return goIn(tx, lesson, team, { laStatus: applyStatus.cancelled, action: teamApi.cancel.summary, reason: '' })
}

/** Dissolves a team; a registered one is taken out of the course, as its members would be one by one. */
export const dissolveTeam = (ctx: Context, { teamId, reason = '' }: Checked<typeof teamApi.dissolve>) =>
  onTeam(ctx, 'register', teamId, (tx, lesson, team) => dissolveTeamIn(tx, lesson, team, reason))

/** Dissolves a locked team. */
export async function dissolveTeamIn(tx: Context, lesson: ReachedLesson, team: Team, reason: string) {
  assertTeamIs(team, [teamStatus.forming, teamStatus.confirmed], '解散')
  return goIn(tx, lesson, team, { laStatus: applyStatus.removed, action: teamApi.dissolve.summary, reason })
}

async function goIn(
  ctx: Context,
  lesson: ReachedLesson,
  { teamId, teamName, teamStatus: status }: Team,
  { laStatus, action, reason }: { laStatus: string; action: string; reason: string },
) {
  const members = await membersOf(ctx, [teamId])
  const rows = status === teamStatus.confirmed ? await teamRegistrations(ctx, [teamId]) : []
  if (rows.length > 0) {
    await letGo(ctx, lesson, rows)
    await setStatus(ctx, lesson.liId, rows, laStatus, reason)
    await notifyStudents(
      ctx,
      lesson,
      rows.map(({ suId }) => suId),
      laStatus === applyStatus.cancelled ? 'cancelled' : 'removed',
      reason,
    )
  } else await disband(ctx, [teamId])
  await auditPeople(ctx, action, lesson, members, { teamName }, reason)
  await promoteWaiting(ctx, lesson.liId)
  return { affected: rows.length || members.length }
}
