import type { TaskRow } from '../../contract/approvals/approvals.calls.ts'
import { actOn, type SendAct } from '../core/action.tsx'
import { AreaField } from '../core/fields.tsx'
import type { Queue } from './queues.ts'

const act = actOn<TaskRow>()
const unit = '项'
const taskIds = (rows: readonly TaskRow[]) => rows.map((row) => row.taskId)
const wanted = (opinion: unknown) => (opinion ? { opinion: opinion as string } : {})

export interface Decisions {
  /** With the opinion already written; asks nothing. */
  pass: SendAct<TaskRow>
  /** The same, asked about first: for the keyboard, where a slip is easy. */
  passByKey: SendAct<TaskRow>
  refuse: SendAct<TaskRow>
}

/** The decisions on one case; `opinion` is what its reviewer has written so far. */
export function decisionsOn(queue: Queue, opinion: string, after: (row: TaskRow) => void): Decisions {
  const common = { unit, after: (_: unknown, [row]: readonly TaskRow[]) => row && after(row) }
  const pass = (confirm: string | false) => act({ ...common, label: '通过', call: queue.pass, fits: ({ can }) => can.includes('pass'), input: (rows) => ({ taskIds: taskIds(rows), ...wanted(opinion) }), confirm, doneText: (_, [row]) => `已通过“${row!.bizName}”` })
  return {
    pass: pass(false),
    passByKey: pass(opinion ? `审批意见：${opinion}` : ''),
    refuse: act({
      ...common, label: '驳回', call: queue.refuse, fits: ({ can }) => can.includes('refuse'), isDanger: true, given: { opinion },
      ask: <AreaField name="opinion" rows={3} placeholder="不少于 5 个字，发起人可见，请写明需要修改的内容" />, confirm: '驳回后由发起人修改并重新提交。',
      input: (rows, given) => ({ taskIds: taskIds(rows), opinion: given['opinion'] as string }), doneText: (_, [row]) => `已驳回“${row!.bizName}”`,
    }),
  }
}

/** The decisions on several ticked cases; what could not be decided is told case by case. */
export const batchDecisions = (queue: Queue): SendAct<TaskRow>[] => [
  act({
    label: '通过', call: queue.pass, unit, fits: ({ can }) => can.includes('pass'), ask: <AreaField name="opinion" label="审批意见" rows={3} placeholder="可不填" />,
    input: (rows, { opinion }) => ({ taskIds: taskIds(rows), ...wanted(opinion) }), doneText: ({ affected }) => `已通过 ${affected} 项`,
  }),
  act({
    label: '驳回', call: queue.refuse, unit, fits: ({ can }) => can.includes('refuse'), isDanger: true, ask: <AreaField name="opinion" rows={3} placeholder="不少于 5 个字，各发起人可见" />,
    confirm: '驳回后由发起人修改并重新提交。', input: (rows, { opinion }) => ({ taskIds: taskIds(rows), opinion: opinion as string }), doneText: ({ affected }) => `已驳回 ${affected} 项`,
  }),
]
