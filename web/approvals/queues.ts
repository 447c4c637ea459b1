import { approvalApi } from '../../contract/approvals/approvals.calls.ts'

/** One approval queue: its calls and where it lives. All queues are the same screen. */
export interface Queue {
  kind: 'publish' | 'result'
  title: string
  list: typeof approvalApi.publishQueue | typeof approvalApi.resultQueue
  pass: typeof approvalApi.publishPass | typeof approvalApi.resultPass
  refuse: typeof approvalApi.publishRefuse | typeof approvalApi.resultRefuse
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
} as const satisfies Record<string, Queue>
