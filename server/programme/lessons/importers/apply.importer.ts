import { sql } from 'kysely'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, partakeMode, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { dictionary, labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { applySheet } from '../../../../contract/programme/lessons/registration.sheets.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { recordset } from '../../../core/database/bulk.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { importer, type CommitRow } from '../../../platform/imports/importer.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { admissionFault, candidatesFor, activeStatuses, type Candidate } from '../model/admission.ts'
import { meritFaults, meritsFor, writeMerits, type ApplyRow } from './apply-rows.ts'
import { lessonFor, lessonAuthorities } from '../model/lessons.queries.ts'
import { ratingOf } from '../model/rating.queries.ts'
import { attendedStatuses, type Countable } from '../model/registration-counts.ts'
import { directWays, enrol, moveCounters } from '../registration/registration-write.ts'
import { promoteWaiting } from '../registration/waiting-list.service.ts'
import { auditPeople } from '../registration/registration.service.ts'
import { rankTeam } from '../registration/team-members.ts'
import { groupsOf, seatGroups } from '../model/seats.ts'
import { noSeat, seatsOf } from '../model/seats.queries.ts'
import { disbandTeamsOf, faultsOfTeam, foundTeams, teamsOfSheet } from './apply-teams.ts'
import { lockUnchanged } from './undo-lock.ts'

type Line = CommitRow<typeof applySheet, Candidate | undefined>

/** A registration before the import, as taking it back needs it. */
type Before = Countable & { partakeMode: string; remark: string } & Pick<
    Candidate,
    'signInTime' | 'signOutTime' | 'signMethod' | 'adId'
  > & { awardName: string; laHours: number; laCredit: number; laPoints: number }

/** What taking a row back needs: the registration as the import left it, and what it was before. */
interface Undo {
  laId: string
  version: number
  /** Null: there was none. */
  before: Before | null
}

const modeOf = (label: string): string =>
  dictionary.partake_mode.find(([, word]) => word === label)?.[0] ?? partakeMode.participant
const isActive = ({ laStatus }: Candidate) => laStatus !== null && activeStatuses.includes(laStatus)

/** Participants by sheet, until the result is submitted. Sees to the same rules as adding them one by one. */
export const applyImporter = importer({
  sheet: applySheet,
  permit: registrationApi.add.permit,
  unique: [['suiNumber']],
  needs: ['liId'],

  async load(ctx, { liId }, rows: readonly ApplyRow[]) {
    const lesson = await lessonFor(ctx, 'register', liId!, { lock: ctx.db.isTransaction })
    const now = ctx.clock.now()
    const rules = await schoolSettings(ctx, ctx.actor.schoolId)
    const byNumber = new Map(
      (await candidatesFor(ctx, lesson, { suiNumbers: rows.map(({ suiNumber }) => suiNumber) })).map((one) => [
        one.suiNumber,
        one,
      ]),
    )
    const direct = directWays.includes(lesson.applyWay)
    // the rows beyond the last free place, in the order of the sheet; of a team all or none
    const fit = rows.flatMap(({ suiNumber, teamName }) => {
      const found = byNumber.get(suiNumber)
      const teamId = isTeamCourse(lesson) && teamName ? teamName : null
      return found && !admissionFault(found, lesson, now, rules) ? [{ ...found, teamId }] : []
    })
    const seats = await seatsOf(ctx, lesson)
    const { seated, left } = direct ? seatGroups(groupsOf(fit), seats) : { seated: [], left: [] }
    const taken = seats.byTeam ? groupsOf(seated).length : seated.length
    const crowded = new Map(
      left.map(({ suiNumber, suiCollegeId }) => [
        suiNumber,
        noSeat(lesson, { ...seats, free: seats.free - taken }, suiCollegeId),
      ]),
    )
    const teams = await teamsOfSheet(ctx, lesson, rows, byNumber)
    const rating = await ratingOf(ctx, lesson)
    const merits = await meritsFor(
      ctx,
      lesson,
      rating,
      lessonAuthorities(ctx.actor, rules)(lesson),
      rules.importHours,
      rows,
      byNumber,
    )
    return { lesson, now, rules, byNumber, crowded, direct, merits, teams }
  },
  check(row, { lesson, now, rules, byNumber, crowded, direct, merits, teams }) {
    const found = byNumber.get(row.suiNumber)
    if (!found) return { faults: [{ key: 'suiNumber', msg: `学号 ${row.suiNumber} 不存在` }] }
    if (found.suiName !== row.suiName) return { faults: [{ key: 'suiName', msg: '姓名与学号不符' }] }
    const teamFaults = faultsOfTeam(lesson, row, found, teams)
    if (isActive(found)) {
      const rated =
        found.laResult !== resultStatus.unrated &&
        row.partakeMode !== '' &&
        modeOf(row.partakeMode) !== found.partakeMode
      const conflicts = rated ? [{ key: 'partakeMode' as const, msg: '结果已评定，参与方式请在评定时修改' }] : []
      const existing = {
        suiNumber: found.suiNumber,
        suiName: found.suiName,
        partakeMode: labelOf('partake_mode', found.partakeMode!),
        teamName: teams.known.get(found.suId) ?? '',
        awardName: found.awardName ?? '',
        signed: attendedStatuses.includes(found.laSignStatus!) ? '是' : '否',
        laHours: found.laResult === resultStatus.unrated ? null : found.laHours,
        remark: found.remark ?? '',
      }
      return {
        conflicts,
        faults: [...teamFaults.faults, ...meritFaults(row, found, found.laStatus === applyStatus.accepted, merits)],
        existing,
        found,
      }
    }
    const fault =
      admissionFault(found, lesson, now, rules) ??
      (lesson.waitlistOn === yesNo.yes ? undefined : crowded.get(row.suiNumber))
    // somebody who comes back begins anew
    const fresh = { ...found, laSignStatus: null, laResult: null, awardName: null, adId: null, laHours: null }
    return {
      conflicts: [...(fault ? [{ key: 'suiNumber' as const, msg: fault.msg }] : []), ...teamFaults.conflicts],
      faults: [...teamFaults.faults, ...meritFaults(row, fresh, direct && !crowded.has(row.suiNumber), merits)],
      found,
    }
  },
  async commit(ctx, { liId }, rows: readonly Line[], ibId): Promise<Undo[]> {
    const lesson = await lessonFor(ctx, 'register', liId!)
    const [fresh, known] = [
      rows.filter(({ verdict }) => verdict === 'new'),
      rows.filter(({ verdict }) => verdict === 'update'),
    ]
    const teams = await foundTeams(
      ctx,
      lesson,
      fresh.map(({ row, found }) => ({ row, found: found! })),
    )
    const enrolled = await enrol(
      ctx,
      lesson,
      fresh.map(({ row, found }) => {
        const team = teams.get(found!.suId)
        return {
          candidate: found!,
          partakeMode: row.partakeMode === '' && team ? team.partakeMode : modeOf(row.partakeMode),
          remark: row.remark,
          ...(team && { teamId: team.teamId }),
        }
      }),
      'import',
      { importBatchId: ibId },
    )
    if (enrolled.length < fresh.length) throw new Failure('quota-full')
    for (const teamId of new Set([...teams.values()].map((one) => one.teamId))) await rankTeam(ctx, teamId)
    await rewrite(
      ctx,
      known.map(({ row, found }) => ({ laId: found!.laId!, partakeMode: modeOf(row.partakeMode), remark: row.remark })),
    )
    const bySuId = new Map(enrolled.map((one) => [one.suId, one]))
    const merited = rows.map(({ row, found, verdict }) =>
      verdict === 'new'
        ? { row, found: { ...found!, awardName: '', laHours: null }, laId: bySuId.get(found!.suId)!.laId }
        : { row, found: found!, laId: found!.laId! },
    )
    await writeMerits(ctx, lesson.liId, merited, await ratingOf(ctx, lesson))
    await auditPeople(
      ctx,
      '导入参与人员',
      lesson,
      rows.map(({ row }) => row),
    )
    const left = await from(ctx, 'registration')
      .select(['laId', 'version'])
      .where(
        anyOf(
          'laId',
          merited.map(({ laId }) => laId),
        ),
      )
      .execute()
    const versions = new Map(left.map(({ laId, version }) => [laId, version]))
    return rows.map(({ found }, at) => ({
      laId: merited[at]!.laId,
      version: versions.get(merited[at]!.laId)!,
      before: found!.laId === null ? null : beforeOf(found!),
    }))
  },
  async undo(ctx, { liId }, rows: readonly Undo[]) {
    const lesson = await lessonFor(ctx, 'register', liId!)
    const { schoolId } = ctx.actor
    const now = ctx.clock.now()
    const columns = {
      laId: 'uuid',
      laStatus: 'text',
      partakeMode: 'text',
      remark: 'text',
      delFlag: 'text',
      laSignStatus: 'text',
      signInTime: 'timestamptz',
      signOutTime: 'timestamptz',
      signMethod: 'text',
      laResult: 'text',
      adId: 'uuid',
      awardName: 'text',
      laHours: 'int',
      laCredit: 'int',
      laPoints: 'int',
    }
    const none: Before = {
      laStatus: applyStatus.removed,
      laSignStatus: signStatus.notSigned,
      laResult: resultStatus.unrated,
      partakeMode: partakeMode.participant,
      remark: '',
      signInTime: null,
      signOutTime: null,
      signMethod: null,
      adId: null,
      awardName: '',
      laHours: 0,
      laCredit: 0,
      laPoints: 0,
    }
    const back = rows.map(({ laId, before }) => ({ laId, ...(before ?? none), delFlag: before ? yesNo.no : yesNo.yes }))
    const current = await lockUnchanged(ctx, lesson.liId, rows)
    // those who were in the course before stay in their teams
    const added = rows.filter(({ before }) => before === null || !activeStatuses.includes(before.laStatus))
    await disbandTeamsOf(
      ctx,
      added.map(({ laId }) => laId),
    )
    const taken = Object.keys(columns)
      .filter((name) => name !== 'laId')
      .map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)}`)
    await sql`
      update "registration" t
      set ${sql.join(taken)}, "waitNo" = null, "updateTime" = ${now}::timestamptz, "version" = t."version" + 1
      from ${recordset(back, columns)}
      where t."schoolId" = ${schoolId} and t."laId" = r."laId"`.execute(ctx.db)
    await moveCounters(
      ctx,
      lesson.liId,
      current,
      rows.flatMap(({ before }) => (before ? [before] : [])),
    )
    await auditPeople(ctx, '撤销导入参与人员', lesson, current)
    await promoteWaiting(ctx, lesson.liId)
  },
})

const beforeOf = ({
  laStatus,
  laSignStatus,
  laResult,
  partakeMode,
  remark,
  signInTime,
  signOutTime,
  signMethod,
  adId,
  awardName,
  laHours,
  laCredit,
  laPoints,
}: Candidate): Before => ({
  laStatus: laStatus!,
  laSignStatus: laSignStatus!,
  laResult: laResult!,
  partakeMode: partakeMode!,
  remark: remark ?? '',
  signInTime,
  signOutTime,
  signMethod,
  adId,
  awardName: awardName ?? '',
  laHours: laHours ?? 0,
  laCredit: laCredit ?? 0,
  laPoints: laPoints ?? 0,
})

/** Writes what a sheet may change about somebody already in the course. */
async function rewrite(ctx: Context, rows: { laId: string; partakeMode: string; remark: string }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update "registration" t
    set "partakeMode" = r."partakeMode",
      "remark" = r."remark",
      "updateTime" = ${ctx.clock.now()}::timestamptz,
      "version" = t."version" + 1
    from ${recordset(rows, { laId: 'uuid', partakeMode: 'text', remark: 'text' })}
    where t."schoolId" = ${ctx.actor.schoolId} and t."laId" = r."laId"`.execute(ctx.db)
}
