import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import type { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listApplications } from './applications.queries.ts'
import { listCircles } from './circles.queries.ts'
import { reachCircle } from './circles.service.ts'
import { listMembers } from './members.service.ts'

const circleColumns: SheetColumn[] = [
  { key: 'ciNo', label: '圈子编号', width: 14 },
  { key: 'ciName', label: '圈子名称', width: 26 },
  { key: 'ccName', label: '分类', width: 14 },
  { key: 'ciLevel', label: '级别', width: 8 },
  { key: 'collegeName', label: '挂靠学院', width: 24 },
  { key: 'guideUnitName', label: '业务指导单位', width: 20 },
  { key: 'cpiPersonName', label: '负责人', width: 10 },
  { key: 'teacherNames', label: '指导老师', width: 20 },
  { key: 'memberCount', label: '成员数', kind: 'integer', width: 8 },
  { key: 'activityCount', label: '活动数', kind: 'integer', width: 8 },
  { key: 'ciStatus', label: '状态', width: 10 },
  { key: 'ciAuthStatus', label: '审核状态', width: 10 },
  { key: 'foundDate', label: '成立日期', kind: 'date', width: 12 },
  { key: 'createTime', label: '创建时间', kind: 'moment' },
]

/** The circles of the list as a workbook. */
export function exportCircles(ctx: Context, input: Checked<typeof circleApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listCircles(ctx, page), input),
    ({ can: _, ...row }) => ({
      ...row,
      teacherNames: row.teacherNames.join('、'),
      ciLevel: labelOf('circle_level', row.ciLevel),
      ciStatus: labelOf('circle_status', row.ciStatus),
      ciAuthStatus: labelOf('circle_auth_status', row.ciAuthStatus),
    }),
  )
  return exportList(ctx, { title: '圈子', columns: circleColumns, rows, filter: input })
}

const memberColumns: SheetColumn[] = [
  { key: 'suiNumber', label: '学号', width: 16 },
  { key: 'suiName', label: '姓名', width: 12 },
  { key: 'collegeName', label: '学院', width: 26 },
  { key: 'className', label: '班级', width: 20 },
  { key: 'cmRole', label: '职务', width: 10 },
  { key: 'joinTime', label: '加入时间', kind: 'moment' },
]

/** The members of a circle as a workbook. */
export async function exportMembers(ctx: Context, input: Checked<typeof circleApi.exportMembers>): Promise<FileAnswer> {
  const { ciName } = await reachCircle(ctx, input.ciId)
  const rows = mapped(
    inPages((page) => listMembers(ctx, page), input),
    (row) => ({ ...row, cmRole: labelOf('circle_member_role', row.cmRole) }),
  )
  return exportList(ctx, { title: `${ciName}成员`, what: '圈子成员', columns: memberColumns, rows, filter: input })
}

const applicationColumns: SheetColumn[] = [
  { key: 'ciName', label: '圈子名称', width: 26 },
  { key: 'caType', label: '申请类型', width: 12 },
  { key: 'cpiPersonName', label: '申请对象', width: 12 },
  { key: 'ccName', label: '分类', width: 14 },
  { key: 'collegeName', label: '挂靠学院', width: 24 },
  { key: 'applyReason', label: '申请说明', width: 40, max: 500 },
  { key: 'applyName', label: '提交人', width: 12 },
  { key: 'applyTime', label: '提交时间', kind: 'moment' },
  { key: 'ciAuthStatus', label: '审核状态', width: 10 },
  { key: 'auditName', label: '审核人', width: 12 },
  { key: 'auditTime', label: '审核时间', kind: 'moment' },
  { key: 'reason', label: '审核意见', width: 40, max: 500 },
  { key: 'caId', label: '申请编号', width: 38 },
]

/** What was applied for, as a workbook. */
export function exportApplications(
  ctx: Context,
  input: Checked<typeof circleApplyApi.exportList>,
): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listApplications(ctx, page), input),
    ({ can: _, materials: __, ...row }) => ({
      ...row,
      caType: labelOf('circle_apply_type', row.caType),
      ciAuthStatus: labelOf('circle_auth_status', row.ciAuthStatus),
    }),
  )
  return exportList(ctx, { title: '圈子申请', columns: applicationColumns, rows, filter: input })
}
