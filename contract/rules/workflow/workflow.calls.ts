import { z } from 'zod'
import { call } from '../../core/call.ts'
import { flowStatus } from '../../core/codes/rules.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, flag, id, ids, option, pick, search, text, version, integer } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy, wholeList } from '../../core/paging.ts'
import { specifiedFlowFields } from './specified-forms.ts'
import {
  flowCloneForm,
  flowForm,
  flowRecord,
  flowRow,
  flowStepForm,
  flowVerdict,
  flowVersionRow,
} from './workflow.schema.ts'

const wfId = id('流程')
const wfType = pick('流程类型', valuesOf('wf_type'))
/** Ids as the specification sends them, parted by commas, or as a list; nothing means "all". */
const commaList = z
  .union([z.array(z.string()), z.string().transform((list) => list.split(/[\s,]+/).filter(Boolean))])
  .pipe(z.array(z.string().max(40)).max(500))
  .default([])

const categoryRow = z.object({
  wfcId: z.string(),
  wfcName: z.string(),
  wfcSort: z.number(),
  flowCount: z.number(),
  version: z.number(),
})

/** A node of the curriculum as the range picker shows it; parents come before their children. */
const rangeNode = z.object({ lsId: z.string(), lsPid: z.string().nullable(), lsName: z.string(), lsType: z.string() })

/** What the editor needs: the flow and everything its ranges choose from. */
const editorStart = z.object({
  flow: flowRecord,
  categories: z.array(categoryRow),
  roles: z.array(option),
  classes: z.array(rangeNode),
  levels: z.array(option),
  runningCount: z.number(),
})

const checkerChoice = z.object({
  type: z.string(),
  mode: z.enum(['user', 'role', 'dept', 'none']),
  options: z.array(option.extend({ note: z.string() })),
})

const filters = {
  wfcId: id('流程分类').optional(),
  wfName: search('流程名称').optional(),
  wfType: wfType.optional(),
  wfStatus: pick('状态', valuesOf('flow_status')).optional(),
  ...sortedBy('wfName', 'wfType', 'wfStatus', 'stepCount', 'runningCount', 'wfVersion', 'wfcName', 'updateTime'),
}

