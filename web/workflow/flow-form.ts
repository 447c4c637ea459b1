import type { Input, Output } from '../../contract/core/call.ts'
import { workflowApi } from '../../contract/workflow/workflow.calls.ts'
import { checkerModes, flowStepForm, nodesOfType, type CheckerType, type FlowType, type NodeName } from '../../contract/workflow/workflow.schema.ts'
import { labelOf } from '../core/dictionary.ts'
import type { TreeNode } from '../core/tree-fields.tsx'

export type FlowStart = Output<typeof workflowApi.editInit>

/** A step in the editor; `key` tells it apart while it has no id, the names stand for the chosen checkers. */
export interface EditorStep {
  key: string
  wfsId?: string
  wfsNodeName: NodeName
  wfsStepName: string
  wfsStepType: string
  wfsCheckerType: CheckerType
  noApproverPolicy: string
  timeoutHours?: number | string | undefined
  timeoutAction: string
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
  roleIds: string[]
  lsIds: string[]
  levels: string[]
  steps: EditorStep[]
}

let serial = 0
export const blankStep = (wfsNodeName: NodeName): EditorStep => ({ key: `new-${serial++}`, wfsNodeName, wfsStepName: '', wfsStepType: '1', wfsCheckerType: '2', noApproverPolicy: 'block', timeoutAction: '0', checkers: [], checkerNames: [] })

/** The stored flow as the form holds it. */
export function formOf({ flow }: FlowStart): Record<string, unknown> {
  const steps = flow.steps.map(({ wfsSort: _, timeoutHours, ...step }): EditorStep => ({ ...step, key: step.wfsId, ...(timeoutHours !== null && { timeoutHours }) }))
  return { ...flow, wfcId: flow.wfcId ?? undefined, wfIcon: flow.wfIcon || 'flow', steps }
}

/** The steps as the call takes them; their order is their place in the list. */
export const stepsInput = (steps: readonly EditorStep[]) =>
  steps.map(({ key: _, checkerNames: __, checkers, timeoutHours, ...step }) => ({ ...step, checkers: checkerModes[step.wfsCheckerType] === 'none' ? [] : checkers, ...(timeoutHours && { timeoutHours }) }))

/** The whole form as the call takes it. */
export function flowInput(values: FlowValues) {
  const { wfName, wfIcon, wfDesc, wfcId, wfType, isDefault, wfStatus } = values
  const ranges = isDefault === '1' ? { roleIds: [], lsIds: [], levels: [] } : { roleIds: values.roleIds, lsIds: values.lsIds, levels: values.levels }
  return { wfName, wfIcon, wfDesc, wfcId, wfType, isDefault, wfStatus, ...ranges, steps: stepsInput(values.steps) } as Input<typeof workflowApi.save>
}

/** What is wrong with a step, as the service would tell it. */
export const stepFault = (step: EditorStep): string | undefined => flowStepForm.safeParse(stepsInput([step])[0]).error?.issues[0]?.message

/** Who decides a step, in words. */
export function checkersText({ wfsCheckerType, checkerNames, wfsStepType }: Pick<EditorStep, 'wfsCheckerType' | 'checkerNames' | 'wfsStepType'>): string {
  if (wfsStepType === '6') return '系统自动通过'
  if (checkerModes[wfsCheckerType] === 'none') return labelOf('wf_checker_type', wfsCheckerType)
  return checkerNames.length > 0 ? checkerNames.join('、') : '未选择审批人'
}

export const nodesFor = (wfType: FlowType): readonly NodeName[] => nodesOfType[wfType]

/** What a stage without steps means (its applications pass by themselves, or its own people act alone). */
export const emptyNode: Record<NodeName, string> = {
  PUBLISH: '不设步骤：提交后直接通过，待发布',
  SIGNUP: '不设步骤：由课程负责人审核报名',
  SIGNIN: '不设步骤：由签到负责人管理签到',
  RESULT: '不设步骤：结果提交后直接通过，待公示',
  PUBLICITY: '不设步骤：质疑由课程负责人处理',
  SUPPLEMENT: '不设步骤：提交后直接通过，待公示',
}

/** The flat nodes of a range as a tree. */
export function rangeTree(classes: FlowStart['classes'], wfType: FlowType): TreeNode[] {
  const serving = classes.filter(({ lsType }) => lsType === '3' || lsType === wfType)
  const grow = (lsPid: string | null): TreeNode[] => serving.filter((node) => node.lsPid === lsPid).map(({ lsId, lsName }) => ({ value: lsId, label: lsName, children: grow(lsId) }))
  return grow(null)
}
