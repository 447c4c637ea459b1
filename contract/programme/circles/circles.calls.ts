import { z } from 'zod'
import { call, type ForAll } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, id, ids, nothing, pick, search, version, integer, text } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy, sortedPaging } from '../../core/paging.ts'
import { circleDetail, circleFilters, circleForm, circlePairs, circlePerson, circleRow } from './circles.schema.ts'

const memberFilters = {
  ciId: id('圈子'),
  numberOrName: search('姓名或学号').optional(),
  cmRole: pick('职务', valuesOf('circle_member_role')).optional(),
  ...sortedBy('cmRole', 'suiName', 'suiNumber', 'joinTime'),
}

/** A member of a circle. */
const member = circlePerson.extend({ cmRole: z.string(), joinTime: z.string() })
export type CircleMember = z.output<typeof member>

/**
 * What a student's page tells of a circle they are, or was, a member of. `opens`: the asking person may open the
 * circle.
 */
const studentCircle = circleRow
  .pick({ ciId: true, ciName: true, ccName: true, collegeName: true, ciStatus: true })
  .extend({
    cpiId: z.string(),
    cmRole: z.string(),
    isLeader: z.boolean(),
    joinTime: z.string(),
    quitTime: z.string().nullable(),
    opens: z.boolean(),
  })
export type StudentCircle = z.output<typeof studentCircle>

/** All circles that the list finds, each with its person in charge as it was found. */
const ofList: ForAll[] = [
  {
    list: '/api/schoolbase/circleInfo/queryCircleInfoList',
    row: 'ciId',
    name: ['ciName'],
    ids: 'ciIds',
    pair: { field: 'cpiPersonIds', row: 'cpiPersonId' },
  },
]
/** All members that the list finds. */
const ofMembers: ForAll[] = [
  {
    list: '/api/schoolbase/circleInfo/queryCircleMemberList',
    row: 'suId',
    name: ['suiName', 'suiNumber'],
    ids: 'suIds',
    atOnce: 100,
  },
]

