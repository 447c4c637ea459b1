import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listDepartments, listDepartmentUsers, visibleDepartments } from './departments.queries.ts'

const departmentColumns: SheetColumn[] = [
  { key: 'sdCode', label: '部门编码', width: 14 },
  { key: 'sdName', label: '部门名称', width: 26 },
  { key: 'parentName', label: '上级部门', width: 26 },
  { key: 'sdType', label: '类型', width: 12 },
  { key: 'sdLeaderName', label: '负责人', width: 12 },
  { key: 'isGuideUnit', label: '业务指导单位', width: 14 },
  { key: 'userCount', label: '成员数', kind: 'integer' },
  { key: 'childCount', label: '下级部门', kind: 'integer' },
]

/** The departments of the list as a workbook. */
export function exportDepartments(ctx: Context, input: Checked<typeof departmentApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listDepartments(ctx, page), input),
    ({ can: _, ...row }) => ({
      ...row,
      sdType: labelOf('department_type', row.sdType),
      isGuideUnit: labelOf('yes_no', row.isGuideUnit),
    }),
  )
  return exportList(ctx, { title: '部门', columns: departmentColumns, rows, filter: input })
}

const userColumns: SheetColumn[] = [
  { key: 'suiNumber', label: '学工号', width: 16 },
  { key: 'suiName', label: '姓名', width: 12 },
  { key: 'collegeName', label: '学院', width: 26 },
  { key: 'post', label: '职务', width: 18 },
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
