import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { memberApi } from '../../../contract/school/roles/members.calls.ts'
import type { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listMembers } from './members.queries.ts'
import { listRoles } from './roles.queries.ts'

const roleColumns: SheetColumn[] = [
  { key: 'srName', label: '角色名称', width: 20 },
  { key: 'srCode', label: '角色编码', width: 20 },
  { key: 'srType', label: '类型', width: 10 },
  { key: 'dataScope', label: '数据范围', width: 12 },
  { key: 'userCount', label: '成员数', kind: 'integer' },
  { key: 'permitCount', label: '权限数', kind: 'integer' },
  { key: 'enable', label: '状态', width: 10 },
  { key: 'srDesc', label: '说明', width: 40 },
  { key: 'updateTime', label: '更新时间', kind: 'moment' },
]

/** The roles of the list as a workbook. */
export function exportRoles(ctx: Context, input: Checked<typeof roleApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listRoles(ctx, page), input),
    ({ can: _, ...row }) => ({
      ...row,
      srType: labelOf('role_type', row.srType),
      dataScope: labelOf('data_scope', row.dataScope),
      enable: labelOf('enable_status', row.enable),
    }),
  )
  return exportList(ctx, { title: '角色', columns: roleColumns, rows, filter: input })
}

const memberColumns: SheetColumn[] = [
  { key: 'srName', label: '角色', width: 18 },
  { key: 'suiNumber', label: '学工号', width: 16 },
  { key: 'suiName', label: '姓名', width: 12 },
  { key: 'collegeName', label: '学院', width: 26 },
  { key: 'className', label: '班级', width: 20 },
  { key: 'dataScope', label: '数据范围', width: 12 },
  { key: 'areas', label: '管理范围', width: 40 },
  { key: 'suStatus', label: '账号', width: 10 },
  { key: 'grantTime', label: '授予时间', kind: 'moment' },
]

/** The members of roles of the list as a workbook. */
export function exportMembers(ctx: Context, input: Checked<typeof memberApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listMembers(ctx, page), input),
    (row) => ({
      srName: row.srName,
      suiNumber: row.suiNumber,
      suiName: row.suiName,
      collegeName: row.collegeName,
      className: row.className,
      dataScope: labelOf('data_scope', row.dataScope),
      areas: row.area.names.map(({ name }) => name).join('、'),
      suStatus: labelOf('account_status', row.suStatus),
      grantTime: row.grantTime,
    }),
  )
  return exportList(ctx, { title: '角色成员', columns: memberColumns, rows, filter: input })
}
