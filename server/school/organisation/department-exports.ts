import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { code, count, text } from '../../core/export/columns.ts'
import { exportList, inPages, pagedExport } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { listDepartments, listDepartmentUsers, visibleDepartments } from './departments.queries.ts'

/** The departments of the list as a workbook. */
export const exportDepartments = pagedExport(
  '部门',
  [
    text('部门编码', 'sdCode', 14),
    text('部门名称', 'sdName', 26),
    text('上级部门', 'parentName', 26),
    code('类型', 'department_type', 'sdType', 12),
    text('负责人', 'sdLeaderName', 12),
    code('业务指导单位', 'yes_no', 'isGuideUnit', 14),
    count('成员数', 'userCount'),
    count('下级部门', 'childCount'),
  ],
  listDepartments,
)

const userColumns = [
  text('学工号', 'suiNumber', 16),
  text('姓名', 'suiName', 12),
  text('学院', 'collegeName', 26),
  text('职务', 'post', 18),
]

/** The members of a department, those that the list would show, as a workbook. */
export async function exportDepartmentUsers(
  ctx: Context,
  input: Checked<typeof departmentApi.exportUsers>,
): Promise<FileAnswer> {
  const department = await visibleDepartments(ctx).select('sdName').where('sdId', '=', input.sdId).executeTakeFirst()
  return exportList(ctx, {
    title: `部门成员_${department?.sdName ?? ''}`,
    what: '部门成员',
    columns: userColumns,
    rows: inPages((page) => listDepartmentUsers(ctx, page), input),
    filter: input,
  })
}
