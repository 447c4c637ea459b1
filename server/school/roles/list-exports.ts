import { code, count, moment, text, texts } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listMembers } from './members.queries.ts'
import { listRoles } from './roles.queries.ts'

/** The roles of the list as a workbook. */
export const exportRoles = pagedExport(
  '角色',
  [
    text('角色名称', 'srName', 20),
    text('角色编码', 'srCode', 20),
    code('类型', 'role_type', 'srType', 10),
    code('数据范围', 'data_scope', 'dataScope', 12),
    count('成员数', 'userCount'),
    count('权限数', 'permitCount'),
    code('状态', 'enable_status', 'enable', 10),
    text('说明', 'srDesc', 40),
    moment('更新时间', 'updateTime'),
  ],
  listRoles,
)

const areas = ({ area }: { area: { names: readonly { name: string }[] } }) => area.names.map(({ name }) => name)

/** The members of roles of the list as a workbook. */
export const exportMembers = pagedExport(
  '角色成员',
  [
    text('角色', 'srName', 18),
    text('学工号', 'suiNumber', 16),
    text('姓名', 'suiName', 12),
    text('学院', 'collegeName', 26),
    text('班级', 'className', 20),
    code('数据范围', 'data_scope', 'dataScope', 12),
    texts('管理范围', areas, 40),
    code('账号', 'account_status', 'suStatus', 10),
    moment('授予时间', 'grantTime'),
  ],
  listMembers,
)
