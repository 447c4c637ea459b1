import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { yesNo } from '../../core/codes/platform.ts'
import { supplementTab } from '../../core/codes/programme.ts'
import { caseTask } from '../approvals/approvals.calls.ts'
import { call, type ForAll } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { submittedDifference } from '../../core/difference.ts'
import { batchResult } from '../../core/batch-result.ts'
import {
  choice,
  done,
  flag,
  fileIds,
  id,
  ids,
  nothing,
  optionalText,
  pick,
  rangeEnd,
  rangeStart,
  search,
  version,
} from '../../core/fields.ts'
import { fileCall, fileOutput } from '../../core/file.ts'
import { paged, pagedUpTo, paging, sortedBy } from '../../core/paging.ts'
import { flowPreviewFields } from '../../rules/workflow/flow-preview.ts'
import {
  noticedSupplement,
  supplementCorrection,
  supplementDetail,
  supplementForm,
  supplementHint,
  supplementRow,
} from './supplements.schema.ts'

const lisId = id('补录记录')
const one = z.object({ lisId })
const action = z.strictObject({ lisId, version: version.optional() })

/**
 * Filters that the list, its export and its counts take. `flagType`: a tab, `supplementTab`.
 */
const filters = {
  suiName: search('姓名').optional(),
  suiNumber: search('学号').optional(),
  lisName: search('补录名称').optional(),
  lisAward: search('奖项').optional(),
  lisType: pick('补录类型', valuesOf('sup_type')).optional(),
  flagType: pick('页签', codesOf(supplementTab)).optional(),
  lisStatus: pick('状态', valuesOf('sup_status')).optional(),
  lsId: id('模块').optional(),
  lisLevel: z.string().max(10).optional(),
  collegeId: id('学院').optional(),
  suiGrade: z.string().max(10).optional(),
  certNo: search('证书编号').optional(),
  source: pick('来源', valuesOf('sup_source')).optional(),
  mySup: flag('我录入的').optional(),
  obtainStart: rangeStart('获得日期起').optional(),
  obtainEnd: rangeEnd('获得日期止').optional(),
}
/** What the list may be sorted by. */
const sorting = {
  ...sortedBy('createTime', 'lisObtainDate', 'lisName', 'suiNumber', 'lisHours', 'lisPublictyEdate'),
}

/** All records that the list finds; `ids` is the field of the input that takes theirs. */
const ofList = (ids: string, more: Partial<ForAll> = {}): ForAll => ({
  list: '/api/schoolbase/lessonsInfoSup/list',
  row: 'lisId',
  name: ['suiName', 'lisName'],
  ids,
  ...more,
})

/** Left out, a notice begins today and lasts as long as the school asks for; one that runs keeps its days. */
const period = {
  lisPublictySdate: rangeStart('公示开始日期').optional(),
  lisPublictyEdate: rangeEnd('公示结束日期').optional(),
}
/** `delFlag` 1 takes records out of public notice again. `version` is of a single one. */
const editPublicty = {
  summary: '公示补录',
  permit: 'sup:publicity',
  writes: true,
  input: z.object({
    lisId: ids,
    version: version.optional(),
    ...period,
    delFlag: pick('取消公示', [yesNo.no, yesNo.yes]).optional(),
    reason: optionalText('取消公示原因', 500),
  }),
  output: done,
  forAll: [ofList('lisId')],
} as const
/**
 * `delFlag` 1 deletes, 0 brings back what was deleted. `reverse` allows to delete what has been credited, by entries of
 * the opposite value; it needs a reason.
 */
const remove = {
  summary: '删除补录',
  permit: 'sup:edit',
  writes: true,
  input: z.object({
    lisId: ids,
    delFlag: pick('删除标记', [yesNo.no, yesNo.yes]),
    reverse: flag('冲正').optional(),
    reason: optionalText('删除原因', 500),
  }),
  output: done,
  // one by one: approvals are locked before records, as deciders do
  forAll: [
    ofList('lisId', {
      undo: {
        path: '/api/schoolbase/lessonsInfoSup/edit',
        given: ({ delFlag }) => ({ delFlag: delFlag === yesNo.yes ? yesNo.no : yesNo.yes }),
      },
    }),
  ],
} as const

