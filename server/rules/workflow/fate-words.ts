import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { Fate } from './plan.ts'

/** Whom these mean is written into the matter itself, so that nothing tells it before that is filled in. */
export const openTypes: ReadonlySet<string> = new Set([flowCheckerType.teacher, flowCheckerType.circleTeacher])

/** What becomes of a step, in words; empty where it is asked as usual. `open`: the matter still has to say whom. */
export function fateWords(fate: Fate | 'open', { minCredit }: { minCredit: number | null }, isNotice = false): string {
  switch (fate) {
    case 'self':
      return '发起人在审批人之列，其本人的部分自动通过'
    case 'later':
      return '由上一步审批人在通过时指定'
    case 'open':
      return `${isNotice ? '受理质疑' : '提交'}时按课程填写的老师确定`
    case 'copy':
      return '只抄送，不审批'
    case 'auto':
      return '系统自动通过'
    case 'admin':
      return '找不到审批人，转校级管理员审批'
    case 'skip':
      return '找不到审批人，跳过该步骤'
    case 'unasked':
      return `学分不大于 ${fromHundredths(minCredit ?? 0)}，不经过该步骤`
    case 'block':
      return `找不到审批人，${isNotice ? '登记质疑' : '提交'}会被拒绝`
    case 'ask':
      return ''
  }
}