/** Circles (clubs): what they are, who is in charge, who guides them, who belongs to them. */
export const circleApi = {
  list: call('GET', '/circleInfo/queryCircleInfoList', {
    summary: '圈子列表',
    permit: 'circle:list',
    input: sortedPaging.extend(circleFilters),
    output: paged(circleRow),
  }),
  exportList: fileCall('POST', '/circleInfo/circleExport', {
    summary: '导出圈子',
    permit: 'circle:export',
    input: sortedPaging.extend({ ...circleFilters, reason: exportReason }),
  }),
  classes: call('GET', '/circleInfo/getClass', {
    summary: '圈子分类下拉',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ ccId: z.string(), ccName: z.string() })),
  }),
  colleges: call('GET', '/circleInfo/queryCollege', {
    summary: '圈子可挂靠的学院',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ scId: z.string(), scName: z.string() })),
  }),
  students: call('GET', '/circleInfo/queryAllStudent', {
    summary: '按姓名或学号查找学生',
    permit: 'circle:list',
    cost: 'search',
    /** Several numbers, parted by blanks or commas, are looked up as they are: a class list can be pasted. */
    input: z.object({ numberOrName: z.string().trim().max(20_000, '一次最多查找 1000 个学号').optional() }),
    output: z.array(circlePerson),
  }),
  teachers: call('GET', '/circleInfo/queryTeacher', {
    summary: '按姓名或工号查找教师',
    permit: 'circle:list',
    cost: 'search',
    input: z.object({ numberOrName: search('姓名或工号').optional() }),
    output: z.array(circlePerson),
  }),
  detail: call('GET', '/circleInfo/getCircleDetail', {
    summary: '圈子详情',
    permit: 'circle:list',
    input: z.object({ ciId: id('圈子') }),
    output: circleDetail,
  }),
  /** The circles in service that the asking person has to do with, for the course form. */
  options: call('GET', '/circleInfo/selectAll', {
    summary: '圈子下拉',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ ciId: z.string(), ciName: z.string() })),
  }),
  remove: call('POST', '/circleInfo/delCircleInfo', {
    summary: '删除圈子',
    permit: 'circle:delete',
    input: circlePairs({}),
    output: done,
    forAll: ofList,
  }),
  enable: call('POST', '/circleInfo/isUseing', {
    summary: '启用圈子',
    permit: 'circle:enable',
    input: circlePairs({}),
    output: done,
    forAll: ofList,
  }),
  disable: call('POST', '/circleInfo/isNotUseing', {
    summary: '停用圈子',
    permit: 'circle:enable',
    input: circlePairs({}),
    output: done,
    forAll: ofList,
  }),
  /** Founded at once by those who audit circles; others apply for it. */
  add: call('POST', '/circleInfo/BuildNewCircle', {
    summary: '新增圈子',
    permit: 'circle:edit',
    input: z.strictObject(circleForm),
    output: z.object({ ciId: z.string(), ciAuthStatus: z.string() }),
  }),
  update: call('POST', '/circleInfo/updateCircleInfo', {
    summary: '编辑圈子',
    permit: 'circle:edit',
    input: z.strictObject({ ciId: id('圈子'), version, ...circleForm }),
    output: z.object({ affected: z.number(), ciAuthStatus: z.string() }),
  }),
  exit: call('POST', '/circleInfo/exit', {
    summary: '退出圈子',
    permit: 'signed-in',
    input: z.strictObject({ ciId: id('圈子') }),
    output: done,
  }),
  members: call('GET', '/circleInfo/queryCircleMemberList', {
    summary: '圈子成员列表',
    permit: 'circle:list',
    input: paging.extend(memberFilters),
    output: paged(member),
  }),
  exportMembers: fileCall('POST', '/circleInfo/circleMemberExport', {
    summary: '导出圈子成员',
    permit: 'circle:export',
    needsFreshCode: true,
    input: paging.extend({ ...memberFilters, reason: exportReason }),
  }),
  addMembers: call('POST', '/circleInfo/addCircleMember', {
    summary: '添加圈子成员',
    permit: 'circle:edit',
    input: z.strictObject({ ciId: id('圈子'), suIds: ids }),
    output: done,
  }),
  setRole: call('POST', '/circleInfo/setCircleMemberRole', {
    summary: '设置成员职务',
    permit: 'circle:edit',
    input: z.strictObject({ ciId: id('圈子'), suIds: ids, cmRole: pick('职务', valuesOf('circle_member_role')) }),
    output: done,
    forAll: ofMembers,
  }),
  removeMembers: call('POST', '/circleInfo/delCircleMember', {
    summary: '移出圈子成员',
    permit: 'circle:edit',
    input: z.strictObject({ ciId: id('圈子'), suIds: ids }),
    output: done,
    forAll: ofMembers,
  }),
  ofStudent: call('GET', '/circleInfo/studentCircles', {
    summary: '学生加入的圈子',
    permit: 'student:list',
    input: paging.extend({ suId: id('学生'), ciName: search('圈子名称').optional() }),
    output: paged(studentCircle),
  }),
}

/** A kind of circle as its list shows it. */
export const circleClassRow = z.object({
  ccId: z.string(),
  ccName: z.string(),
  ccSort: z.number(),
  circleCount: z.number(),
  createName: z.string(),
  updateTime: z.string(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'delete'])),
})
const classFilters = { ccName: search('分类名称').optional() }
const classFields = { ccName: text('分类名称', 30), ccSort: integer('排序', 0, 9999).default(0) }

export const circleClassApi = {
  list: call('GET', '/circleClass/queryCircleClassList', {
    summary: '圈子分类列表',
    permit: 'circle:list',
    input: sortedPaging.extend(classFilters),
    output: paged(circleClassRow),
  }),
  exportList: fileCall('POST', '/circleClass/circleClassExport', {
    summary: '导出圈子分类',
    permit: 'circle:export',
    input: sortedPaging.extend({ ...classFilters, reason: exportReason }),
  }),
  add: call('POST', '/circleClass/addCircleClass', {
    summary: '新增圈子分类',
    permit: 'circle:category',
    input: z.strictObject(classFields),
    output: z.object({ ccId: z.string() }),
  }),
  update: call('POST', '/circleClass/upDateCircleClass', {
    summary: '编辑圈子分类',
    permit: 'circle:category',
    input: z.strictObject({ ccId: id('圈子分类'), version: version.optional(), ...classFields }),
    output: done,
  }),
  remove: call('POST', '/circleClass/delCircleClass', {
    summary: '删除圈子分类',
    permit: 'circle:category',
    input: z.strictObject({ ccIds: ids }),
    output: done,
  }),
}
