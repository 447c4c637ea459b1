import { quoted } from '../../../contract/core/quotes.ts'
import type { Input, Output } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  curriculumType,
  flowCheckerType,
  flowStepType,
  timeoutAction as timeoutActionCodes,
} from '../../../contract/core/codes/rules.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import {
  checkerModes,
  flowStepForm,
  nodesOfType,
  questionsWithoutSteps,
  type CheckerType,
  type FlowType,
  type NodeName,
} from '../../../contract/rules/workflow/workflow.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import type { TreeNode } from '../../core/form/tree-fields.tsx'

export type FlowStart = Output<typeof workflowApi.editInit>
type StoredStep = Omit<FlowStart['flow']['steps'][number], 'details'>

/** A step in the editor; `key` tells it apart while it has no id, the names stand for the chosen checkers. */
export interface EditorStep {
  key: string
  wfsId?: string
  wfsNodeName: NodeName
  wfsStepName: string
  wfsStepType: string
  wfsCheckerType: CheckerType
  noApproverPolicy: string
  /** In what the time limit is told; nothing means the school's usual one. */
  limitKind: '' | 'hours' | 'days'
  timeoutHours?: number | string | undefined
  timeoutDays?: number | string | undefined
  timeoutAction: string
  timeoutRoleId?: string | undefined
  canReject: string
  allowTransfer: string
  allowAdd: string
  minCredit?: string | undefined
  checkers: string[]
  checkerNames: string[]
}

/** A flow in the editor. */
export interface FlowValues {
  wfName: string
  wfIcon: string
  wfDesc: string
  wfcId: string
  wfType: FlowType
  isDefault: string
  wfStatus: string
  selfPass: string
  needCreditOnly: string
  roleIds: string[]
  lsIds: string[]
  levels: string[]
  steps: EditorStep[]
}

let serial = 0
/** Of steps that come back with a draft as well, so that none of a former page has the key of a new one. */
const newKey = () => `new-${Date.now()}-${serial++}`
export const blankStep = (wfsNodeName: NodeName): EditorStep => ({
  key: newKey(),
  wfsNodeName,
  wfsStepName: '',
  wfsStepType: flowStepType.anyOne,
  wfsCheckerType: flowCheckerType.role,
  noApproverPolicy: 'block',
  limitKind: '',
  timeoutAction: timeoutActionCodes.remind,
  canReject: 'start',
  allowTransfer: yesNo.yes,
  allowAdd: yesNo.no,
  checkers: [],
  checkerNames: [],
})

/** The same step once more, in any stage. */
export function copyOf({ wfsId: _, ...step }: EditorStep, wfsNodeName: NodeName): EditorStep {
  return { ...step, key: newKey(), wfsNodeName }
}

/** A stored step as the editor holds it. */
export function editorStep({
  wfsSort: _,
  timeoutHours,
  timeoutDays,
  timeoutRoleId,
  minCredit,
  ...step
}: StoredStep): EditorStep {
  return {
    ...step,
    key: step.wfsId,
    limitKind: timeoutHours !== null ? 'hours' : timeoutDays !== null ? 'days' : '',
    timeoutHours: timeoutHours ?? undefined,
    timeoutDays: timeoutDays ?? undefined,
    timeoutRoleId: timeoutRoleId ?? undefined,
    minCredit: minCredit ?? undefined,
  }
}

/** The stored flow as the form holds it. */
export const formOf = ({ flow }: FlowStart): Record<string, unknown> => ({
  ...flow,
  wfcId: flow.wfcId ?? undefined,
  wfIcon: flow.wfIcon || 'flow',
  steps: flow.steps.map(({ details: _, ...step }) => editorStep(step)),
})

/** The steps as the call takes them; their order is their place in the list. What a step does not use is left out. */
export const stepsInput = (steps: readonly EditorStep[]) =>
  steps.map(
    ({
      key: _,
      checkerNames: __,
      checkers,
      limitKind,
      timeoutHours,
      timeoutDays,
      timeoutAction,
      timeoutRoleId,
      minCredit,
      ...step
    }) => {
      const isWaited =
        step.wfsStepType !== flowStepType.copy && step.wfsStepType !== flowStepType.autoPass && limitKind !== ''
      return {
        ...step,
        checkers:
          checkerModes[step.wfsCheckerType] === 'none' || step.wfsStepType === flowStepType.autoPass ? [] : checkers,
        timeoutAction: isWaited ? timeoutAction : timeoutActionCodes.markOnly,
        ...(isWaited && limitKind === 'hours' && { timeoutHours }),
        ...(isWaited && limitKind === 'days' && { timeoutDays }),
        ...(isWaited && timeoutAction === timeoutActionCodes.escalate && { timeoutRoleId }),
        ...(minCredit && { minCredit }),
      }
    },
  )

