import type { FlowReason } from './choose-flow.ts'

/** Why a flow does or does not apply, in a sentence. */
export const reasonWords: Record<FlowReason, string> = {
  chosen: '适用范围最具体，采用本流程',
  default: '其他流程都不适用，采用默认流程',
  'less-specific': '范围也适用，但不如所采用的流程具体',
  same: '与所采用的流程同样具体，存在冲突',
  type: '流程类型不同',
  disabled: '未启用',
  role: '发起人的角色不在适用范围内',
  class: '课程体系不在适用范围内',
  level: '级别不在适用范围内',
  credit: '仅适用于授予学分的申请',
}
