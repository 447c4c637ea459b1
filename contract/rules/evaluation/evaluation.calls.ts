import { z } from 'zod'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, id, ids, nothing, option, pick, search } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy, wholeList } from '../../core/paging.ts'
import { evaluationAddForm, evaluationEditForm, evaluationRecord, levelsForm } from './evaluation.schema.ts'

const evaluationRow = evaluationRecord.extend({ lessonCount: z.number(), can: z.array(z.enum(['edit', 'delete'])) })

/** A node of the curriculum with the levels it already has rules for. */
const classNode = z.object({
  lsId: z.string(),
  lsPid: z.string().nullable(),
  lsName: z.string(),
  lsFullName: z.string(),
  levels: z.array(z.string()),
})
const ability = z.object({ sqlId: z.string(), sqlName: z.string(), sqlColor: z.string() })

const filters = {
  lsId: id('课程体系').optional(),
  esLessonLevel: z.string().max(8).optional().meta({ label: '级别' }),
  esName: search('规则名称').optional(),
  enable: pick('状态', valuesOf('enable_status')).optional(),
  ...sortedBy(
    'levelName',
    'enable',
    'baseHours',
    'hourCap',
    'credit',
    'points',
    'esName',
    'versionNo',
    'effectFrom',
    'updateTime',
  ),
}

export const evaluationApi = {
  all: call('GET', '/evaluationSystem/getAll', {
    summary: '评价体系列表',
    alsoNamed: { courseSystemId: 'lsId' },
    permit: 'evaluation:list',
    whenLeftOut: wholeList,
    input: paging.extend(filters),
    output: paged(evaluationRow),
  }),
  exportList: fileCall('POST', '/evaluationSystem/evaluationExport', {
    summary: '导出评价体系',
    permit: 'evaluation:list',
    input: paging.extend({ ...filters, reason: exportReason }),
  }),
  query: call('GET', '/evaluationSystem/query', {
    summary: '评价规则详情',
    permit: 'evaluation:list',
    input: z.object({ esId: id('评价规则') }),
    output: evaluationRecord.extend({
      lessonCount: z.number(),
      versions: z.array(
        z.object({
          esId: z.string(),
          versionNo: z.number(),
          effectFrom: z.string(),
          effectTo: z.string().nullable(),
          lessonCount: z.number(),
        }),
      ),
    }),
  }),
  add: call('POST', '/evaluationSystem/add', {
    summary: '新增评价规则',
    alsoNamed: { courseSystemId: 'lsId' },
    permit: 'evaluation:edit',
    input: evaluationAddForm,
    output: z.object({ esIds: z.array(z.string()) }),
  }),
  edit: call('POST', '/evaluationSystem/edit', {
    summary: '编辑评价规则',
    alsoNamed: { courseSystemId: 'lsId' },
    permit: 'evaluation:edit',
    input: evaluationEditForm,
    output: z.object({ esId: z.string(), versionNo: z.number(), newVersion: z.boolean() }),
  }),
  remove: call('DELETE', '/evaluationSystem/delete', {
    summary: '删除评价规则',
    permit: 'evaluation:delete',
    input: z.strictObject({ ids }),
    output: done,
  }),
  selectClass: call('GET', '/evaluationSystem/selectClass', {
    summary: '评价体系可选的课程体系',
    permit: 'signed-in',
    input: nothing,
    output: z.array(classNode),
  }),
  selectAbility: call('GET', '/evaluationSystem/selectAbility', {
    summary: '可选的能力标签',
    permit: 'signed-in',
    input: nothing,
    output: z.array(ability.extend({ groupName: z.string() })),
  }),
  quality: call('GET', '/evaluationSystem/getQuality', {
    summary: '素质标签与其能力',
    permit: 'signed-in',
    input: nothing,
    output: z.array(ability.extend({ children: z.array(ability) })),
  }),
  lessonLevel: call('GET', '/evaluationSystem/addLessonLevel', {
    summary: '可添加评价规则的级别',
    permit: 'signed-in',
    input: z.object({ lsId: id('课程体系').optional() }),
    output: z.array(option.extend({ taken: z.boolean() })),
  }),
  levels: call('GET', '/evaluationSystem/getLevels', {
    summary: '级别设置',
    permit: 'evaluation:list',
    input: nothing,
    /** `usedBy`: what keeps a level from being deleted, in words; empty where nothing does. */
    output: z.object({
      version: z.number(),
      levels: z.array(
        z.object({
          llId: z.string(),
          llName: z.string(),
          llFactor: z.string(),
          enable: z.string(),
          usedBy: z.string(),
        }),
      ),
    }),
  }),
  saveLevels: call('POST', '/evaluationSystem/saveLevels', {
    summary: '保存级别设置',
    permit: 'evaluation:level',
    input: levelsForm,
    output: done,
  }),
}
