import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { code, count, day, moment, text, texts } from '../../core/export/columns.ts'
import { exportList, inPages, pagedExport } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { listApplications } from './applications.queries.ts'
import { listClasses } from './categories.service.ts'
import { listCircles } from './circles.queries.ts'
import { readCircle } from './circles.service.ts'
import { listMembers } from './members.service.ts'

/** The circles of the list as a workbook. */
export const exportCircles = pagedExport(
  '圈子',
  [
    text('圈子编号', 'ciNo', 14),
    text('圈子名称', 'ciName', 26),
    text('分类', 'ccName', 14),
    code('级别', 'circle_level', 'ciLevel', 8),
    text('挂靠学院', 'collegeName', 24),
    text('业务指导单位', 'guideUnitName', 20),
    text('负责人', 'cpiPersonName', 10),
    texts('指导老师', 'teacherNames', 20),
    count('成员数', 'memberCount', 8),
    count('活动数', 'activityCount', 8),
    code('状态', 'circle_status', 'ciStatus', 10),
    code('审核状态', 'circle_auth_status', 'ciAuthStatus', 10),
    code('星级', 'circle_star', 'star', 8),
    day('成立日期', 'foundDate', 12),
    moment('创建时间', 'createTime'),
  ],
  listCircles,
)

/** The kinds of circle as a workbook. */
export const exportClasses = pagedExport(
  '圈子分类',
  [
    text('分类名称', 'ccName', 26),
    count('圈子数', 'circleCount', 10),
    count('排序', 'ccSort', 8),
    text('创建人', 'createName', 12),
    moment('更新时间', 'updateTime'),
  ],
  listClasses,
)

const memberColumns = [
  text('学号', 'suiNumber', 16),
  text('姓名', 'suiName', 12),
  text('学院', 'collegeName', 26),
  text('班级', 'className', 20),
  code('职务', 'circle_member_role', 'cmRole', 10),
  moment('加入时间', 'joinTime'),
]

/** The members of a circle as a workbook. */
export async function exportMembers(ctx: Context, input: Checked<typeof circleApi.exportMembers>): Promise<FileAnswer> {
  const { ciName } = await readCircle(ctx, input.ciId)
  const rows = inPages((page) => listMembers(ctx, page), input)
  return exportList(ctx, { title: `${ciName}成员`, what: '圈子成员', columns: memberColumns, rows, filter: input })
}

/** What was applied for, as a workbook. */
export const exportApplications = pagedExport(
  '圈子申请',
  [
    text('圈子名称', 'ciName', 26),
    code('申请类型', 'circle_apply_type', 'caType', 12),
    text('申请对象', 'cpiPersonName', 12),
    text('分类', 'ccName', 14),
    text('挂靠学院', 'collegeName', 24),
    text('申请说明', 'applyReason', 40),
    text('提交人', 'applyName', 12),
    moment('提交时间', 'applyTime'),
    code('审核状态', 'circle_auth_status', 'ciAuthStatus', 10),
    text('审核人', 'auditName', 12),
    moment('审核时间', 'auditTime'),
    text('审核意见', 'reason', 40),
    text('申请编号', 'caId', 38),
  ],
  listApplications,
)
