import { partakeMode } from '../../../../contract/core/codes/programme.ts'
import { teamStatus } from '../../../../contract/core/codes/teams.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import { newId } from '../../../core/base/ids.ts'
import type { Context } from '../../../core/request/context.ts'
import { createdColumns } from '../../../core/request/stamp-columns.ts'
import { activeStatuses, type Candidate } from '../model/admission.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import { disband, setTeamStatus } from '../registration/team-members.ts'
import { memberFaults, newJoinCode } from '../registration/teams.queries.ts'
import type { ApplyRow } from './apply-rows.ts'

/** What a sheet of participants says of teams: rows of one name are a new team, registered as a whole. */
interface SheetTeams {
  /** Why the teams of the sheet cannot be registered, by name. */
  faults: ReadonlyMap<string, string>
  /** The team of those who are in the course already, by person. */
  known: ReadonlyMap<string, string>
}

const isActive = (found: Candidate | undefined) => found?.laStatus != null && activeStatuses.includes(found.laStatus)

/** Looks at the teams of a sheet as wholes; nothing to look at where people register by themselves. */
export async function teamsOfSheet(
  ctx: Context,
  lesson: ReachedLesson,
  rows: readonly ApplyRow[],
  byNumber: ReadonlyMap<string, Candidate>,
): Promise<SheetTeams> {
  const faults = new Map<string, string>()
  if (!isTeamCourse(lesson)) return { faults, known: new Map() }
  const here = [...byNumber.values()].filter(isActive).map(({ suId }) => suId)
  const known = await from(ctx, 'registration')
    .innerJoin('team', withinSchool('team.teamId', 'registration.teamId'))
    .select(['registration.suId', 'teamName'])
    .where('registration.liId', '=', lesson.liId)
    .where(anyOf('registration.suId', here))
    .execute()
  const taken = new Set(
    (
      await from(ctx, 'team')
        .select('teamName')
        .where('liId', '=', lesson.liId)
        .where('teamStatus', '<>', teamStatus.withdrawn)
        .execute()
    ).map(({ teamName }) => teamName),
  )
  const fresh = rows.filter(({ suiNumber }) => !isActive(byNumber.get(suiNumber)))
  const people = fresh.flatMap(({ suiNumber }) => byNumber.get(suiNumber)?.suId ?? [])
  const unfit = (await memberFaults(ctx, lesson, [], people)).faults
  const [min, max] = [lesson.teamMin ?? 1, lesson.teamMax ?? Infinity]
  for (const name of new Set(fresh.map(({ teamName }) => teamName).filter(Boolean))) {
    const members = fresh.filter(({ teamName }) => teamName === name)
    const first = members.flatMap(({ suiNumber }) => unfit.get(byNumber.get(suiNumber)?.suId ?? '') ?? [])[0]
    if (taken.has(name)) faults.set(name, `队伍“${name}”已存在，请在“队伍”中添加队员`)
    else if (members.length < min || members.length > max)
      faults.set(name, `队伍“${name}”在表中有 ${members.length} 人，每队须为 ${min} 至 ${max} 人`)
    else if (first) faults.set(name, `队伍“${name}”不能整队报名：${first}`)
  }
  return { faults, known: new Map(known.map(({ suId, teamName }) => [suId, teamName])) }
}

interface Fault {
  key: 'teamName'
  msg: string
}

/** What is wrong with the team of a row. Pure. */
export function faultsOfTeam(
  lesson: Pick<ReachedLesson, 'applyUnit'>,
  { teamName }: ApplyRow,
  found: Candidate,
  { faults, known }: SheetTeams,
): { faults: Fault[]; conflicts: Fault[] } {
  const fault = (msg: string) => ({ faults: [{ key: 'teamName' as const, msg }], conflicts: [] })
  if (!isTeamCourse(lesson)) return teamName ? fault('该课程按个人报名，队伍须留空') : { faults: [], conflicts: [] }
  if (isActive(found))
    return teamName && teamName !== known.get(found.suId)
      ? fault('该学生已在名单中，队伍请在“队伍”中调整')
      : { faults: [], conflicts: [] }
  if (!teamName) return fault('该课程按团队报名，请填写队伍')
  const msg = faults.get(teamName)
  return { faults: [], conflicts: msg === undefined ? [] : [{ key: 'teamName', msg }] }
}

interface SheetMember {
  teamId: string
  /** What they take part as unless the sheet says it. */
  partakeMode: string
}

/** Founds the teams of new rows, confirmed at once; @returns the team of each of these people. */
export async function foundTeams(
  ctx: Context,
  lesson: ReachedLesson,
  rows: readonly { row: ApplyRow; found: Candidate }[],
): Promise<Map<string, SheetMember>> {
  const teams = new Map<string, SheetMember>()
  if (!isTeamCourse(lesson)) return teams
  const { liId } = lesson
  for (const teamName of new Set(rows.map(({ row }) => row.teamName))) {
    const members = rows.filter(({ row }) => row.teamName === teamName)
    const [n, min, max] = [members.length, lesson.teamMin ?? 1, lesson.teamMax ?? members.length]
    // rows with faults may have been left out
    if (n < min || n > max) throw new Failure('team-size', { team: teamName, n, min, max })
    const leads = ({ row }: (typeof members)[number]) =>
      row.partakeMode === labelOf('partake_mode', partakeMode.teamLeader)
    const captain = members.find(leads) ?? members[0]!
    const team = { teamId: newId(), liId, teamName, captainId: captain.found.suId }
    await ctx.db
      .insertInto('team')
      .values({ ...createdColumns(ctx), ...team, joinCode: await newJoinCode(ctx, liId) })
      .execute()
    await ctx.db
      .insertInto('teamMember')
      .values(
        members.map(({ found }, at) => ({
          schoolId: ctx.actor.schoolId,
          teamId: team.teamId,
          liId,
          suId: found.suId,
          memberRank: at + 1,
          joinTime: ctx.clock.now(),
        })),
      )
      .execute()
    for (const { found } of members)
      teams.set(found.suId, {
        teamId: team.teamId,
        partakeMode: found === captain.found ? partakeMode.teamLeader : partakeMode.teamMember,
      })
  }
  await setTeamStatus(ctx, [...new Set([...teams.values()].map(({ teamId }) => teamId))], teamStatus.confirmed)
  return teams
}

/** Dissolves the teams of registrations whose import is taken back. */
export async function disbandTeamsOf(ctx: Context, laIds: readonly string[]): Promise<void> {
  const rows = await from(ctx, 'registration')
    .select('teamId')
    .distinct()
    .where(anyOf('laId', laIds))
    .where('teamId', 'is not', null)
    .execute()
  if (rows.length > 0)
    await disband(
      ctx,
      rows.map(({ teamId }) => teamId!),
    )
}
