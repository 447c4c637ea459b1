import { z } from 'zod'
import { call, type ForAll } from '../../core/call.ts'
import { exportReason } from '../../core/exports.ts'
import { choice, day, done, flag, id, ids, search } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging, wholeList } from '../../core/paging.ts'
import { areaInput, controlArea, memberRow } from './roles.schema.ts'

const endDate = day('有效期至').optional()
const secretary = z.object({ srId: id('角色'), suId: id('学生'), replace: flag('替换现任团支书').optional() })

/** Those whom the list finds: the filter names the role, and a row of another one is refused. */
const ofList: ForAll[] = [
  { list: '/api/schoolbase/sysRole/getRoleUserInfoList', row: 'suId', name: ['suiName', 'suiNumber'], ids: 'suIds' },
]

const filters = {
  srId: id('角色').optional(),
  suId: id('人员').optional(),
  search: search('姓名或学工号').optional(),
  suiCollegeId: id('学院').optional(),
}

export const memberApi = {
  list: call('POST', '/sysRole/getRoleUserInfoList', {
    summary: '角色成员列表',
    permit: 'role:list',
    writes: false,
    whenLeftOut: wholeList,
    input: sortedPaging.extend(filters),
    output: paged(memberRow),
  }),
  exportList: fileCall('POST', '/sysRole/roleUserExport', {
    summary: '导出角色成员',
    permit: 'role:export',
    needsFreshCode: true,
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  add: call('POST', '/sysRole/roleUserAdd', {
    summary: '添加角色成员',
    permit: 'role:grant',
    needsFreshCode: true,
    /** The control area is given to those who are new in the role; members keep theirs. */
    input: z.strictObject({ srId: choice('角色'), suIds: ids, endDate, ...areaInput }),
    output: done,
  }),
  remove: call('DELETE', '/sysRole/roleUserDelete', {
    summary: '移除角色成员',
    permit: 'role:grant',
    needsFreshCode: true,
    input: z.strictObject({ srId: id('角色'), suIds: ids }),
    output: done,
    forAll: ofList,
  }),
  area: call('POST', '/sysRole/getUserControlArea', {
    summary: '成员的管理范围',
    permit: 'role:list',
    writes: false,
    input: z.object({ srId: id('角色'), suId: id('人员') }),
    output: controlArea,
  }),
  setArea: call('POST', '/sysRole/userControlAreaAdd', {
    summary: '设置成员的管理范围',
    permit: 'role:grant',
    needsFreshCode: true,
    input: z.strictObject({ srId: id('角色'), suId: id('人员'), ...areaInput }),
    output: done,
  }),
  setEnd: call('POST', '/sysRole/roleUserEndDate', {
    summary: '设置成员的有效期',
    permit: 'role:grant',
    needsFreshCode: true,
    /** Without a day the membership holds until it is taken back. */
    input: z.strictObject({ srId: id('角色'), suIds: ids, endDate }),
    output: done,
    forAll: ofList,
  }),
  addSecretary: call('GET', '/sysRole/leagueSecretaryAdd/{srId}/{suId}', {
    summary: '设为团支书',
    permit: 'role:grant',
    needsFreshCode: true,
    writes: true,
    // a class has one secretary, and a caller who knows no other form means the new one
    whenLeftOut: () => ({ replace: true }),
    input: secretary,
    output: done,
  }),
  appointSecretary: call('POST', '/sysRole/leagueSecretaryAdd', {
    summary: '设为团支书',
    permit: 'role:grant',
    needsFreshCode: true,
    input: z.strictObject(secretary.shape),
    output: done,
  }),
  dismissSecretary: call('POST', '/sysRole/leagueSecretaryDelete', {
    summary: '免去团支书',
    permit: 'role:grant',
    needsFreshCode: true,
    input: z.strictObject({ srId: id('角色'), scClassId: id('班级') }),
    output: done,
  }),
}
