import type { TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { count, moment, text, texts, yesOrEmpty } from '../../core/export/columns.ts'

const before = [text('名称', 'bizName', 32)]
const after = [
  text('摘要', 'summary', 40),
  text('流程', 'wfName', 22),
  text('步骤', 'stepName', 18),
  text('发起人', 'startName'),
  moment('提交时间', 'startTime'),
  texts('在谁手里', 'holders', 24),
  moment('到达时间', 'arriveTime'),
  moment('办理期限', 'dueTime'),
  count('停留天数', 'waitingDays'),
  yesOrEmpty('已超时', 'overdue'),
  moment('处理时间', 'handleTime'),
  // the rows of approvals have a status of their own
  text('状态', ({ taskId, insId, taskStatus }: TaskRow) =>
    labelOf(taskId === insId ? 'approval_status' : 'task_status', taskStatus),
  ),
  text('代理', 'behalfName'),
  text('审批意见', 'opinion', 40),
]

/** The columns of the exported queues; those about supplement records tell whose they are. */
export const lessonQueueColumns = [...before, ...after]
export const supplementQueueColumns = [...before, text('学号', 'suiNumber'), text('姓名', 'suiName'), ...after]
export const questionQueueColumns = [...before, text('课程', 'liName', 32), text('补录', 'lisName', 32), ...after]
