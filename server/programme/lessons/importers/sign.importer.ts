import { sql } from 'kysely'
import { applyStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { dictionary, labelOf } from '../../../../contract/core/dictionary.ts'
import type { SheetRow } from '../../../../contract/core/sheets.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { signSheet } from '../../../../contract/programme/lessons/registration.sheets.ts'
import { recordset } from '../../../core/database/bulk.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { importer, type CommitRow } from '../../../platform/imports/importer.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { signed, signMethods, writeSigns, type Sign } from '../signing/attendance.service.ts'
import { lessonFor } from '../model/lessons.queries.ts'
import { auditPeople } from '../registration/registration.service.ts'
import { lockUnchanged } from './undo-lock.ts'

type Row = SheetRow<typeof signSheet>
type Line = CommitRow<typeof signSheet, Participant | undefined>

interface Participant extends Sign {
  laId: string
  suiName: string
  suiNumber: string
  laStatus: string
  laResult: string
  signMethod: string | null
  signReason: string
  version: number
}

/** Attendance as it was before the import, and the version the import left. */
type Undo = Sign & Pick<Participant, 'laId' | 'signMethod' | 'signReason' | 'version'>

const statusOf = (label: string): string =>
  dictionary.sign_status.find(([, word]) => word === label)?.[0] ?? signStatus.signedIn

/**
 * Attendance by sheet, for participants of the course. A blank status means signed in, a blank time the start of the
 * activity.
 */
export const signImporter = importer({
  sheet: signSheet,
  permit: registrationApi.sign.permit,
  unique: [['suiNumber']],
  needs: ['liId'],

  async load(ctx, { liId }, rows: readonly Row[]) {
    const lesson = await lessonFor(ctx, 'sign', liId!, { lock: ctx.db.isTransaction })
    const numbers = rows.map(({ suiNumber }) => suiNumber)
    const { rows: found } = await sql<Participant>`
        select t."laId", p."suiName", p."suiNumber", t."laStatus", t."laResult", t."laSignStatus", t."signInTime",
          t."signOutTime", t."signMethod", t."signReason", t."version"
        from "registration" t
        join "person" p on p."schoolId" = t."schoolId" and p."suId" = t."suId"
        where t."schoolId" = ${ctx.actor.schoolId}
          and t."liId" = ${lesson.liId}::uuid
          and t."delFlag" = '0'
          and p."suiNumber" = any(${numbers}::text[])`.execute(ctx.db)
    const { signOpenMinutes } = await schoolSettings(ctx, ctx.actor.schoolId)
    return {
      lesson,
      signOpenMinutes,
      now: ctx.clock.now(),
      byNumber: new Map(found.map((one) => [one.suiNumber, one])),
    }
  },

  check(row, { lesson, signOpenMinutes, now, byNumber }) {
    const found = byNumber.get(row.suiNumber)
    if (!found) return { faults: [{ key: 'suiNumber', msg: `学号 ${row.suiNumber} 不在本课程名单中` }] }
    const faults: { key: keyof Row; msg: string }[] = []
    if (found.suiName !== row.suiName) faults.push({ key: 'suiName', msg: '姓名与学号不符' })
    if (found.laStatus !== applyStatus.accepted) faults.push({ key: 'suiNumber', msg: '该学生未被录取，不能登记签到' })
    if (row.signInTime !== '' && row.signInTime > now) faults.push({ key: 'signInTime', msg: '签到时间不能晚于现在' })
    if (row.signInTime !== '' && row.signInTime < addMinutes(lesson.startTime, -signOpenMinutes))
      faults.push({ key: 'signInTime', msg: `签到时间不能早于活动开始前 ${signOpenMinutes} 分钟` })
    const known =
      found.laSignStatus === signStatus.notSigned || found.laSignStatus === signStatus.absent
        ? undefined
        : {
            suiNumber: found.suiNumber,
            suiName: found.suiName,
            laSignStatus: labelOf('sign_status', found.laSignStatus),
            signInTime: found.signInTime ?? '',
          }
    return { faults, existing: known, found }
  },

  async commit(ctx, { liId }, rows: readonly Line[]): Promise<Undo[]> {
    const lesson = await lessonFor(ctx, 'sign', liId!)
    const at = ctx.clock.now() < lesson.startTime ? ctx.clock.now() : lesson.startTime
    const signs = rows.map(({ row, found }) => ({
      row: found!,
      sign: signed({ ...found!, signInTime: row.signInTime || found!.signInTime }, statusOf(row.laSignStatus), at),
    }))
    await writeSigns(ctx, lesson, signs, signMethods.sheet)
    await auditPeople(
      ctx,
      '导入签到',
      lesson,
      rows.map(({ row }) => row),
    )
    return rows.map(({ found }) => {
      const { laId, laSignStatus, signInTime, signOutTime, signMethod, signReason, version } = found!
      return { laId, laSignStatus, signInTime, signOutTime, signMethod, signReason, version: version + 1 }
    })
  },

  async undo(ctx, { liId }, rows: readonly Undo[]) {
    const lesson = await lessonFor(ctx, 'sign', liId!)
    const { schoolId } = ctx.actor
    const current = await lockUnchanged(ctx, lesson.liId, rows)
    const byId = new Map(rows.map((row) => [row.laId, row]))
    await writeSigns(
      ctx,
      lesson,
      current.map((row) => ({ row, sign: byId.get(row.laId)! })),
      signMethods.sheet,
    )
    await sql`
      update "registration" t
      set "signMethod" = r."signMethod", "signReason" = r."signReason"
      from ${recordset(rows, { laId: 'uuid', signMethod: 'text', signReason: 'text' })}
      where t."schoolId" = ${schoolId} and t."laId" = r."laId"`.execute(ctx.db)
    await auditPeople(ctx, '撤销导入签到', lesson, current)
  },
})
