import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { applyStatus, partakeMode, signStatus } from '../../../../contract/core/codes/programme.ts'
import { quotaUnit, teamStatus } from '../../../../contract/core/codes/teams.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { teamApi } from '../../../../contract/programme/lessons/teams.calls.ts'
import { newId } from '../../../core/base/ids.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { createdColumns, updatedColumns } from '../../../core/request/stamp-columns.ts'
import type { Candidate } from '../model/admission.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { seatGroups } from '../model/seats.ts'
import { noSeat, seatsOf } from '../model/seats.queries.ts'
import { notifyStudents } from './registration-notify.service.ts'
import { enrol } from './registration-write.ts'
import { promoteWaiting } from './waiting-list.service.ts'
import { auditPeople, setStatus, withCourseQueue } from './registration.service.ts'
import { letGo, rankTeam, teamRegistrations, unrate, type TeamRegistration } from './team-members.ts'
import {
  assertFit,
  assertNameFree,
  assertTeamCourse,
  assertTeamIs,
  membersOf,
  newJoinCode,
  onTeam,
  typedCode,
  type Team,
} from './teams.queries.ts'

/**
 * Founding teams and changing who is in them. Each act is a function of a locked course, for whoever has been let in
 * (`…In`), and a call for staff, who are let in by their rights to the course.
 */

/** Teams that stand: whose members may change. */
const standing: readonly string[] = [teamStatus.forming, teamStatus.confirmed]

/** Founds a team: its captain and the first members, in the order of their ranks. */
export const foundTeam = (ctx: Context, { liId, ...team }: Checked<typeof teamApi.add>) =>
  withCourseQueue(ctx, liId, async (tx) => foundTeamIn(tx, await lessonFor(tx, 'register', liId), team))

/** Founds a team of a locked course for whoever has been let in. */
export async function foundTeamIn(
  ctx: Context,
  lesson: ReachedLesson,
  { teamName, captainId, suIds }: { teamName: string; captainId: string; suIds: readonly string[] },
) {
  assertTeamCourse(lesson)
  await assertNameFree(ctx, lesson.liId, teamName)
  const members = [...new Set([captainId, ...suIds])]
  assertRoom(lesson, teamName, 0, members.length)
  const candidates = await assertFit(ctx, lesson, { teamId: null, teamName }, members)
  const team = {
    ...createdColumns(ctx),
    teamId: newId(),
    liId: lesson.liId,
    teamName,
    captainId,
    joinCode: await newJoinCode(ctx, lesson.liId),
  }
  await ctx.db.insertInto('team').values(team).execute()
  await insertMembers(ctx, team, candidates, 0)
  await auditPeople(ctx, teamApi.add.summary, lesson, candidates, { teamName })
  return { teamId: team.teamId, joinCode: team.joinCode }
}

/** Lets a student join the team whose code they have. */
export const joinByCode = (ctx: Context, { liId, joinCode, suiNumber }: Checked<typeof teamApi.joinByCode>) =>
  withCourseQueue(ctx, liId, async (tx) => {
    const lesson = await lessonFor(tx, 'register', liId)
    const person = await from(tx, 'person').select('suId').where('suiNumber', '=', suiNumber).executeTakeFirst()
    if (!person) throw new Failure('team-number-unknown', { number: suiNumber })
    return joinByCodeIn(tx, lesson, joinCode, person.suId)
  })

/** Lets a student join by a code in a locked course; once a team is confirmed its organiser changes it. */
export async function joinByCodeIn(ctx: Context, lesson: ReachedLesson, joinCode: string, suId: string) {
  assertTeamCourse(lesson)
  const team = await from(ctx, 'team')
    .selectAll()
    .where('liId', '=', lesson.liId)
    .where('joinCode', '=', typedCode(joinCode))
    .where('teamStatus', '<>', teamStatus.withdrawn)
    .executeTakeFirst()
  if (!team) throw new Failure('team-code-wrong')
  // once it is confirmed a team is changed by its organiser
  assertTeamIs(team, [teamStatus.forming], '凭邀请码加入')
  const memberCount = await joinIn(ctx, lesson, team, [suId], teamApi.joinByCode.summary)
  return { teamId: team.teamId, teamName: team.teamName, memberCount }
}

/** Adds members to a team; to a confirmed one, they are registered with it. */
export const addMembers = (ctx: Context, { teamId, suIds }: Checked<typeof teamApi.join>) =>
  onTeam(ctx, 'register', teamId, async (tx, lesson, team) => {
    await joinIn(tx, lesson, team, suIds, teamApi.join.summary)
    return { affected: suIds.length }
  })