/** The whole form as the call takes it. */
export function flowInput(values: FlowValues) {
  const { wfName, wfIcon, wfDesc, wfcId, wfType, isDefault, wfStatus, selfPass, needCreditOnly } = values
  const ranges =
    isDefault === yesNo.yes
      ? { roleIds: [], lsIds: [], levels: [], needCreditOnly: yesNo.no }
      : { roleIds: values.roleIds, lsIds: values.lsIds, levels: values.levels, needCreditOnly }
  return {
    wfName,
    wfIcon,
    wfDesc,
    wfcId,
    wfType,
    isDefault,
    wfStatus,
    selfPass,
    ...ranges,
    steps: stepsInput(values.steps),
  } as Input<typeof workflowApi.save>
}

/** What is wrong with a step, as the service would tell it. */
export const stepFault = (step: EditorStep): string | undefined => stepFaults(step)[0]?.msg

/** All that is wrong with a step; a time limit that was chosen but not told is one of them. */
export function stepFaults(step: EditorStep): { field: string; msg: string }[] {
  const faults = (flowStepForm.safeParse(stepsInput([step])[0]).error?.issues ?? []).map(({ path, message }) => ({
    field: path.map(String).join('.'),
    msg: message,
  }))
  const field = step.limitKind === 'hours' ? 'timeoutHours' : 'timeoutDays'
  const isUntold =
    step.limitKind !== '' &&
    !step[field] &&
    step.wfsStepType !== flowStepType.copy &&
    step.wfsStepType !== flowStepType.autoPass
  return isUntold
    ? [
        { field, msg: '请输入处理时限' },
        ...faults.filter((fault) => fault.field !== 'timeoutAction' && fault.field !== field),
      ]
    : faults
}

/** Who decides a step, in words. */
export function checkersText({
  wfsCheckerType,
  checkerNames,
  wfsStepType,
}: Pick<EditorStep, 'wfsCheckerType' | 'checkerNames' | 'wfsStepType'>): string {
  if (wfsStepType === flowStepType.autoPass) return '系统自动通过'
  if (checkerModes[wfsCheckerType] === 'none') return labelOf('wf_checker_type', wfsCheckerType)
  return checkerNames.length > 0 ? checkerNames.join('、') : '未选择审批人'
}

/** How long a step may take and what happens then; nothing where nobody is waited for. */
export function limitText(
  { wfsStepType, limitKind, timeoutHours, timeoutDays, timeoutAction, timeoutRoleId }: EditorStep,
  roles: readonly { id: string; name: string }[] = [],
): string {
  if (wfsStepType === flowStepType.copy || wfsStepType === flowStepType.autoPass || limitKind === '') return ''
  const time = limitKind === 'hours' ? `${timeoutHours ?? '—'} 小时` : `${timeoutDays ?? '—'} 个工作日`
  const role =
    timeoutAction === timeoutActionCodes.escalate ? roles.find(({ id }) => id === timeoutRoleId)?.name : undefined
  return `${time}，超时${labelOf('timeout_action', timeoutAction)}${role ? quoted(role) : ''}`
}

export const nodesFor = (wfType: FlowType): readonly NodeName[] => nodesOfType[wfType]

const emptyNode: Record<Exclude<NodeName, 'PUBLICITY'>, string> = {
  PUBLISH: '不设步骤：提交后直接通过，待发布',
  SIGNUP: '不设步骤：由课程负责人审核报名',
  SIGNIN: '不设步骤：由签到负责人管理签到',
  RESULT: '不设步骤：结果提交后直接通过，待公示',
  SUPPLEMENT: '不设步骤：提交后直接通过，待公示',
}

/** What a stage without steps means (its applications pass by themselves, or its own people act alone). */
export const emptyNodeText = (node: NodeName, wfType: FlowType): string =>
  node === 'PUBLICITY' ? `不设步骤：${questionsWithoutSteps[wfType]}` : emptyNode[node]

/** The flat nodes of a range as a tree. */
export function rangeTree(classes: FlowStart['classes'], wfType: FlowType): TreeNode[] {
  const serving = classes.filter(({ lsType }) => lsType === curriculumType.both || lsType === wfType)
  const grow = (lsPid: string | null): TreeNode[] =>
    serving
      .filter((node) => node.lsPid === lsPid)
      .map(({ lsId, lsName }) => ({ value: lsId, label: lsName, children: grow(lsId) }))
  return grow(null)
}
