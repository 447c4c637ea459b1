import { flowStatus } from '../../../contract/core/codes/rules.ts'

/** What it means that a flow is switched on or off, for whoever is asked about it. */
export const switchMeaning = {
  [flowStatus.enabled]: '启用后，范围内新的申请将按该流程审批。',
  [flowStatus.disabled]: '停用后新的申请不再按该流程审批，运行中的审批不受影响。',
}