/** @returns how many the team has then */
async function joinIn(
  ctx: Context,
  lesson: ReachedLesson,
  team: Team,
  suIds: readonly string[],
  action: string,
): Promise<number> {
  const { teamId, teamName } = team
  assertTeamIs(team, standing, '添加队员')
  const members = await membersOf(ctx, [teamId])
  assertRoom(lesson, teamName, members.length, suIds.length)
  const candidates = await assertFit(ctx, lesson, { teamId: null, teamName }, suIds)
  await insertMembers(ctx, team, candidates, members.at(-1)?.memberRank ?? 0)
  const unrated = team.teamStatus === teamStatus.confirmed ? await registerWith(ctx, lesson, team, candidates) : 0
  await auditPeople(ctx, action, lesson, candidates, { teamName, ...(unrated > 0 && { unrated }) })
  return members.length + suIds.length
}

function assertRoom({ teamMax }: Pick<ReachedLesson, 'teamMax'>, team: string, n: number, more: number): void {
  if (teamMax !== null && n + more > teamMax) throw new Failure('team-full', { team, n, max: teamMax })
}

async function insertMembers(
  ctx: Context,
  { teamId, liId }: Pick<Team, 'teamId' | 'liId'>,
  people: readonly Candidate[],
  lastRank: number,
): Promise<void> {
  await ctx.db
    .insertInto('teamMember')
    .values(
      people.map(({ suId }, at) => ({
        schoolId: ctx.actor.schoolId,
        teamId,
        liId,
        suId,
        memberRank: lastRank + at + 1,
        joinTime: ctx.clock.now(),
      })),
    )
    .execute()
}

/**
 * Registers late members of a confirmed team in the state that it has; where places are for people, there must be one
 * for each. @returns how many of the team are to be rated anew
 */
async function registerWith(
  ctx: Context,
  lesson: ReachedLesson,
  team: Team,
  candidates: readonly Candidate[],
): Promise<number> {
  const known = await teamRegistrations(ctx, [team.teamId])
  const { laStatus, waitNo } = stateOf(known) ?? { laStatus: applyStatus.pending, waitNo: null }
  if (laStatus === applyStatus.accepted) {
    const seats = await seatsOf(ctx, lesson)
    // a team that has its place takes no other one
    const free = lesson.quotaUnit === quotaUnit.team ? 1 : seats.free
    if (seatGroups([candidates], { ...seats, free }).left.length > 0)
      throw candidates.length === 1
        ? noSeat(lesson, { ...seats, free }, candidates[0]!.suiCollegeId)
        : new Failure('team-no-seat', { free, team: team.teamName, n: candidates.length })
  }
  await enrol(
    ctx,
    lesson,
    candidates.map((candidate) => ({
      candidate,
      partakeMode: partakeMode.teamMember,
      remark: '',
      teamId: team.teamId,
    })),
    'proxy',
    { inState: { laStatus, waitNo } },
  )
  await rankTeam(ctx, team.teamId)
  return unrate(ctx, lesson.liId, known)
}

/** What became of a team: as of those of it who are not excused. */
export const stateOf = (
  rows: readonly Pick<TeamRegistration, 'laStatus' | 'waitNo'>[],
): Pick<TeamRegistration, 'laStatus' | 'waitNo'> | undefined =>
  rows.find(({ laStatus }) => laStatus !== applyStatus.onLeave) ?? rows[0]

/** Takes a member out of a team; of a confirmed one, out of the course. */
export const removeMember = (ctx: Context, { teamId, suId, reason = '' }: Checked<typeof teamApi.leave>) =>
  onTeam(ctx, 'register', teamId, async (tx, lesson, team) => {
    await leaveIn(tx, lesson, team, suId, reason)
    return { affected: 1 }
  })

/** A member who has signed in stays: to be taken out then costs credibility, which only an organiser decides. */
export async function assertNotSigned(ctx: Context, team: Team, suId: string, act: string): Promise<void> {
  const here = (await teamRegistrations(ctx, [team.teamId])).find(
    (row) => row.suId === suId && row.laSignStatus !== signStatus.notSigned,
  )
  if (here) throw new Failure('signed-already', { name: here.suiName, act })
}

