import { z } from 'zod'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, flag, id, ids, nothing, pick, search, version } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import {
  curriculumEditForm,
  curriculumForm,
  curriculumNode,
  curriculumRecord,
  curriculumUses,
} from './curriculum.schema.ts'

export type { CurriculumNode } from './curriculum.schema.ts'

const enabled = valuesOf('enable_status')
const place = z.object({
  lsId: z.string(),
  lsPid: z.string().nullable(),
  lsName: z.string(),
  lsFullName: z.string(),
  lsPath: z.array(z.string()),
  isLeaf: z.boolean(),
})
const asked = {
  lsType: pick('适用范围', valuesOf('curriculum_type')).optional(),
  enable: pick('状态', enabled).optional(),
}

/** A node that takes supplements, with when it does and what must be proved. */
const recordingPlace = place.extend({
  /** False for a module that is listed because a node below it is open. */
  isOpen: z.boolean(),
  /** `每年 3、9 月`. */
  window: z.string(),
  /** The last open day; null where it stays open. */
  openUntil: z.string().nullable(),
  /** The day it opens next; null where it is open or never opens again. */
  opensOn: z.string().nullable(),
  /** `dictionary.sup_proof`. */
  supProofs: z.array(z.string()),
  supNote: z.string(),
})

const templateModule = z.object({
  lsCode: z.string(),
  lsName: z.string(),
  lsIcon: z.string(),
  lsColor: z.string(),
  required: z.string(),
  minHours: z.string(),
  children: z.array(z.string()),
  /** The school already has a module of this name. */
  exists: z.boolean(),
})

export const curriculumApi = {
  all: call('GET', '/lessonsClass/getAll', {
    summary: '课程体系树',
    permit: 'signed-in',
    input: z.object({ ...asked, withCounts: flag('统计课程数').optional() }),
    output: z.array(curriculumNode),
  }),
  exportList: fileCall('POST', '/lessonsClass/lessonsClassExport', {
    summary: '导出课程体系',
    permit: 'curriculum:list',
    input: z.object({ ...asked, lsName: search('体系名称').optional(), reason: exportReason }),
  }),
  dropdown: call('GET', '/lessonsClass/dropdown', {
    summary: '课程体系下拉',
    permit: 'signed-in',
    input: z.object({
      lsPid: id('上级体系').optional(),
      lsId: id('体系').optional(),
      lsName: search('体系名称').optional(),
    }),
    output: z.array(place),
  }),
  recordingClass: call('GET', '/lessonsClass/getRecordingClass', {
    summary: '可补录的课程体系',
    permit: 'signed-in',
    /** `withClosed` also lists nodes that take supplements at other times. */
    input: z.object({ lsId: id('体系').optional(), withClosed: flag('包括未到开放时间的').optional() }),
    output: z.array(recordingPlace),
  }),
  levels: call('GET', '/homePage/selectLevel', {
    summary: '课程级别',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ llId: z.string(), llName: z.string(), llFactor: z.string(), llSort: z.number() })),
  }),
  getEdit: call('GET', '/lessonsClass/getEdit', {
    summary: '课程体系详情',
    permit: 'curriculum:list',
    input: z.object({ lsId: id('体系') }),
    output: curriculumRecord.extend({ uses: curriculumUses }),
  }),
  templates: call('GET', '/lessonsClass/getTemplates', {
    summary: '课程体系模板',
    permit: 'curriculum:list',
    input: nothing,
    output: z.array(
      z.object({
        templateId: z.string(),
        templateName: z.string(),
        note: z.string(),
        modules: z.array(templateModule),
      }),
    ),
  }),
  addTemplate: call('POST', '/lessonsClass/addTemplate', {
    summary: '从模板添加课程体系',
    permit: 'curriculum:edit',
    input: z.strictObject({
      templateId: z.string().max(20),
      codes: z.array(z.string().max(20)).min(1, '请至少选择一个模块').max(50),
    }),
    output: done,
  }),
  add: call('POST', '/lessonsClass/add', {
    summary: '新增课程体系',
    permit: 'curriculum:edit',
    input: curriculumForm,
    output: z.object({ lsId: z.string() }),
  }),
  edit: call('POST', '/lessonsClass/edit', {
    summary: '编辑课程体系',
    permit: 'curriculum:edit',
    input: curriculumEditForm,
    output: done,
  }),
  move: call('POST', '/lessonsClass/move', {
    summary: '移动课程体系',
    permit: 'curriculum:edit',
    /** Without `lsPid` to the modules; without `after` to the first place there. */
    input: z.strictObject({
      lsId: id('体系'),
      version,
      lsPid: id('上级体系').optional(),
      after: id('前一个体系').optional(),
    }),
    output: done,
  }),
  enable: call('POST', '/lessonsClass/enable', {
    summary: '启用或停用课程体系',
    permit: 'curriculum:edit',
    input: z.strictObject({ lsId: ids, enable: pick('状态', enabled) }),
    output: done,
  }),
  delLs: call('GET', '/lessonsClass/delLs', {
    summary: '删除课程体系',
    permit: 'curriculum:delete',
    writes: true,
    input: z.object({ lsId: ids }),
    output: done,
  }),
  del: call('POST', '/lessonsClass/del', {
    summary: '删除课程体系',
    permit: 'curriculum:delete',
    input: z.strictObject({ lsId: ids }),
    output: done,
  }),
}
