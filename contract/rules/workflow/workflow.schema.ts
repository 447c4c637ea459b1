import { z } from 'zod'
import {
  flowCheckerType,
  flowStatus,
  flowStepType,
  flowType,
  timeoutAction as timeoutActionCodes,
} from '../../core/codes/rules.ts'
import { dictionary, valuesOf } from '../../core/dictionary.ts'
import { amount, choice, flag, id, optionalText, pick, text, version, integer } from '../../core/fields.ts'
import { areToldDifferently, checkersOf, listsOfRanges, specifiedDetails, specifiedRanges } from './specified-forms.ts'

/** The stages an approval flow may rule, by the flow's type, in the order a matter passes them (docs/rules.md R34). */
export const nodesOfType = {
  [flowType.lesson]: ['PUBLISH', 'SIGNUP', 'SIGNIN', 'RESULT', 'PUBLICITY'],
  [flowType.supplement]: ['SUPPLEMENT', 'PUBLICITY'],
} as const satisfies Record<FlowType, readonly NodeName[]>

/** Who decides on questions where the notice stage of a flow has no steps, by the flow's type; shown in the console. */
export const questionsWithoutSteps = {
  [flowType.lesson]: '质疑由课程负责人或有质疑处理权限的人员认定',
  [flowType.supplement]: '质疑由有质疑处理权限的学院、学校人员认定',
} as const satisfies Record<FlowType, string>

export type FlowType = (typeof dictionary)['wf_type'][number][0]
export type NodeName = (typeof dictionary)['wf_node'][number][0]
export type CheckerType = (typeof dictionary)['wf_checker_type'][number][0]

/**
 * How the checkers of a type are picked: from people, roles or departments, or not at all because the matter itself
 * tells who they are.
 */
export const checkerModes = {
  [flowCheckerType.people]: 'user',
  [flowCheckerType.role]: 'role',
  [flowCheckerType.department]: 'dept',
  [flowCheckerType.startersCollege]: 'none',
  [flowCheckerType.startersDepartmentHead]: 'none',
  [flowCheckerType.classSecretary]: 'none',
  [flowCheckerType.counsellor]: 'none',
  [flowCheckerType.principal]: 'none',
  [flowCheckerType.teacher]: 'none',
  [flowCheckerType.circleTeacher]: 'none',
  [flowCheckerType.moduleOwner]: 'none',
  [flowCheckerType.namedByLastStep]: 'none',
} as const satisfies Record<CheckerType, 'user' | 'role' | 'dept' | 'none'>

const checkerTypes = valuesOf('wf_checker_type')
const stepTypes = valuesOf('wf_step_type')
const policies = valuesOf('no_approver_policy')
const timeoutActions = valuesOf('timeout_action')

/**
 * A step as it is stored. `wfsSort` counts from 1 inside its stage; `checkers` are ids of people, roles or departments,
 * as the checker type says.
 */