/** Takes a member out of a locked team; of a confirmed one, out of the course. */
export async function leaveIn(
  ctx: Context,
  lesson: ReachedLesson,
  team: Team,
  suId: string,
  reason: string,
): Promise<void> {
  assertTeamIs(team, standing, '移出队员')
  const member = await memberIn(ctx, team, suId)
  if (suId === team.captainId) throw new Failure('captain-stays', { name: member.suiName, team: team.teamName })
  const rows = (await teamRegistrations(ctx, [team.teamId])).filter((row) => row.suId === suId)
  let unrated = 0
  if (team.teamStatus === teamStatus.confirmed && rows.length > 0) {
    unrated = await letGo(ctx, lesson, rows)
    await setStatus(ctx, lesson.liId, rows, applyStatus.removed, reason)
    await notifyStudents(ctx, lesson, [suId], 'removed', reason)
  } else
    await ctx.db
      .deleteFrom('teamMember')
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('teamId', '=', team.teamId)
      .where('suId', '=', suId)
      .execute()
  await auditPeople(
    ctx,
    teamApi.leave.summary,
    lesson,
    [member],
    { teamName: team.teamName, ...(unrated > 0 && { unrated }) },
    reason,
  )
  await promoteWaiting(ctx, lesson.liId)
}

async function memberIn(ctx: Context, team: Team, suId: string) {
  const member = (await membersOf(ctx, [team.teamId])).find((one) => one.suId === suId)
  // whoever it is: an id says nobody's name to who may not see them
  if (!member) throw new Failure('team-not-member', { team: team.teamName })
  return member
}

/** Makes another member the captain. */
export const changeCaptain = (ctx: Context, { teamId, suId }: Checked<typeof teamApi.captain>) =>
  onTeam(ctx, 'register', teamId, (tx, lesson, team) => changeCaptainIn(tx, lesson, team, suId))

/** Makes another member of a locked team its captain; where that changes what they are rated as, it is rated anew. */
export async function changeCaptainIn(tx: Context, lesson: ReachedLesson, team: Team, suId: string) {
  const { teamId } = team
  assertTeamIs(team, standing, '更换队长')
  const member = await memberIn(tx, team, suId)
  if (suId === team.captainId) return { affected: 0 }
  await tx.db
    .updateTable('team')
    .set({ captainId: suId, ...updatedColumns(tx) })
    .where('schoolId', '=', tx.actor.schoolId)
    .where('teamId', '=', teamId)
    .execute()
  const rows = await teamRegistrations(tx, [teamId])
  await tx.db
    .updateTable('registration')
    .set({
      partakeMode: sql<string>`case
            when "suId" = ${suId}::uuid then ${sql.lit(partakeMode.teamLeader)}
            else ${sql.lit(partakeMode.teamMember)}
          end`,
      updateTime: tx.clock.now(),
      version: sql<number>`version + 1`,
    })
    .where('schoolId', '=', tx.actor.schoolId)
    .where('teamId', '=', teamId)
    .where('suId', 'in', [suId, team.captainId])
    .execute()
  const unrated = await unrate(
    tx,
    lesson.liId,
    rows.filter((row) => row.suId === suId || row.suId === team.captainId),
  )
  await auditPeople(tx, teamApi.captain.summary, lesson, [member], {
    teamName: team.teamName,
    ...(unrated > 0 && { unrated }),
  })
  return { affected: 1 }
}

/** Gives a team another name, which no other of its course has. */
export const renameTeam = (ctx: Context, { teamId, teamName }: Checked<typeof teamApi.rename>) =>
  onTeam(ctx, 'register', teamId, async (tx, lesson, team) => {
    assertTeamIs(team, standing, '修改队名')
    await assertNameFree(tx, lesson.liId, teamName, teamId)
    await tx.db
      .updateTable('team')
      .set({ teamName, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('teamId', '=', teamId)
      .execute()
    await auditPeople(tx, teamApi.rename.summary, lesson, [], { teamNameBefore: team.teamName, teamName })
    return { affected: 1 }
  })

/** Gives a team that forms another code; with the former one nobody joins any more. */
export const renewCode = (ctx: Context, { teamId }: Checked<typeof teamApi.renewCode>) =>
  onTeam(ctx, 'register', teamId, renewCodeIn)

/** Gives a locked team another code. */
export async function renewCodeIn(tx: Context, lesson: ReachedLesson, team: Team) {
  assertTeamIs(team, [teamStatus.forming], '更换邀请码')
  const { teamId } = team
  const joinCode = await newJoinCode(tx, lesson.liId)
  await tx.db
    .updateTable('team')
    .set({ joinCode, ...updatedColumns(tx) })
    .where('schoolId', '=', tx.actor.schoolId)
    .where('teamId', '=', teamId)
    .execute()
  await auditPeople(tx, teamApi.renewCode.summary, lesson, [], { teamName: team.teamName })
  return { joinCode }
}
