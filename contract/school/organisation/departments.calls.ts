import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import { departmentType } from '../../core/codes/school.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import {
  choice,
  done,
  flag,
  id,
  ids,
  nothing,
  optionalText,
  pick,
  search,
  text,
  version,
  integer,
} from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging, wholeList } from '../../core/paging.ts'
import { departmentNode, departmentRow, departmentUserRow, personOption } from './organisation.schema.ts'

/** A department as its form sends it; without `sdPid` it stands at the top. */
export const departmentForm = z.strictObject({
  sdId: id('部门').optional(),
  version: version.optional(),
  sdName: text('部门名称', 50),
  sdCode: text('部门编码', 20),
  sdPid: id('上级部门').optional(),
  sdType: pick('类型', valuesOf('department_type')).default(departmentType.administration),
  sdLeaderId: id('负责人').optional(),
  isGuideUnit: pick('业务指导单位', valuesOf('yes_no')).default(yesNo.no),
  sdSort: integer('排序', 0, 9999).default(0),
})

const relation = z.strictObject({
  sdId: choice('部门'),
  post: optionalText('职务', 30),
  sdSort: integer('排序', 0, 9999).default(0),
})

const filters = {
  sdName: search('部门名称').optional(),
  sdId: id('部门').optional(),
  sdPid: id('上级部门').optional(),
  sdType: pick('类型', valuesOf('department_type')).optional(),
  topOnly: flag('仅顶级').optional(),
}

const userFilters = { sdId: id('部门'), search: search('姓名或工号').optional() }

export const departmentApi = {
  list: call('POST', '/schoolDepartment/departmentInfoList', {
    summary: '部门列表',
    permit: 'department:list',
    writes: false,
    whenLeftOut: wholeList,
    input: sortedPaging.extend(filters),
    output: paged(departmentRow),
  }),
  exportList: fileCall('POST', '/schoolDepartment/departmentExport', {
    summary: '导出部门',
    permit: 'department:export',
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  save: call('POST', '/schoolDepartment/departmentInfoAddOrEdit', {
    summary: '保存部门',
    permit: 'department:edit',
    input: departmentForm,
    output: z.object({ sdId: z.string() }),
  }),
  move: call('POST', '/schoolDepartment/departmentInfoMove', {
    summary: '移动部门',
    permit: 'department:edit',
    /** Puts it below `sdPid`, or at the top without one, with `at` others before it. */
    input: z.strictObject({
      sdId: id('部门'),
      version,
      sdPid: id('上级部门').optional(),
      at: integer('位置', 0, 9999),
    }),
    output: done,
  }),
  remove: call('POST', '/schoolDepartment/departmentInfoDelete', {
    summary: '删除部门',
    permit: 'department:delete',
    input: z.strictObject({ sdId: ids }),
    output: done,
  }),
  users: call('POST', '/schoolDepartment/departmentUserInfoList', {
    summary: '部门成员列表',
    permit: 'department:list',
    writes: false,
    whenLeftOut: wholeList,
    input: sortedPaging.extend(userFilters),
    output: paged(departmentUserRow),
  }),
  exportUsers: fileCall('POST', '/schoolDepartment/departmentUserExport', {
    summary: '导出部门成员',
    permit: 'department:export',
    needsFreshCode: true,
    input: sortedPaging.extend({ ...userFilters, reason: exportReason }),
  }),
  addUsers: call('POST', '/schoolDepartment/departmentUserAdd', {
    summary: '添加部门成员',
    permit: 'department:member',
    input: z.strictObject({ sdId: id('部门'), suIds: ids, post: optionalText('职务', 30) }),
    output: done,
  }),
  removeUsers: call('POST', '/schoolDepartment/departmentUserDelete', {
    summary: '移除部门成员',
    permit: 'department:member',
    input: z.strictObject({ sdId: id('部门'), suIds: ids }),
    output: done,
  }),
  sortUsers: call('POST', '/schoolDepartment/departmentUserSort', {
    summary: '调整部门成员顺序',
    permit: 'department:member',
    /** The members in their new order; those who are not named follow in the order they had. */
    input: z.strictObject({ sdId: id('部门'), suIds: ids }),
    output: done,
  }),
  relations: call('GET', '/schoolDepartment/departmentUserRelget/{id}', {
    summary: '人员所在部门',
    permit: 'department:list',
    input: z.object({ id: id('人员') }),
    output: z.object({
      suId: z.string(),
      suiName: z.string(),
      relations: z.array(z.object({ sdId: z.string(), sdName: z.string(), post: z.string(), sdSort: z.number() })),
    }),
  }),
  setRelations: call('POST', '/schoolDepartment/departmentUserRelUpdate', {
    summary: '调整人员所在部门',
    permit: 'department:member',
    input: z.strictObject({ suId: id('人员'), relations: z.array(relation).max(50) }),
    output: done,
  }),
  childrenAndUsers: call('POST', '/schoolDepartment/departmentAndUserList', {
    summary: '下级部门与成员',
    permit: 'department:list',
    writes: false,
    input: z.object({ sdId: id('部门').optional(), search: search('部门、姓名或工号').optional() }),
    output: z.object({
      departments: z.array(
        z.object({ sdId: z.string(), sdName: z.string(), userCount: z.number(), childCount: z.number() }),
      ),
      users: z.array(personOption),
    }),
  }),
  userOptions: call('GET', '/schoolDepartment/getUserInfoList/{id}', {
    summary: '部门成员下拉',
    permit: 'department:list',
    input: z.object({ id: id('部门') }),
    output: z.array(personOption),
  }),
  tree: call('GET', '/schoolDepartment/getDepartmentTreeList', {
    summary: '部门树',
    permit: 'signed-in',
    input: nothing,
    output: z.array(departmentNode),
  }),
  ownDepartments: call('GET', '/schoolDepartment/getLoadUserDepartmentList', {
    summary: '我可代表的部门',
    permit: 'signed-in',
    input: z.object({ liId: id('课程').optional() }),
    output: z.array(z.object({ sdId: z.string(), sdName: z.string(), post: z.string(), checked: z.boolean() })),
  }),
}
