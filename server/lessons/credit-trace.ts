import { labelOf } from '../../contract/core/dictionary.ts'
import { attendedStatuses } from './registration-counts.ts'

/** What the way from registration to credit depends on. */
export interface TraceFacts {
  laStatus: string
  applyTime: string
  refuseReason: string
  laSignStatus: string
  signInTime: string | null
  laResult: string
  awardName: string
  liStatus: string
  liPublictySdate: string | null
  liPublictyEdate: string | null
  completeTime: string | null
  entries: number
}

export interface Gate {
  name: string
  passed: boolean
  failed: boolean
  note: string
}

const approved = ['50', '60', '61', '70', '80']
const completed = ['70', '80']

/** The gates between a student and his credit, in their order; the first that he has not passed is marked. Pure. */
export function gatesOf(facts: TraceFacts): Gate[] {
  const { laStatus, laSignStatus, laResult, liStatus } = facts
  const checks: [name: string, passed: boolean, note: string][] = [
    ['报名', true, `${facts.applyTime} 进入名单`],
    ['录取', laStatus === '1', labelOf('apply_status', laStatus) + (facts.refuseReason ? `：${facts.refuseReason}` : '')],
    ['签到', attendedStatuses.includes(laSignStatus), labelOf('sign_status', laSignStatus) + (facts.signInTime ? `（${facts.signInTime}）` : '')],
    ['合格', laResult === '1' || laResult === '3', laResult === '3' ? `获奖：${facts.awardName}` : labelOf('result_status', laResult)],
    ['结果审批', approved.includes(liStatus), approved.includes(liStatus) ? '已通过' : labelOf('lesson_status', liStatus)],
    ['公示', completed.includes(liStatus), facts.liPublictyEdate ? `${facts.liPublictySdate?.slice(0, 10)} 至 ${facts.liPublictyEdate.slice(0, 10)}${liStatus === '61' ? '，质疑处理中' : ''}` : '尚未公示'],
    ['入账', completed.includes(liStatus) && facts.entries > 0, facts.entries > 0 ? `${facts.completeTime ?? ''} 记入 ${facts.entries} 项` : completed.includes(liStatus) ? '按评价规则没有可计入的学时或学分' : '课程完成后自动记入'],
  ]
  const first = checks.findIndex(([, passed]) => !passed)
  return checks.map(([name, passed, note], at) => ({ name, passed: passed && (first < 0 || at < first), failed: at === first, note }))
}