export const workflowApi = {
  typeList: call('GET', '/workFlow/getWorkTypeList', {
    summary: '流程分类列表',
    permit: 'workflow:list',
    input: z.object({}),
    output: z.array(categoryRow),
  }),
  list: call('POST', '/workFlow/getWorkInfo', {
    summary: '流程列表',
    permit: 'workflow:list',
    writes: false,
    whenLeftOut: wholeList,
    input: paging.extend(filters),
    output: paged(flowRow),
  }),
  exportList: fileCall('POST', '/workFlow/workInfoExport', {
    summary: '导出流程',
    permit: 'workflow:list',
    input: paging.extend({ ...filters, reason: exportReason }),
  }),
  saveType: call('POST', '/workFlow/saveWorkType', {
    summary: '保存流程分类',
    permit: 'workflow:edit',
    input: z.strictObject({
      wfcId: id('流程分类').optional(),
      wfcName: text('分类名称', 30),
      wfcSort: integer('排序', 0, 9999).default(0),
      version: version.optional(),
    }),
    output: z.object({ wfcId: z.string() }),
  }),
  deleteType: call('POST', '/workFlow/deleteWorkType', {
    summary: '删除流程分类',
    permit: 'workflow:delete',
    input: z.strictObject({ wfcId: id('流程分类') }),
    output: done,
  }),
  /** The order of all categories anew. */
  sortTypes: call('POST', '/workFlow/sortWorkType', {
    summary: '调整流程分类的顺序',
    permit: 'workflow:edit',
    input: z.strictObject({ wfcIds: ids }),
    output: done,
  }),
  addInit: call('POST', '/workFlow/addWorkInfoInit', {
    summary: '新增流程的初始数据',
    permit: 'workflow:edit',
    writes: false,
    input: z.strictObject({ wfType }),
    output: editorStart,
  }),
  editInit: call('POST', '/workFlow/editWorkInfoInit', {
    summary: '流程详情',
    permit: 'workflow:list',
    writes: false,
    input: z.strictObject({ wfId }),
    output: editorStart,
  }),
  cloneInit: call('POST', '/workFlow/cloneFlowInit', {
    summary: '克隆流程的初始数据',
    permit: 'workflow:edit',
    writes: false,
    input: z.strictObject({ wfId, wfType: wfType.optional() }),
    output: editorStart,
  }),
  save: call('POST', '/workFlow/saveWorkInfo', {
    summary: '保存流程',
    permit: 'workflow:edit',
    alsoNamed: specifiedFlowFields,
    // sample cases are ours: who knows of none means what they save
    whenLeftOut: () => ({ confirmSamples: true }),
    input: flowForm,
    output: z.object({ wfId: z.string(), wfVersion: z.number() }),
  }),
  addClone: call('POST', '/workFlow/addCloneInfo', {
    summary: '克隆流程',
    permit: 'workflow:edit',
    input: flowCloneForm,
    // what is cloned has the id on the form; the clone has none yet
    alsoNamed: { ...specifiedFlowFields, id: 'fromWfId', wfId: 'fromWfId' },
    whenLeftOut: () => ({ confirmSamples: true }),
    output: z.object({ wfId: z.string(), wfVersion: z.number() }),
  }),
  switchStatus: call('POST', '/workFlow/switchWorkInfo', {
    summary: '启用或停用流程',
    permit: 'workflow:edit',
    input: z.strictObject({ wfIds: ids, wfStatus: pick('状态', valuesOf('enable_status')) }),
    /** `changed`: names of the sample cases whose outcome is now another one than expected. */
    output: done.extend({ changed: z.array(z.string()) }),
  }),
  move: call('POST', '/workFlow/moveWorkInfo', {
    summary: '移动流程到分类',
    permit: 'workflow:edit',
    input: z.strictObject({ wfId: ids, wfcId: id('流程分类') }),
    output: done,
  }),
  remove: call('POST', '/workFlow/deleteWorkInfo', {
    summary: '删除流程',
    permit: 'workflow:delete',
    input: z.strictObject({ wfId }),
    output: done,
  }),
  validate: call('POST', '/workFlow/validateFlow', {
    summary: '校验流程',
    permit: 'workflow:list',
    writes: false,
    input: z.strictObject({
      wfId: wfId.optional(),
      wfType,
      /** As what it would be saved; one that is off rules nothing. */
      wfStatus: pick('状态', valuesOf('enable_status')).default(flowStatus.enabled),
      isDefault: flag('默认流程').default(false),
      needCreditOnly: flag('仅限授予学分的').default(false),
      roleIds: commaList,
      classIds: commaList,
      levelIds: commaList,
      /** The steps as they stand in the editor; without them those stored for `wfId` are looked at. */
      steps: z.array(flowStepForm).max(60).optional(),
    }),
    output: flowVerdict,
  }),
  choiceChecker: call('POST', '/workFlow/choiceChecker', {
    summary: '可选审批人',
    permit: 'workflow:list',
    writes: false,
    input: z.strictObject({
      wfsCheckerType: pick('审批人类型', valuesOf('wf_checker_type')),
      search: search('姓名或工号').optional(),
      chosen: z.array(id()).max(100).optional(),
    }),
    output: checkerChoice,
  }),
  occupied: call('GET', '/workFlow/workInfIsOccupy', {
    summary: '流程是否被占用',
    permit: 'workflow:list',
    input: z.object({ wfId }),
    output: z.object({ occupied: z.boolean(), runningCount: z.number() }),
  }),
  /**
   * Asked before flows are switched off or deleted. `waiting`: courses or records that could not be submitted any more.
   */
  stopImpact: call('POST', '/workFlow/stopImpact', {
    summary: '停用或删除流程的影响',
    permit: 'workflow:list',
    writes: false,
    input: z.strictObject({ wfIds: ids }),
    output: z.object({ gaps: flowVerdict.shape.gaps, waiting: z.number() }),
  }),
  versions: call('GET', '/workFlow/versionList', {
    summary: '流程的历史版本',
    permit: 'workflow:list',
    input: z.object({ wfId }),
    output: z.array(flowVersionRow),
  }),
}
