import { z } from 'zod'
import { dataScope } from '../../core/codes/school.ts'
import { enableStatus } from '../../core/codes/platform.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, id, ids, nothing, optionalText, pick, search, text, version, integer } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging } from '../../core/paging.ts'
import { personOption } from '../organisation/organisation.schema.ts'
import { ownRightsTree, roleRow, roleUse } from './roles.schema.ts'

/**
 * A role as its form sends it. Of built-in roles only the description, the order and whether they are on can be
 * changed.
 */
const roleForm = z.strictObject({
  srId: id('角色').optional(),
  version: version.optional(),
  srName: text('角色名称', 30),
  srCode: z
    .string()
    .trim()
    .regex(/^[A-Z][A-Z0-9_]{1,29}$/, '角色编码须以大写字母开头，只含大写字母、数字和下划线')
    .optional()
    .meta({ label: '角色编码', max: 30 }),
  srDesc: optionalText('说明', 200),
  srSort: integer('排序', 0, 9999).default(0),
  enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
  dataScope: pick('数据范围', valuesOf('data_scope')).default(dataScope.self),
  permits: z.array(z.string().max(60)).max(500).default([]).meta({ label: '权限' }),
})

const roleChoice = z.object({ srId: z.string(), srName: z.string(), srCode: z.string() })

const filters = {
  srName: search('角色名称').optional(),
  srType: pick('类型', valuesOf('role_type')).optional(),
  enable: pick('状态', valuesOf('enable_status')).optional(),
  dataScope: pick('数据范围', valuesOf('data_scope')).optional(),
}

/** Most roles, and most people, that `search` gives. */
export const maxFoundRoles = 50

export const roleApi = {
  list: call('POST', '/sysRole/roleInfoList', {
    summary: '角色列表',
    permit: 'role:list',
    writes: false,
    input: sortedPaging.extend(filters),
    output: paged(roleRow),
  }),
  exportList: fileCall('POST', '/sysRole/roleExport', {
    summary: '导出角色',
    permit: 'role:export',
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  save: call('POST', '/sysRole/roleAddOrEdit', {
    summary: '保存角色',
    permit: 'role:edit',
    needsFreshCode: true,
    input: roleForm,
    output: z.object({ srId: z.string() }),
  }),
  remove: call('DELETE', '/sysRole/roleDelete', {
    summary: '删除角色',
    permit: 'role:delete',
    needsFreshCode: true,
    input: z.strictObject({ ids }),
    output: done,
  }),
  verify: call('GET', '/sysRole/roleVerify/{id}', {
    summary: '检查角色能否删除',
    permit: 'role:list',
    input: z.object({ id: id('角色') }),
    output: roleUse,
  }),
  resources: call('GET', '/sysRole/roleResourceData/{id}', {
    summary: '角色的权限',
    permit: 'role:list',
    input: z.object({ id: id('角色') }),
    output: roleRow.extend({ permits: z.array(z.string()) }),
  }),
  menuTree: call('GET', '/sysRole/getMenuTreeAtRoleMenuTreeList', {
    summary: '菜单与按钮权限树',
    permit: 'role:list',
    input: nothing,
    output: ownRightsTree,
  }),
  options: call('GET', '/sysRole/getSysRoleListBySchoolId', {
    summary: '角色下拉',
    permit: 'signed-in',
    input: nothing,
    output: z.array(roleChoice.extend({ dataScope: z.string(), srType: z.string() })),
  }),
  ownRoles: call('GET', '/sysRole/getLoadUserRoleList', {
    summary: '我可代表的角色',
    permit: 'signed-in',
    input: z.object({ liId: id('课程').optional() }),
    output: z.array(roleChoice),
  }),
  search: call('POST', '/sysRole/getRoleListOrUserListBySearch', {
    summary: '查找角色或其成员',
    permit: 'signed-in',
    cost: 'search',
    writes: false,
    /** With `srId` the members of that role, without it roles and people; at most {@link maxFoundRoles} of each. */
    input: z.object({ srId: id('角色').optional(), search: search('角色、姓名或学工号').optional() }),
    output: z.object({ roles: z.array(roleChoice), users: z.array(personOption) }),
  }),
}
