import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { applyStatus, applyWay, signStatus } from '../../../../contract/core/codes/programme.ts'
import { teamRole, teamStatus } from '../../../../contract/core/codes/teams.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { teamApi, TeamAction, TeamRow } from '../../../../contract/programme/lessons/teams.calls.ts'
import { asPage, contains, countOf, offsetOf } from '../../../core/database/paging.ts'
import { listOrder } from '../../../core/database/sorting.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { activeStatuses } from '../model/admission.ts'
import { hasDrawn } from '../model/draw-seed.ts'
import { refusalOf } from '../model/lesson-life.ts'
import { lessonAuthorities, reachLesson, type ReachedLesson } from '../model/lessons.queries.ts'
import { cancelFault } from '../registration/leaving.service.ts'
import { memberFaults } from '../registration/teams.queries.ts'
import { stateOf } from '../registration/teams.service.ts'

const sortable = { createTime: 'team.createTime', teamName: 'team.teamName' }

/** The teams of a course with their members, and what whoever asks may do to each now. */
export async function listTeams(ctx: Context, input: Checked<typeof teamApi.view>) {
  const lesson = await reachLesson(ctx, input.liId)
  let query = from(ctx, 'team').where('liId', '=', input.liId)
  if (input.teamName) query = query.where(contains('teamName', input.teamName))
  if (input.teamStatus) query = query.where('teamStatus', '=', input.teamStatus)
  if (input.suiNumber)
    query = query.where(
      sql<boolean>`exists (
          select
          from "teamMember" m
          join "person" p on p."schoolId" = m."schoolId" and p."suId" = m."suId"
          where m."schoolId" = "team"."schoolId" and m."teamId" = "team"."teamId" and p."suiNumber" = ${input.suiNumber}
        )`,
    )
  const [teams, total, allowed] = await Promise.all([
    query
      .selectAll()
      // dissolved ones come last
      .orderBy(sql`"teamStatus" = ${sql.lit(teamStatus.withdrawn)}`)
      .orderBy(listOrder(input, sortable))
      .orderBy('createTime')
      .orderBy('teamId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
    allowedActs(ctx, lesson),
  ])
  const teamIds = teams.map(({ teamId }) => teamId)
  const [members, refusals] = await Promise.all([shownMembers(ctx, teamIds), refusalsOf(ctx, teamIds)])
  const forming = teams.filter((team) => team.teamStatus === teamStatus.forming).map(({ teamId }) => teamId)
  const { faults } = await memberFaults(
    ctx,
    lesson,
    forming,
    members.flatMap(({ teamId, suId }) => (forming.includes(teamId) ? [suId] : [])),
  )
  const records = teams.map((team): TeamRow => {
    const own = members.filter(({ teamId }) => teamId === team.teamId)
    const can = allowed(team.teamStatus, own)
    const state = team.teamStatus === teamStatus.confirmed ? stateOf(own.filter(isRegistered)) : undefined
    return {
      teamId: team.teamId,
      liId: team.liId,
      teamName: team.teamName,
      teamStatus: team.teamStatus,
      laStatus: state?.laStatus ?? null,
      waitNo: state?.waitNo ?? null,
      drawNo: own[0]?.drawNo ?? null,
      joinCode: can.includes('code') ? team.joinCode : '',
      captainId: team.captainId,
      captainName: own.find(({ suId }) => suId === team.captainId)?.suiName ?? '',
      memberCount: own.length,
      members: own.map(({ teamId: _team, drawNo: _draw, waitNo: _wait, laHours, awardName, ...one }, at) => ({
        ...one,
        teamRank: at + 1,
        teamRole: one.suId === team.captainId ? teamRole.captain : teamRole.member,
        awardName: awardName ?? '',
        laHours: fromHundredths(laHours ?? 0),
      })),
      blocks: forming.includes(team.teamId) ? blocksOf(lesson, team.teamName, own, faults) : [],
      refuseReason: forming.includes(team.teamId) ? (refusals.get(team.teamId) ?? '') : '',
      confirmTime: team.confirmTime,
      createTime: team.createTime,
      can,
    }
  })
  return asPage(records, total, input)
}

interface ShownMember {
  teamId: string
  suId: string
  suiName: string
  suiNumber: string
  collegeName: string
  laStatus: string | null
  laSignStatus: string | null
  laResult: string | null
  awardName: string | null
  laHours: number | null
  waitNo: number | null
  drawNo: number | null
}
const isRegistered = (member: ShownMember): member is ShownMember & { laStatus: string } => member.laStatus !== null

/** The members of teams in the order of their ranks, with their registration where it is the team's and stands. */
async function shownMembers({ db, actor }: Context, teamIds: readonly string[]): Promise<ShownMember[]> {
  if (teamIds.length === 0) return []
  const { rows } = await sql<ShownMember>`
    select m."teamId", m."suId", p."suiName", p."suiNumber", coalesce(c."scName", '') as "collegeName", r."laStatus",
      r."laSignStatus", r."laResult", r."awardName", r."laHours", r."waitNo", r."drawNo"
    from "teamMember" m
    join "person" p on p."schoolId" = m."schoolId" and p."suId" = m."suId"
    left join "college" c on c."schoolId" = p."schoolId" and c."scId" = p."suiCollegeId"
    left join "registration" r on r."schoolId" = m."schoolId"
      and r."teamId" = m."teamId"
      and r."suId" = m."suId"
      and r."delFlag" = '0'
      and r."laStatus" = any(${activeStatuses}::text[])
    where m."schoolId" = ${actor.schoolId} and m."teamId" = any(${teamIds}::uuid[])
    order by m."teamId", m."memberRank", m."suId"`.execute(db)
  return rows
}

/** Why teams were turned down the last time, by team. */
async function refusalsOf({ db, actor }: Context, teamIds: readonly string[]): Promise<Map<string, string>> {
  if (teamIds.length === 0) return new Map()
  const { rows } = await sql<{ teamId: string; refuseReason: string }>`
    select distinct on (r."teamId") r."teamId", r."refuseReason"
    from "registration" r
    where r."schoolId" = ${actor.schoolId}
      and r."teamId" = any(${teamIds}::uuid[])
      and r."delFlag" = '0'
      and r."laStatus" = ${sql.lit(applyStatus.refused)}
    order by r."teamId", r."auditTime" desc`.execute(db)
  return new Map(rows.map(({ teamId, refuseReason }) => [teamId, refuseReason]))
}

/** Why a team that forms cannot be confirmed yet. */
function blocksOf(
  lesson: Pick<ReachedLesson, 'teamMin' | 'teamMax'>,
  team: string,
  members: readonly ShownMember[],
  faults: ReadonlyMap<string, string>,
): string[] {
  const [n, min, max] = [members.length, lesson.teamMin ?? 1, lesson.teamMax ?? members.length]
  return [
    ...(n < min ? [`还差 ${min - n} 人（每队 ${min} 至 ${max} 人）`] : []),
    ...(n > max ? [new Failure('team-size', { team, n, min, max }).msg] : []),
    ...members.flatMap(({ suId }) => faults.get(suId) ?? []),
  ]
}

/** The acts that the course allows the person now, as a function of a team and its members. */
async function allowedActs(ctx: Context, lesson: ReachedLesson) {
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const now = ctx.clock.now()
  const authority = lessonAuthorities(ctx.actor, rules)(lesson)
  const [mayRegister, mayAdmit, mayAward] = (['register', 'admit', 'award'] as const).map(
    (move) => !refusalOf(move, lesson, authority, now),
  )
  const undrawn = lesson.applyWay === applyWay.draw && !(await hasDrawn(ctx, lesson.liId))
  const late = cancelFault(lesson, now, rules) !== undefined
  return (status: string, members: readonly ShownMember[]): TeamAction[] => {
    if (status === teamStatus.withdrawn) return []
    const isForming = status === teamStatus.forming
    const has = (laStatus: string) => members.some((one) => one.laStatus === laStatus)
    const isHere = members.some(({ laSignStatus }) => laSignStatus !== null && laSignStatus !== signStatus.notSigned)
    const acts: [TeamAction, boolean | undefined][] = [
      ['confirm', mayRegister && isForming],
      ['pass', mayAdmit && has(applyStatus.pending) && !undrawn],
      ['refuse', mayAdmit && (has(applyStatus.pending) || has(applyStatus.waitlisted))],
      ['award', mayAward && has(applyStatus.accepted)],
      ['join', mayRegister && members.length < (lesson.teamMax ?? Infinity)],
      ['leave', mayRegister && members.length > 1],
      ['captain', mayRegister && members.length > 1],
      ['rename', mayRegister],
      ['code', mayRegister && isForming],
      ['cancel', mayRegister && !isForming && !isHere && !late],
      ['dissolve', mayRegister],
    ]
    return acts.flatMap(([act, may]) => (may ? [act] : []))
  }
}