const flowStep = z.object({
  wfsId: z.string(),
  wfsNodeName: z.enum(valuesOf('wf_node')),
  wfsStepName: z.string(),
  wfsStepType: z.enum(stepTypes),
  wfsCheckerType: z.enum(checkerTypes),
  wfsSort: z.number(),
  noApproverPolicy: z.enum(policies),
  /** Hours or working days after which a task is overdue, at most one of the two; neither: the school's usual time. */
  timeoutHours: z.number().nullable(),
  timeoutDays: z.number().nullable(),
  /** What happens then; 2 asks the members of `timeoutRoleId` as well. */
  timeoutAction: z.enum(timeoutActions),
  timeoutRoleId: z.string().nullable(),
  /** Where a refusal may lead, and whether a checker may hand their task on or ask others as well. */
  canReject: z.enum(valuesOf('reject_target')),
  allowTransfer: z.string(),
  allowAdd: z.string(),
  /** The step is asked only when more credit than this is given. */
  minCredit: z.string().nullable(),
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
    wfsSort: integer('顺序', 0, 99).optional(),
    noApproverPolicy: pick('无审批人时', policies).default('block'),
    timeoutHours: integer('处理时限（小时）', 1, 720).optional(),
    timeoutDays: integer('处理时限（工作日）', 1, 60).optional(),
    timeoutAction: pick('超时处理', timeoutActions).default(timeoutActionCodes.markOnly),
    timeoutRoleId: choice('升级角色').optional(),
    canReject: pick('驳回时可退回到', valuesOf('reject_target')).default('start'),
    allowTransfer: flag('允许转办和委派').default(true),
    allowAdd: flag('允许加签').default(false),
    minCredit: amount('仅当学分大于', 100).optional(),
    checkers: z.array(id('审批人')).max(100, '一个步骤最多选择 100 个审批人').default([]),
    details: specifiedDetails,
  })
  .check((ctx) => {
    const { wfsStepType, wfsCheckerType, timeoutHours, timeoutDays, timeoutAction, timeoutRoleId } = ctx.value
    const checkers = checkersOf(ctx.value)
    const fault = (path: string, message: string) =>
      ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message })
    if (wfsStepType !== flowStepType.autoPass && checkerModes[wfsCheckerType] !== 'none' && checkers.length === 0)
      fault('checkers', '请至少选择一个审批人')
    if (areToldDifferently(ctx.value.checkers, checkers)) fault('details', '审批人填写了两次且不一致，请只填一处')
    if (wfsStepType === flowStepType.copy && wfsCheckerType === flowCheckerType.namedByLastStep)
      fault('wfsCheckerType', '抄送步骤不能由上一步审批人指定')
    if (timeoutHours !== undefined && timeoutDays !== undefined)
      fault('timeoutDays', '处理时限只能按小时或按工作日设置一种')
    if (timeoutAction !== timeoutActionCodes.markOnly && timeoutHours === undefined && timeoutDays === undefined)
      fault('timeoutAction', '请先设置处理时限')
    if (timeoutAction === timeoutActionCodes.escalate && timeoutRoleId === undefined)
      fault('timeoutRoleId', '请选择升级给哪个角色')
  })

const ranges = {
  roleIds: z.array(id('适用角色')).max(200).default([]).meta({ label: '适用角色' }),
  lsIds: z.array(id('适用课程体系')).max(500).default([]).meta({ label: '适用课程体系' }),
  levels: z.array(z.string().max(8)).max(50).default([]).meta({ label: '适用级别' }),
  needCreditOnly: flag('仅限授予学分的').default(false),
  ranges: specifiedRanges,
}

const fields = {
  wfName: text('流程名称', 50),
  wfIcon: optionalText('图标', 30),
  wfDesc: optionalText('流程说明', 300),
  wfcId: choice('流程分类'),
  wfType: pick('流程类型', valuesOf('wf_type')),
  isDefault: flag('默认流程').default(false),
  /** A draft may still be without steps. */
  wfStatus: pick('状态', valuesOf('flow_status')).default(flowStatus.enabled),
  /** An initiator among the checkers passes their own place, except at the last step (docs/rules.md R36). */
  selfPass: flag('发起人自己审批的步骤自动通过').default(true),
  ...ranges,
  steps: z.array(flowStepForm).max(60, '一个流程最多 60 个步骤').meta({ label: '步骤' }),
  /**
   * Sample cases whose outcome changes take the new one as expected; without this they stop the flow from being saved.
   */
  confirmSamples: flag('确认样例的变化').default(false),
}

type Sound = {
  wfType: FlowType
  wfStatus: string
  steps: { wfsNodeName: string; wfsStepType: string; wfsCheckerType: string }[]
  roleIds: string[]
  lsIds: string[]
  levels: string[]
  ranges?: z.output<typeof specifiedRanges>
}

function soundFlow(ctx: z.core.ParsePayload<Sound>): void {
  const { wfType, wfStatus, steps } = ctx.value
  if (steps.length === 0 && wfStatus !== flowStatus.draft)
    ctx.issues.push({ code: 'custom', input: steps, path: ['steps'], message: '请至少添加一个步骤' })
  const told = ctx.value.ranges && listsOfRanges(ctx.value.ranges)
  const isDouble =
    told && (['roleIds', 'lsIds', 'levels'] as const).some((key) => areToldDifferently(ctx.value[key], told[key]))
  if ((ctx.value.ranges && !told) || isDouble)
    ctx.issues.push({
      code: 'custom',
      input: ctx.value.ranges,
      path: ['ranges'],
      message: isDouble
        ? '适用范围填写了两次且不一致，请只填一处'
        : '适用范围须是所填角色、课程体系、级别的全部组合，请拆分为多个流程',
    })
  const nodes: readonly string[] = nodesOfType[wfType]
  steps.forEach(({ wfsNodeName }, at) => {
    if (!nodes.includes(wfsNodeName))
      ctx.issues.push({
        code: 'custom',
        input: wfsNodeName,
        path: ['steps', at, 'wfsNodeName'],
        message: '该类型的流程没有这个环节',
      })
    const isNamed = steps
      .slice(0, at)
      .some(
        (one) =>
          one.wfsNodeName === wfsNodeName &&
          one.wfsStepType !== flowStepType.copy &&
          one.wfsStepType !== flowStepType.autoPass,
      )
    if (steps[at]!.wfsCheckerType === flowCheckerType.namedByLastStep && !isNamed)
      ctx.issues.push({
        code: 'custom',
        input: wfsNodeName,
        path: ['steps', at, 'wfsCheckerType'],
        message: '此前没有审批步骤，无人可以指定审批人',
      })
  })
}