export const supplementApi = {
  list: call('GET', '/lessonsInfoSup/list', {
    summary: '补录列表',
    permit: 'sup:list',
    pageField: 'currentPageNum',
    input: paging.extend({ ...sorting, ...filters }),
    output: pagedUpTo(supplementRow),
  }),
  count: call('GET', '/lessonsInfoSup/count', {
    summary: '各页签补录数',
    permit: 'sup:list',
    input: z.object(filters).omit({ lisStatus: true, flagType: true }),
    /** Null where more records fit the filters than are counted. */
    output: z.array(z.object({ lisStatus: z.string(), count: z.number() })).nullable(),
  }),
  detail: call('GET', '/lessonsInfoSup/detail', {
    summary: '补录详情',
    permit: 'sup:list',
    input: one,
    output: supplementDetail,
  }),
  load: call('GET', '/lessonsInfoSup/editLessonsSup', {
    summary: '取补录编辑内容',
    permit: 'sup:edit',
    input: one,
    output: supplementDetail,
  }),
  save: call('POST', '/lessonsInfoSup/editSup', {
    summary: '保存补录',
    permit: 'sup:edit',
    input: supplementForm,
    output: z.object({ lisId: z.string(), lisStatus: z.string(), version: z.number() }),
  }),
  /** Verifies the credential of a record once more, for whoever decides on records: it may have been revoked since. */
  recheckCredential: call('POST', '/lessonsInfoSup/recheckCredential', {
    summary: '重新核验电子凭证',
    permit: 'approval:supplement',
    input: z.strictObject({ lisId }),
    output: done,
  }),
  dupHints: call('POST', '/lessonsInfoSup/dupHints', {
    summary: '查找疑似重复的补录',
    permit: 'sup:edit',
    writes: false,
    input: z.object({
      lisId: lisId.optional(),
      suId: id('学生').optional(),
      lisName: search('补录名称').optional(),
      lisObtainDate: search('获得日期').optional(),
      certNo: search('证书编号').optional(),
      lisProofs: fileIds('证明材料', 10),
    }),
    output: z.array(supplementHint),
  }),
  flowPreview: call('POST', '/lessonsInfoSup/flowPreview', {
    summary: '预览补录审批人与学时',
    permit: 'sup:edit',
    writes: false,
    input: z.object({
      suId: id('学生'),
      lsId: id('模块'),
      lisLevel: z.string().max(10),
      lisType: pick('补录类型', valuesOf('sup_type')).optional(),
      lisPartakeMode: pick('参与方式', valuesOf('partake_mode')).optional(),
      lisAward: search('奖项').optional(),
      lisTeamSize: z.coerce.number().int().min(2).max(100).optional(),
      lisRank: z.coerce.number().int().min(1).max(100).optional(),
      lisHoursDeclared: z.string().max(10).optional(),
    }),
    output: z.object({
      ...flowPreviewFields,
      reckoning: supplementDetail.shape.reckoning,
    }),
  }),
  submit: call('POST', '/lessonsInfoSup/submit', {
    summary: '提交补录审批',
    permit: 'sup:edit',
    input: z.strictObject({ lisId: ids }),
    output: batchResult,
    forAll: [ofList('lisId')],
  }),
  withdraw: call('POST', '/lessonsInfoSup/withdraw', {
    summary: '撤回补录审批',
    permit: 'sup:edit',
    input: action,
    output: done,
  }),
  editPublicty: call('GET', '/lessonsInfoSup/editPublicty', editPublicty),
  publicise: call('POST', '/lessonsInfoSup/editPublicty', editPublicty),
  batchEditPublicty: call('POST', '/lessonsInfoSup/batchEditPublicty', {
    summary: '批量公示补录',
    permit: 'sup:publicity',
    input: z.strictObject({ ids, ...period }),
    output: done,
    forAll: [ofList('ids', { atOnce: 200 })],
  }),
  /** Records in public notice as the public sees them; with `lisId` one of them. */
  publictyList: call('GET', '/lessonsInfoSup/publictyList', {
    summary: '补录公示名单',
    permit: 'sup:list',
    input: paging.extend({ lisId: lisId.optional(), suiNumber: search('学号').optional() }),
    output: paged(noticedSupplement),
  }),
  /** Without `delFlag` a plain caller edits what else they send, as `editSup` does (decision 018). */
  edit: call('GET', '/lessonsInfoSup/edit', {
    ...remove,
    input: z.looseObject({ ...remove.input.shape, delFlag: remove.input.shape.delFlag.optional() }),
  }),
  remove: call('POST', '/lessonsInfoSup/edit', remove),
  correct: call('POST', '/lessonsInfoSup/correct', {
    summary: '更正已入账补录',
    permit: 'sup:correct',
    input: supplementCorrection,
    output: done,
  }),
  proof: call('GET', '/lessonsInfoSup/proof', {
    summary: '查看补录证明材料',
    permit: 'signed-in',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('证明材料') }),
    output: fileOutput,
  }),
  exportList: fileCall('POST', '/lessonsInfoSup/export', {
    summary: '导出补录',
    permit: 'sup:export',
    needsFreshCode: true,
    input: paging.extend({ ...sorting, ...filters, reason: exportReason }),
  }),
  exportTemplate: fileCall('POST', '/lessonsInfoSup/exportTemplate', {
    summary: '下载补录导入模板',
    permit: 'sup:edit',
    input: nothing,
  }),
  exportATemplate: fileCall('GET', '/lessonsInfoSup/exportATemplate', {
    summary: '下载获奖补录导入模板',
    permit: 'sup:edit',
    input: nothing,
  }),
  errorExcel: fileCall('GET', '/lessonsInfoSup/downloadLessonErrorExcel', {
    summary: '下载补录错误表',
    permit: 'sup:edit',
    input: z.object({
      errorId: z.string('缺少错误明细编号').min(20, '错误明细编号不正确').max(64, '错误明细编号不正确'),
    }),
  }),
}

/**
 * The record before its reviewer: the whole of it, what to look at twice, and how the student and who entered it have
 * done before.
 */
export const supplementCaseApi = {
  supCase: call('GET', '/lessonsApplyInfo/querySupDetail', {
    summary: '审批中的补录',
    permit: 'signed-in',
    input: z.object({ lisId: choice('补录记录') }),
    output: z.object({
      sup: supplementDetail,
      hints: z.array(supplementHint),
      /** How it differs from what was returned before; empty for what is new. */
      differences: z.array(submittedDifference),
      history: z.object({ credited: z.number(), refused: z.number(), hours: z.string() }),
      task: caseTask.nullable(),
    }),
  }),
}
