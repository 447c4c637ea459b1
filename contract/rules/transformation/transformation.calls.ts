import { z } from 'zod'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, id, ids, nothing, option, pick, search } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import {
  ruleDraft,
  transformationAddForm,
  transformationEditForm,
  transformationRecord,
} from './transformation.schema.ts'

const row = transformationRecord.extend({ can: z.array(z.enum(['edit', 'delete'])) })

/** A student and what the rule makes of what they have; amounts are decimal text. */
const convertedRow = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  suiGrade: z.string(),
  from: z.string(),
  to: z.string(),
  explain: z.string(),
})

const filters = {
  trName: search('规则名称').optional(),
  fromType: pick('折算来源', valuesOf('convert_from')).optional(),
  toType: pick('折算为', valuesOf('convert_to')).optional(),
  enable: pick('状态', valuesOf('enable_status')).optional(),
  ...sortedBy('trName', 'enable', 'fromType', 'toType', 'updateTime'),
}

/** Conversion rules: how hours, credit, points or volunteer hours become credit, a mark or stars on the transcript. */
export const transformationApi = {
  all: call('GET', '/transformation/getAll', {
    summary: '转换规则列表',
    permit: 'transformation:list',
    input: paging.extend(filters),
    output: paged(row),
  }),
  exportList: fileCall('POST', '/transformation/transformationExport', {
    summary: '导出转换规则',
    permit: 'transformation:list',
    input: paging.extend({ ...filters, reason: exportReason }),
  }),
  query: call('GET', '/transformation/query', {
    summary: '转换规则详情',
    permit: 'transformation:list',
    input: z.object({ trId: id('转换规则') }),
    output: transformationRecord,
  }),
  terms: call('GET', '/transformation/terms', {
    summary: '可选的生效学期',
    permit: 'transformation:list',
    input: nothing,
    output: z.array(option),
  }),
  add: call('POST', '/transformation/add', {
    summary: '新增转换规则',
    permit: 'transformation:edit',
    input: transformationAddForm,
    output: z.object({ trId: z.string() }),
  }),
  edit: call('POST', '/transformation/edit', {
    summary: '编辑转换规则',
    permit: 'transformation:edit',
    input: transformationEditForm,
    output: done,
  }),
  remove: call('POST', '/transformation/del', {
    summary: '删除转换规则',
    permit: 'transformation:edit',
    input: z.strictObject({ trIds: ids }),
    output: done,
  }),
  preview: call('POST', '/transformation/preview', {
    summary: '试算转换规则',
    permit: 'transformation:list',
    input: paging.extend({
      rule: ruleDraft,
      search: search('姓名或学号').optional(),
      suiCollegeId: id('学院').optional(),
      suiGrade: z.string().max(6).optional().meta({ label: '年级' }),
    }),
    output: paged(convertedRow).extend({
      /**
       * Over all students of the filter: how many get something, and each result with the number of students that get
       * it, highest first.
       */
      converted: z.number(),
      average: z.string(),
      spread: z.array(z.object({ to: z.string(), people: z.number() })),
    }),
  }),
}