/** The whole form of a flow; without `wfId` a new one. Empty ranges mean "all"; the default flow of a type has none. */
export const flowForm = z
  .strictObject({ wfId: id('流程').optional(), version: version.optional(), ...fields })
  .check(soundFlow)
/** The form of a flow made from another one, if it is told from which. */
export const flowCloneForm = z.strictObject({ fromWfId: id('原流程').optional(), ...fields }).check(soundFlow)

/** Ranges and checkers as the specification names them, for whoever reads a flow by it. */
const toldRanges = z.array(z.object({ srId: z.string(), lsId: z.string(), liLevel: z.string() }))
const toldDetails = z.array(z.object({ wfcNodeName: z.string(), wfcCheckerId: z.string(), wfcSort: z.number() }))

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
  selfPass: z.string(),
  needCreditOnly: z.string(),
  roleIds: z.array(z.string()),
  lsIds: z.array(z.string()),
  levels: z.array(z.string()),
  ranges: toldRanges,
  steps: z.array(flowStep.extend({ checkerNames: z.array(z.string()), details: toldDetails })),
})

/** A flow in the list. `roles`, `classes` and `levelNames` are the names of its ranges; empty means all. */
export const flowRow = flowRecord.omit({ wfId: true, wfcId: true }).extend({
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

/** A sample case whose outcome is another one than expected: the flow and its steps in words, then and now. */
export const sampleChange = z.object({
  wsId: z.string(),
  wsName: z.string(),
  was: z.array(z.string()),
  now: z.array(z.string()),
})

/**
 * What the check of a flow found. `gaps`: cases no enabled flow covers, `noCredit` where only those that give credit
 * are covered; `emptyCheckers.at`: the place of the step in the list asked about; `truncated` when more was found than
 * is listed.
 */
export const flowVerdict = z.object({
  ok: z.boolean(),
  conflicts: z.array(
    z.object({ wfId: z.string(), wfName: z.string(), role: z.string(), class: z.string(), level: z.string() }),
  ),
  gaps: z.array(z.object({ role: z.string(), class: z.string(), level: z.string(), noCredit: z.boolean() })),
  /**
   * `blocks`: what the step says of the lack of people stops every submission; otherwise it is handed on or left out.
   */
  emptyCheckers: z.array(
    z.object({
      at: z.number(),
      blocks: z.boolean(),
      wfsNodeName: z.string(),
      wfsStepName: z.string(),
      reason: z.string(),
    }),
  ),
  /**
   * Stages with fewer deciding steps than the school's rules ask for; only told. `of`: courses from school level on,
   * those below, supplements.
   */
  short: z.array(
    z.object({
      wfsNodeName: z.string(),
      of: z.enum(['school', 'college', 'sup']),
      steps: z.number(),
      demanded: z.number(),
    }),
  ),
  samples: z.array(sampleChange),
  /** Steps were looked at, and there are none: such a flow can be kept as a draft only. */
  noSteps: z.boolean(),
  /** It was looked at as one that is off, so that its ranges are among the gaps. */
  isOff: z.boolean(),
  truncated: z.boolean(),
})
export type FlowVerdict = z.output<typeof flowVerdict>

/**
 * A version a flow has had, newest first: what changed against the one before, and how many approvals still run by it.
 */
export const flowVersionRow = z.object({
  wfVersion: z.number(),
  createName: z.string(),
  createTime: z.string(),
  isCurrent: z.boolean(),
  runningCount: z.number(),
  changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  steps: z.array(flowStep.extend({ checkerNames: z.array(z.string()) })),
})
