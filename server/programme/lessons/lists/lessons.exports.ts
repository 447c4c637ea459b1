import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import type { SheetColumn } from '../../../../contract/core/sheets.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import type { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import type { Context } from '../../../core/request/context.ts'
import { exportList, inBatches } from '../../../core/export/exports.ts'
import { phaseOf } from '../model/lesson-life.ts'
import { exportedColumns, exportedFields, wordsOfFields } from './exported-fields.ts'
import { lessonRows, matchingLessons } from './lesson-list.queries.ts'
import { lessonFor } from '../model/lessons.queries.ts'
import { participantRows, participantsOf } from './registration.queries.ts'

const batch = 500

const participantColumns = [
  { key: 'suiNumber', label: '学号' },
  { key: 'suiName', label: '姓名' },
  { key: 'collegeName', label: '学院', width: 22 },
  { key: 'className', label: '班级', width: 20 },
  { key: 'suiGrade', label: '年级' },
  { key: 'partakeMode', label: '参与方式' },
  { key: 'laStatus', label: '报名状态' },
  { key: 'applyTime', label: '报名时间', kind: 'moment' },
  { key: 'laSignStatus', label: '签到状态' },
  { key: 'signInTime', label: '签到时间', kind: 'moment' },
  { key: 'signOutTime', label: '签退时间', kind: 'moment' },
  { key: 'laResult', label: '结果' },
  { key: 'awardName', label: '奖项' },
  { key: 'laHours', label: '学时', kind: 'amount' },
  { key: 'laCredit', label: '学分', kind: 'amount' },
  { key: 'laPoints', label: '积分', kind: 'amount' },
  { key: 'remark', label: '备注', width: 24 },
] as const satisfies readonly SheetColumn[]

/** The participants that the list would show, as a workbook. */
export async function exportParticipants(ctx: Context, filters: Checked<typeof registrationApi.export>) {
  const lesson = await lessonFor(ctx, 'export', filters.liId, { lock: false })
  const rows = inBatches(async (last: { laId: string } | undefined) => {
    let keys = participantsOf(ctx, filters).select('laId')
    if (last) keys = keys.where('laId', '>', last.laId)
    const laIds = (await keys.orderBy('laId').limit(batch).execute()).map(({ laId }) => laId)
    return (await participantRows(ctx, laIds)).map((row) => ({
      ...row,
      partakeMode: labelOf('partake_mode', row.partakeMode),
      laStatus: labelOf('apply_status', row.laStatus),
      laSignStatus: labelOf('sign_status', row.laSignStatus),
      laResult: labelOf('result_status', row.laResult),
    }))
  })
  return exportList(ctx, {
    title: `参与人员_${lesson.liName.slice(0, 40)}`,
    what: '参与人员',
    columns: participantColumns,
    rows,
    filter: filters,
  })
}

const lessonColumns = [
  { key: 'liNo', label: '课程编号' },
  { key: 'liName', label: '课程名称', width: 32 },
  { key: 'lsName', label: '课程体系', width: 24 },
  { key: 'liLevelName', label: '级别' },
  { key: 'liKind', label: '类型' },
  { key: 'liStatus', label: '状态' },
  { key: 'liSponsorName', label: '主办单位', width: 22 },
  { key: 'liPrincipalName', label: '负责人' },
  { key: 'startTime', label: '开始时间', kind: 'moment' },
  { key: 'endTime', label: '结束时间', kind: 'moment' },
  ...exportedColumns,
  { key: 'applyCount', label: '报名人数', kind: 'integer' },
  { key: 'passCount', label: '录取人数', kind: 'integer' },
  { key: 'signCount', label: '签到人数', kind: 'integer' },
  { key: 'liHours', label: '学时', kind: 'amount' },
  { key: 'liCredit', label: '学分', kind: 'amount' },
  { key: 'createName', label: '创建人' },
  { key: 'createTime', label: '创建时间', kind: 'moment' },
] as const satisfies readonly SheetColumn[]

/** The courses that the list would show, as a workbook. */
export function exportLessons(ctx: Context, filters: Checked<typeof lessonApi.export>) {
  const now = ctx.clock.now()
  const rows = inBatches(async (last: { liId: string } | undefined) => {
    let keys = matchingLessons(ctx, filters).select('lesson.liId')
    if (last) keys = keys.where('lesson.liId', '>', last.liId)
    const page = keys.orderBy('lesson.liId').limit(batch)
    const found = await lessonRows(ctx)
      .select(exportedFields)
      .where(sql<boolean>`"lesson"."liId" in (${page})`)
      .orderBy('lesson.liId')
      .execute()
    return found.map((row) => {
      const phase = phaseOf(row, now)
      return {
        ...row,
        ...wordsOfFields(row),
        liStatus: phase ? labelOf('lesson_phase', phase) : labelOf('lesson_status', row.liStatus),
        lsPath: undefined,
        myRoles: undefined,
        initiated: undefined,
      }
    })
  })
  return exportList(ctx, { title: '课程一览', columns: lessonColumns, rows, filter: filters })
}
