import { z } from 'zod'
import { enableStatus } from '../../core/codes/platform.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { done, id, ids, listed, option, optionalText, pick, search, text, version, integer } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging } from '../../core/paging.ts'
import { collegeRow, placeTree, under } from './organisation.schema.ts'

export const collegeTypes = ['学院', '书院', '系', '部'] as const

/**
 * A college as its form sends it: without `scId` a new one, with it the whole record and the version it was read in.
 */
const collegeForm = z.strictObject({
  scId: id('学院').optional(),
  version: version.optional(),
  scName: text('学院名称', 50),
  scCode: text('学院编码', 20),
  scShort: optionalText('简称', 20),
  scType: pick('类型', collegeTypes).default('学院'),
  scLeader: optionalText('负责人', 30),
  scPhone: optionalText('联系电话', 30),
  scSort: integer('排序', 0, 9999).default(0),
  enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
})

const filters = {
  scName: search('学院名称').optional(),
  scCode: search('学院编码').optional(),
  enable: pick('状态', valuesOf('enable_status')).optional(),
}
const gradeList = listed(z.array(z.string().max(10)).max(50)).meta({ label: '年级' })

export const collegeApi = {
  list: call('POST', '/schoolCollege/collegeList', {
    summary: '学院列表',
    permit: 'college:list',
    writes: false,
    input: sortedPaging.extend(filters),
    output: paged(collegeRow),
  }),
  exportList: fileCall('POST', '/schoolCollege/collegeExport', {
    summary: '导出学院',
    permit: 'college:list',
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  save: call('POST', '/schoolCollege/collegeAddOrEdit', {
    summary: '保存学院',
    permit: 'college:edit',
    input: collegeForm,
    output: z.object({ scId: z.string() }),
  }),
  remove: call('POST', '/schoolCollege/collegeDelete', {
    summary: '删除学院',
    permit: 'college:delete',
    input: z.strictObject({ collegeIdList: ids }),
    output: done,
  }),
  options: call('GET', '/schoolCollege/collegeIdNameList', {
    summary: '学院下拉',
    permit: 'signed-in',
    input: z.object({ under }),
    output: z.array(option),
  }),
  tree: call('POST', '/schoolCollege/collegeMajorClassTree', {
    summary: '学院、专业与班级树',
    permit: 'signed-in',
    writes: false,
    input: z.object({ gradeList: gradeList.optional(), under }),
    output: placeTree,
  }),
  majorAndClass: call('POST', '/schoolCollege/getMajorAndClass', {
    summary: '所选学院的专业与班级',
    permit: 'signed-in',
    writes: false,
    input: z.object({ collegeIdList: ids.optional(), gradeList: gradeList.optional() }),
    output: z.object({
      majors: z.array(option.extend({ scId: z.string() })),
      classes: z.array(option.extend({ scId: z.string(), smId: z.string(), grade: z.string() })),
    }),
  }),
}
