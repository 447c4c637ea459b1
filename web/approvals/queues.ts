import { approvalApi } from '../../contract/approvals/approvals.calls.ts'

/** One approval queue: its calls and where it lives. All queues are the same screen. */
export interface Queue {
  kind: 'publish' | 'result' | 'supplement'
  title: string
  list: typeof approvalApi.publishQueue | typeof approvalApi.resultQueue | typeof approvalApi.supQueue
  pass: typeof approvalApi.publishPass | typeof approvalApi.resultPass | typeof approvalApi.supPass
  refuse: typeof approvalApi.publishRefuse | typeof approvalApi.resultRefuse | typeof approvalApi.supRefuse
  path: string
  /** The same case as a page of its own. */
  detail: (bizId: string) => string
}

export const queues = {
  publish: {
    kind: 'publish', title: '发布审批', list: approvalApi.publishQueue, pass: approvalApi.publishPass, refuse: approvalApi.publishRefuse,
    path: '/checkAdmin/publishCheck', detail: (bizId) => `/checkAdmin/publishCheckDetail?liId=${bizId}`,
  },
  result: {
    kind: 'result', title: '结果审批', list: approvalApi.resultQueue, pass: approvalApi.resultPass, refuse: approvalApi.resultRefuse,
    path: '/checkAdmin/resultCheck', detail: (bizId) => `/checkAdmin/resultCheckDetail?liId=${bizId}`,
  },
  supplement: {
    kind: 'supplement', title: '补录审批', list: approvalApi.supQueue, pass: approvalApi.supPass, refuse: approvalApi.supRefuse,
    path: '/checkAdmin/supplementCheck', detail: (bizId) => `/checkAdmin/supplementCheckDetail?lisId=${bizId}`,
  },
} as const satisfies Record<string, Queue>
