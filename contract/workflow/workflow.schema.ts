import { z } from 'zod'
import { dictionary, valuesOf } from '../core/dictionary.ts'
import { choice, flag, id, optionalText, pick, text, version, whole } from '../core/fields.ts'

/** The stages an approval flow may rule, by the flow's type, in the order a matter passes them (DOMAIN 2.7). */
export const nodesOfType = {
  '1': ['PUBLISH', 'SIGNUP', 'SIGNIN', 'RESULT', 'PUBLICITY'],
  '2': ['SUPPLEMENT', 'PUBLICITY'],
} as const satisfies Record<FlowType, readonly NodeName[]>

export type FlowType = (typeof dictionary)['wf_type'][number][0]
export type NodeName = (typeof dictionary)['wf_node'][number][0]
export type CheckerType = (typeof dictionary)['wf_checker_type'][number][0]

/** How the checkers of a type are picked: from people, roles or departments, or not at all because the matter itself tells who they are. */
export const checkerModes = {
  '1': 'user', '2': 'role', '3': 'dept', '4': 'none', '5': 'none', '6': 'none', '7': 'none', '8': 'none', '9': 'none', '11': 'none',
} as const satisfies Record<CheckerType, 'user' | 'role' | 'dept' | 'none'>

const checkerTypes = valuesOf('wf_checker_type')
const stepTypes = valuesOf('wf_step_type')
const policies = valuesOf('no_approver_policy')
const timeoutActions = valuesOf('timeout_action')

/** A step as it is stored and as a running approval keeps it. `wfsSort` counts from 1 inside its stage; `checkers` are ids of people, roles or departments, as the checker type says. */
export const flowStep = z.object({
  wfsId: z.string(),
  wfsNodeName: z.enum(valuesOf('wf_node')),
  wfsStepName: z.string(),
  wfsStepType: z.enum(stepTypes),
  wfsCheckerType: z.enum(checkerTypes),
  wfsSort: z.number(),
  noApproverPolicy: z.enum(policies),
  /** Hours after which a task is overdue; null: never. `timeoutAction` says what happens then. */
  timeoutHours: z.number().nullable(),
  timeoutAction: z.enum(timeoutActions),
  checkers: z.array(z.string()),
})
export type FlowStep = z.output<typeof flowStep>

/** A step as a form sends it. The order inside a stage is what counts in `wfsSort`; the service numbers anew from 1. */
export const flowStepForm = z
  .strictObject({
    wfsId: id('步骤').optional(),
    wfsNodeName: pick('环节', valuesOf('wf_node')),
    wfsStepName: text('步骤名称', 30),
    wfsStepType: pick('审批方式', stepTypes),
    wfsCheckerType: pick('审批人类型', checkerTypes),
    wfsSort: whole('顺序', 0, 99).optional(),
    noApproverPolicy: pick('无审批人时', policies).default('block'),
    timeoutHours: whole('处理时限（小时）', 1, 720).optional(),
    timeoutAction: pick('超时处理', timeoutActions).default('0'),
    checkers: z.array(id('审批人')).max(100, '一个步骤最多选择 100 个审批人').default([]),
  })
  .check((ctx) => {
    const { wfsStepType, wfsCheckerType, checkers } = ctx.value
    if (wfsStepType !== '6' && checkerModes[wfsCheckerType] !== 'none' && checkers.length === 0) ctx.issues.push({ code: 'custom', input: checkers, path: ['checkers'], message: '请至少选择一个审批人' })
  })

const ranges = {
  roleIds: z.array(id('适用角色')).max(200).default([]).meta({ label: '适用角色' }),
  lsIds: z.array(id('适用课程体系')).max(500).default([]).meta({ label: '适用课程体系' }),
  levels: z.array(z.string().max(8)).max(50).default([]).meta({ label: '适用级别' }),
}

const fields = {
  wfName: text('流程名称', 50),
  wfIcon: optionalText('图标', 30),
  wfDesc: optionalText('流程说明', 300),
  wfcId: choice('流程分类'),
  wfType: pick('流程类型', valuesOf('wf_type')),
  isDefault: flag('默认流程').default(false),
  wfStatus: pick('状态', valuesOf('enable_status')).default('1'),
  ...ranges,
  steps: z.array(flowStepForm).min(1, '请至少添加一个步骤').max(60, '一个流程最多 60 个步骤').meta({ label: '步骤' }),
}

function soundFlow(ctx: z.core.ParsePayload<{ wfType: FlowType; steps: { wfsNodeName: string }[]; wfId?: string | undefined; version?: number | undefined }>): void {
  const { wfType, wfId, version: known, steps } = ctx.value
  if (wfId !== undefined && known === undefined) ctx.issues.push({ code: 'custom', input: known, path: ['version'], message: '缺少数据版本，请刷新后重试' })
  const nodes: readonly string[] = nodesOfType[wfType]
  steps.forEach(({ wfsNodeName }, at) => {
    if (!nodes.includes(wfsNodeName)) ctx.issues.push({ code: 'custom', input: wfsNodeName, path: ['steps', at, 'wfsNodeName'], message: '该类型的流程没有这个环节' })
  })
}

/** The whole form of a flow; without `wfId` a new one. Empty ranges mean "all"; the default flow of a type has none. */
export const flowForm = z.strictObject({ wfId: id('流程').optional(), version: version.optional(), ...fields }).check(soundFlow)
/** The form of a flow made from another one. */
export const flowCloneForm = z.strictObject({ fromWfId: id('原流程'), ...fields }).check(soundFlow)

/** A flow as the editor receives it. */
export const flowRecord = z.object({
  wfId: z.string().nullable(),
  version: z.number(),
  wfName: z.string(),
  wfIcon: z.string(),
  wfDesc: z.string(),
  wfcId: z.string().nullable(),
  wfType: z.enum(valuesOf('wf_type')),
  isDefault: z.string(),
  wfStatus: z.string(),
  wfVersion: z.number(),
  roleIds: z.array(z.string()),
  lsIds: z.array(z.string()),
  levels: z.array(z.string()),
  steps: z.array(flowStep.extend({ checkerNames: z.array(z.string()) })),
})

/** A flow in the list. `roles`, `classes` and `levelNames` are the names of its ranges; empty means all. */
export const flowRow = flowRecord.omit({ steps: true, wfId: true, wfcId: true }).extend({
  wfId: z.string(),
  wfcId: z.string(),
  wfcName: z.string(),
  roles: z.array(z.string()),
  classes: z.array(z.string()),
  levelNames: z.array(z.string()),
  stepCount: z.number(),
  runningCount: z.number(),
  updateTime: z.string(),
  can: z.array(z.enum(['edit', 'enable', 'disable', 'delete'])),
})

/** What the check of a flow's ranges and checkers found. `gaps`: cases no enabled flow covers; `truncated` when more were found than are listed. */
export const flowVerdict = z.object({
  ok: z.boolean(),
  conflicts: z.array(z.object({ wfId: z.string(), wfName: z.string(), role: z.string(), class: z.string(), level: z.string() })),
  gaps: z.array(z.object({ role: z.string(), class: z.string(), level: z.string() })),
  emptyCheckers: z.array(z.object({ wfsNodeName: z.string(), wfsStepName: z.string(), reason: z.string() })),
  truncated: z.boolean(),
})
export type FlowVerdict = z.output<typeof flowVerdict>
