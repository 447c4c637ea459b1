import { publictyStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'

/** What the way from entering to credit depends on. */
interface GateFacts {
  lisStatus: string
  createName: string
  createTime: string
  refuseReason: string
  passTime: string | null
  lisPublictySdate: string | null
  lisPublictyEdate: string | null
  lisPublictyStatus: string
  completeTime: string | null
  entries: number
}

export interface Gate {
  name: string
  passed: boolean
  failed: boolean
  note: string
}

const submitted: string[] = [
  supplementStatus.inReview,
  supplementStatus.passed,
  supplementStatus.refused,
  supplementStatus.withdrawn,
  supplementStatus.inNotice,
  supplementStatus.credited,
]
const approved: string[] = [supplementStatus.passed, supplementStatus.inNotice, supplementStatus.credited]

/** The gates between a record and its credit, in their order; the first that it has not passed is marked. Pure. */
export function gatesOf(facts: GateFacts): Gate[] {
  const { lisStatus } = facts
  const notice =
    facts.lisPublictySdate && facts.lisPublictyEdate
      ? `${facts.lisPublictySdate.slice(0, 10)} 至 ${facts.lisPublictyEdate.slice(0, 10)}`
      : '尚未公示'
  const checks: [name: string, passed: boolean, note: string][] = [
    ['录入', true, `${facts.createName} 于 ${facts.createTime.slice(0, 16)}`],
    [
      '提交',
      submitted.includes(lisStatus) && lisStatus !== supplementStatus.withdrawn,
      lisStatus === supplementStatus.withdrawn
        ? '已撤回，修改后可重新提交'
        : lisStatus === supplementStatus.draft
          ? '尚未提交审批'
          : '已提交审批',
    ],
    [
      '审批',
      approved.includes(lisStatus),
      lisStatus === supplementStatus.refused
        ? `驳回：${facts.refuseReason}`
        : approved.includes(lisStatus)
          ? `已通过${facts.passTime ? `（${facts.passTime.slice(0, 16)}）` : ''}`
          : labelOf('sup_status', lisStatus),
    ],
    [
      '公示',
      lisStatus === supplementStatus.credited,
      lisStatus === supplementStatus.inNotice && facts.lisPublictyStatus === publictyStatus.questioned
        ? `${notice}，质疑处理中，处理完毕后入账`
        : lisStatus === supplementStatus.inNotice || lisStatus === supplementStatus.credited
          ? notice
          : '尚未公示',
    ],
    [
      '入账',
      lisStatus === supplementStatus.credited && facts.entries > 0,
      lisStatus !== supplementStatus.credited
        ? '公示期满自动记入'
        : facts.entries > 0
          ? `${facts.completeTime ?? ''} 记入 ${facts.entries} 项`.trim()
          : '按评价规则没有可计入的学时或学分',
    ],
  ]
  const first = checks.findIndex(([, passed]) => !passed)
  return checks.map(([name, passed, note], at) => ({
    name,
    passed: passed && (first < 0 || at < first),
    failed: at === first,
    note,
  }))
}
