import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStepType, timeoutAction as timeoutActionCodes } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { checkerModes, type CheckerType } from '../../../contract/rules/workflow/workflow.schema.ts'

/** What the words for a step need of it. */
export interface WordedStep {
  wfsStepType: string
  wfsCheckerType: string
  checkerNames: readonly string[]
  noApproverPolicy: string
  timeoutHours: number | null
  timeoutDays: number | null
  timeoutAction: string
  timeoutRole?: string
  canReject: string
  allowTransfer: string
  allowAdd: string
  /** Decimal text. */
  minCredit: string | null
}

/** Who decides a step: `指定角色：校级审核员`. */
export function checkerWords({
  wfsStepType,
  wfsCheckerType,
  checkerNames,
}: Pick<WordedStep, 'wfsStepType' | 'wfsCheckerType' | 'checkerNames'>): string {
  if (wfsStepType === flowStepType.autoPass) return '系统自动通过'
  const type = labelOf('wf_checker_type', wfsCheckerType)
  return checkerModes[wfsCheckerType as CheckerType] === 'none' ? type : `${type}：${checkerNames.join('、')}`
}

/** All that a step says, in one line. */
export function stepWords(step: WordedStep): string {
  const {
    wfsStepType,
    noApproverPolicy,
    timeoutHours,
    timeoutDays,
    timeoutAction,
    timeoutRole = '',
    canReject,
    allowTransfer,
    allowAdd,
    minCredit,
  } = step
  const time = timeoutHours ? `${timeoutHours} 小时` : timeoutDays ? `${timeoutDays} 个工作日` : ''
  return [
    labelOf('wf_step_type', wfsStepType),
    wfsStepType === flowStepType.autoPass ? '' : checkerWords(step),
    time &&
      `${time}内处理，超时${labelOf('timeout_action', timeoutAction)}${timeoutAction === timeoutActionCodes.escalate && timeoutRole ? `“${timeoutRole}”` : ''}`,
    minCredit !== null && `学分大于 ${minCredit} 时`,
    `无审批人时${labelOf('no_approver_policy', noApproverPolicy)}`,
    canReject !== 'start' && `可退回${labelOf('reject_target', canReject)}`,
    allowTransfer !== yesNo.yes && '不允许转办和委派',
    allowAdd === yesNo.yes && '允许加签',
  ]
    .filter(Boolean)
    .join('，')
}
