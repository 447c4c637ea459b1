import type { Selectable } from 'kysely'
import { teamStatus } from '../../../../contract/core/codes/teams.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import { newReadableCode } from '../../../core/secrets/readable-code.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import type { Tables } from '../../../core/database/pool.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { admissionFault, candidatesFor, type Candidate } from '../model/admission.ts'
import type { LessonMove } from '../model/lesson-life.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import { withCourseQueue } from './registration.service.ts'

/** A team as services work on it; it stays as it is while its course is locked. */
export type Team = Selectable<Tables['team']>

/** A team with its course, locked, for one who may do the action to the course. */
export async function onTeam<R>(
  ctx: Context,
  move: LessonMove,
  teamId: string,
  work: (tx: Context, lesson: ReachedLesson, team: Team) => Promise<R>,
): Promise<R> {
  const found = await from(ctx, 'team').select('liId').where('teamId', '=', teamId).executeTakeFirst()
  if (!found) throw new Failure('not-found')
  return withCourseQueue(ctx, found.liId, async (tx) => {
    const lesson = await lessonFor(tx, move, found.liId)
    const team = await from(tx, 'team').selectAll().where('teamId', '=', teamId).executeTakeFirstOrThrow()
    return work(tx, lesson, team)
  })
}

/** Refuses what is for teams where people register by themselves. */
export function assertTeamCourse(lesson: Pick<ReachedLesson, 'applyUnit'>): void {
  if (!isTeamCourse(lesson)) throw new Failure('not-a-team-course')
}

/** Refuses what is not for a team in its state. */
export function assertTeamIs(
  team: Pick<Team, 'teamName' | 'teamStatus'>,
  states: readonly string[],
  act: string,
): void {
  if (!states.includes(team.teamStatus))
    throw new Failure('team-not-forming', {
      team: team.teamName,
      state: labelOf('team_status', team.teamStatus),
      act,
    })
}

/** The members of teams in the order of their ranks. */
export const membersOf = (ctx: Pick<Context, 'db' | 'actor'>, teamIds: readonly string[]) =>
  from(ctx, 'teamMember')
    .innerJoin('person', withinSchool('person.suId', 'teamMember.suId'))
    .select(['teamMember.teamId', 'teamMember.suId', 'suiName', 'suiNumber', 'suiCollegeId', 'memberRank'])
    .where(anyOf('teamMember.teamId', teamIds))
    .orderBy('memberRank')
    .orderBy('teamMember.suId')
    .execute()
export type TeamMember = Awaited<ReturnType<typeof membersOf>>[number]

/**
 * Why people cannot be in a team of a course, a sentence each, by id: every rule of registering by oneself, and that
 * nobody is in two teams.
 * @param teamIds the teams that they may be in already
 */
export async function memberFaults(
  ctx: Context,
  lesson: ReachedLesson,
  teamIds: readonly string[],
  suIds: readonly string[],
): Promise<{ faults: Map<string, string>; candidates: Map<string, Candidate> }> {
  const [found, elsewhere, rules] = [
    await candidatesFor(ctx, lesson, { suIds }),
    await from(ctx, 'teamMember')
      .innerJoin('team', withinSchool('team.teamId', 'teamMember.teamId'))
      .select(['teamMember.suId', 'teamMember.teamId', 'teamName'])
      .where('teamMember.liId', '=', lesson.liId)
      .where(anyOf('teamMember.suId', suIds))
      .execute(),
    await schoolSettings(ctx, ctx.actor.schoolId),
  ]
  const candidates = new Map(found.map((one) => [one.suId, one]))
  const faults = new Map<string, string>()
  for (const suId of suIds) {
    const candidate = candidates.get(suId)
    const other = elsewhere.find((row) => row.suId === suId && !teamIds.includes(row.teamId))
    const fault = candidate ? admissionFault(candidate, lesson, ctx.clock.now(), rules) : new Failure('not-found')
    const name = candidate?.suiName ?? '所选学生'
    if (other) faults.set(suId, `${name} 已在队伍“${other.teamName}”中`)
    else if (fault) faults.set(suId, fault.msg.includes(name) ? fault.msg : `${name}：${fault.msg}`)
  }
  return { faults, candidates }
}

/**
 * The same as a refusal that names everybody who cannot; @returns those people as the rules see them, in their order.
 */
export async function assertFit(
  ctx: Context,
  lesson: ReachedLesson,
  { teamId, teamName }: { teamId: string | null; teamName: string },
  suIds: readonly string[],
): Promise<Candidate[]> {
  const { faults, candidates } = await memberFaults(ctx, lesson, teamId === null ? [] : [teamId], suIds)
  if (faults.size > 0) throw new Failure('team-members-unfit', { team: teamName, who: [...faults.values()].join('；') })
  return suIds.map((suId) => candidates.get(suId)!)
}

/** A code by which a team is joined: eight characters, 40 random bits, that no team of the course has. */
export async function newJoinCode(ctx: Context, liId: string): Promise<string> {
  for (;;) {
    const code = newReadableCode(8)
    const taken = await from(ctx, 'team')
      .select('teamId')
      .where('liId', '=', liId)
      .where('joinCode', '=', code)
      .executeTakeFirst()
    if (!taken) return code
  }
}

/** A code as somebody types it: small letters, spaces and hyphens do no harm. */
export const typedCode = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

/** Whether a name is taken by a team that stands. */
export async function assertNameFree(ctx: Context, liId: string, teamName: string, teamId?: string): Promise<void> {
  const taken = await from(ctx, 'team')
    .select('teamId')
    .where('liId', '=', liId)
    .where('teamName', '=', teamName)
    .where('teamStatus', '<>', teamStatus.withdrawn)
    .executeTakeFirst()
  if (taken && taken.teamId !== teamId) throw new Failure('team-name-taken', { name: teamName })
}
