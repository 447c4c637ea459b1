import { approvalApi, queueDecisions, type QueueKind } from '../../../contract/programme/approvals/approvals.calls.ts'

/** One approval queue: its calls and where it lives. All queues are the same screen. */
export interface Queue {
  kind: QueueKind
  title: string
  list:
    | typeof approvalApi.publishQueue
    | typeof approvalApi.resultQueue
    | typeof approvalApi.supQueue
    | typeof approvalApi.questionQueue
  exportList:
    | typeof approvalApi.publishExport
    | typeof approvalApi.resultExport
    | typeof approvalApi.supExport
    | typeof approvalApi.questionExport
  pass: (typeof queueDecisions)[QueueKind]['pass']
  refuse: (typeof queueDecisions)[QueueKind]['refuse']
  path: string
  /** The same case as a page of its own. */
  detail: (bizId: string) => string
  /** What a refusal leads to, told before it. */
  refusalMeans: string
}

/** What the open cases of a queue may be sorted by; as usual by the first. */
export const queueOrders = [
  { value: 'arriveTime asc', label: '按等待时间' },
  { value: 'dueTime asc', label: '按办理期限' },
  { value: 'startTime asc', label: '按提交时间' },
  { value: 'bizName asc', label: '按名称' },
  { value: 'startName asc', label: '按发起人' },
] as const

const toInitiator = '驳回后由发起人修改并重新提交。'

export const queues = {
  publish: {
    kind: 'publish',
    title: '发布审批',
    list: approvalApi.publishQueue,
    exportList: approvalApi.publishExport,
    ...queueDecisions.publish,
    path: '/checkAdmin/publishCheck',
    detail: (bizId) => `/checkAdmin/publishCheckDetail?liId=${bizId}`,
    refusalMeans: toInitiator,
  },
  result: {
    kind: 'result',
    title: '结果审批',
    list: approvalApi.resultQueue,
    exportList: approvalApi.resultExport,
    ...queueDecisions.result,
    path: '/checkAdmin/resultCheck',
    detail: (bizId) => `/checkAdmin/resultCheckDetail?liId=${bizId}`,
    refusalMeans: toInitiator,
  },
  supplement: {
    kind: 'supplement',
    title: '补录审批',
    list: approvalApi.supQueue,
    exportList: approvalApi.supExport,
    ...queueDecisions.supplement,
    path: '/checkAdmin/supplementCheck',
    detail: (bizId) => `/checkAdmin/supplementCheckDetail?lisId=${bizId}`,
    refusalMeans: '驳回后由录入人修改并重新提交。',
  },
  question: {
    kind: 'question',
    title: '质疑举报审批',
    list: approvalApi.questionQueue,
    exportList: approvalApi.questionExport,
    ...queueDecisions.question,
    path: '/checkAdmin/informCheck',
    detail: (bizId) => `/checkAdmin/informCheckDetail?qId=${bizId}`,
    refusalMeans: '驳回即认定质疑不成立，原结果维持不变，双方都会收到通知。',
  },
} as const satisfies Record<string, Queue>
