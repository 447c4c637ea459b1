import { quoted } from '../../../contract/core/quotes.ts'
import { approvalActionApi, takeBackSeconds } from '../../../contract/programme/approvals/actions.calls.ts'
import type { CaseTask, TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { actionOn, type SendAction } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import { AreaField, RemoteSelectField, SelectField } from '../../core/form/fields.tsx'
import type { Queue } from './queues.ts'
import { fewNames } from '../../../contract/core/few-names.ts'
import { figure } from '../../core/service/figure.ts'

const action = actionOn<TaskRow>()
const unit = '项'
const taskIds = (rows: readonly TaskRow[]) => rows.map((row) => row.taskId)
const decidedOf = (rows: readonly TaskRow[], failed: readonly { id: string }[]) =>
  rows.filter(({ taskId }) => !failed.some(({ id }) => id === taskId)).map(({ bizId }) => bizId)
const wanted = (opinion: unknown) => (opinion ? { opinion: opinion as string } : {})

const takenBack = (rows: readonly TaskRow[]) =>
  rows.length === 1 ? `已撤销决定，${quoted(rows[0]!.bizName)}重新待您审批` : '已撤销决定，所选事项重新待您审批'

/** For half a minute a decision can be taken back; the service sees to it. */
const undoable = {
  undoSeconds: takeBackSeconds,
  undo: (rows: readonly TaskRow[]) => send(approvalActionApi.takeBack, { taskIds: taskIds(rows) }),
  undoneText: takenBack,
}

/** The same from among what one has decided, where the message that offers it is gone. */
export const takeBack: SendAction<TaskRow> = action({
  label: '撤销决定',
  call: approvalActionApi.takeBack,
  fits: ({ can }) => can.includes('takeBack'),
  confirm: false,
  input: (rows) => ({ taskIds: taskIds(rows) }),
  doneText: (_, rows) => takenBack(rows),
})

interface Decisions {
  /** With the opinion already written; asks nothing. */
  pass: SendAction<TaskRow>
  /** The same, asked about first: for the keyboard, where a slip is easy. */
  passByKey: SendAction<TaskRow>
  refuse: SendAction<TaskRow>
}

/** The decisions on one case; `opinion` is what its reviewer has written so far. */
export function decisionsOn(queue: Queue, opinion: string, after: (row: TaskRow) => void, task?: CaseTask): Decisions {
  const common = { unit, ...undoable, after: (_: unknown, [row]: readonly TaskRow[]) => row && after(row) }
  const names = task?.can.includes('name') ?? false
  const backSteps = task?.backSteps ?? []
  const pass = (confirm: string | false) =>
    action({
      ...common,
      label: '通过',
      call: queue.pass,
      fits: ({ can }) => can.includes('pass'),
      confirm,
      doneText: (_, [row]) => `已通过${quoted(row!.bizName)}`,
      ...(names && { ask: <CheckersField queue={queue} name="nextCheckerIds" label="下一步审批人" multiple /> }),
      input: (rows, given) => ({
        taskIds: taskIds(rows),
        ...wanted(opinion),
        ...(names && { nextCheckerIds: (given['nextCheckerIds'] as string[]) ?? [] }),
      }),
    })
  const backTo = (given: Record<string, unknown>) => (given['backTo'] ? { backTo: Number(given['backTo']) } : {})
  return {
    pass: pass(false),
    passByKey: pass(opinion ? `审批意见：${opinion}` : ''),
    refuse: action({
      ...common,
      label: '驳回',
      call: queue.refuse,
      fits: ({ can }) => can.includes('refuse'),
      isDanger: true,
      given: { opinion },
      ask: (
        <>
          {backSteps.length > 0 && (
            <SelectField
              name="backTo"
              label="退回到"
              required={false}
              placeholder="发起人（修改后重新提交）"
              options={backSteps.map(({ stepSort, stepName }) => ({
                value: String(stepSort),
                label: `步骤${quoted(stepName)}（重新审批）`,
              }))}
            />
          )}
          <AreaField name="opinion" rows={3} placeholder="不少于 5 个字，发起人可见，请写明需要修改的内容" />
        </>
      ),
      confirm: backSteps.length > 0 ? '' : queue.refusalMeans,
      input: (rows, given) => ({ taskIds: taskIds(rows), opinion: given['opinion'] as string, ...backTo(given) }),
      doneText: (_, [row]) => `已驳回${quoted(row!.bizName)}`,
    }),
  }
}

/** The opinion a colleague wants; `opinion` is what has been written so far. */
export const adviseAction = (opinion: string, after: (row: TaskRow) => void): SendAction<TaskRow> =>
  action({
    label: '提交意见',
    call: approvalActionApi.advise,
    fits: ({ can }) => can.includes('advise'),
    question: ([row]) => `将意见提交给${quoted(row!.askedByName)}？`,
    confirm: '提交后由对方审批，不能修改。',
    given: { opinion },
    ask: <AreaField name="opinion" rows={3} placeholder="对方及后续审批人可见" />,
    input: ([row], given) => ({ taskId: row!.taskId, opinion: given['opinion'] as string }),
    doneText: (_, [row]) => `已将意见提交给${quoted(row!.askedByName)}`,
    after: (_, [row]) => row && after(row),
  })

/** Takes a task back from the colleague whose opinion is awaited. */
export const recallAction: SendAction<TaskRow> = action({
  label: '收回委派',
  call: approvalActionApi.recall,
  fits: ({ can }) => can.includes('recall'),
  question: () => '确认收回委派？',
  confirm: '收回后由您直接审批。',
  input: ([row]) => ({ taskId: row!.taskId }),
  doneText: (_, [row]) => `已收回委派，${quoted(row!.bizName)}重新待您审批`,
})

/** What else may be done with one case: hand it on, ask for an opinion, or have others decide as well. */
export const otherActions = (queue: Queue, after: (row: TaskRow) => void): SendAction<TaskRow>[] => [
  action({
    label: '转办',
    call: approvalActionApi.transfer,
    fits: ({ can }) => can.includes('transfer'),
    confirm: '转办后由对方审批，您不再处理。',
    ask: (
      <>
        <CheckersField queue={queue} name="toSuId" label="转办给" />
        <AreaField name="opinion" rows={2} placeholder="可不填，对方可见" />
      </>
    ),
    input: ([row], given) => ({ taskId: row!.taskId, toSuId: given['toSuId'] as string, ...wanted(given['opinion']) }),
    doneText: (_, [row]) => `已转办${quoted(row!.bizName)}`,
    after: (_, [row]) => row && after(row),
  }),
  action({
    label: '委派',
    call: approvalActionApi.delegate,
    fits: ({ can }) => can.includes('delegate'),
    confirm: '对方给出意见后，仍由您审批。',
    ask: (
      <>
        <CheckersField queue={queue} name="toSuId" label="委派给" />
        <AreaField name="opinion" rows={2} placeholder="可不填，请对方核实什么" />
      </>
    ),
    input: ([row], given) => ({ taskId: row!.taskId, toSuId: given['toSuId'] as string, ...wanted(given['opinion']) }),
    doneText: (_, [row]) => `已委派${quoted(row!.bizName)}，对方答复后重新待您审批`,
    after: (_, [row]) => row && after(row),
  }),
  action({
    label: '加签',
    call: approvalActionApi.addSigners,
    fits: ({ can }) => can.includes('add'),
    confirm: '加签人与您都通过后，才进入下一步。',
    ask: (
      <>
        <CheckersField queue={queue} name="suIds" label="加签人" multiple />
        <AreaField name="opinion" rows={2} placeholder="可不填" />
      </>
    ),
    input: ([row], given) => ({
      taskId: row!.taskId,
      suIds: (given['suIds'] as string[]) ?? [],
      ...wanted(given['opinion']),
    }),
    doneText: () => '已加签',
  }),
]

/** What the person may do with what they started themselves: its rows are approvals. */
export const startedActions: SendAction<TaskRow>[] = [
  action({
    label: '撤回',
    call: approvalActionApi.withdraw,
    fits: ({ can }) => can.includes('withdraw'),
    isDanger: true,
    confirm: '撤回后可以修改并重新提交。',
    input: ([row]) => ({ insId: row!.insId }),
    doneText: (_, [row]) => `已撤回${quoted(row!.bizName)}`,
  }),
  action({
    label: '催办',
    call: approvalActionApi.remind,
    fits: ({ can }) => can.includes('remind'),
    question: () => '确认催办当前审批人？',
    confirm: '将给当前审批人发送提醒，同一审批每 24 小时可催办一次。',
    input: ([row]) => ({ insId: row!.insId }),
    doneText: ({ names }) => `已提醒${fewNames(names)}`,
  }),
]

/** People who could decide such a case. */
function CheckersField({
  queue,
  name,
  label,
  multiple = false,
}: {
  queue: Queue
  name: string
  label: string
  multiple?: boolean
}) {
  return (
    <RemoteSelectField
      name={name}
      label={label}
      required
      multiple={multiple}
      max={10}
      placeholder="输入姓名或工号"
      call={approvalActionApi.candidates}
      input={(search) => ({ bizType: queue.kind, ...(search && { search }) })}
      options={(people) => people.map(({ id, name: suiName, note }) => ({ value: id, label: suiName, hint: note }))}
    />
  )
}

/** The decisions on several ticked cases; what could not be decided is told case by case. */
export const batchDecisions = (queue: Queue, after: (bizIds: string[]) => void): SendAction<TaskRow>[] => [
  action({
    label: '通过',
    call: queue.pass,
    unit,
    ...undoable,
    after: ({ failed }, rows) => after(decidedOf(rows, failed)),
    fits: ({ can }) => can.includes('pass'),
    ask: <AreaField name="opinion" label="审批意见" rows={3} placeholder="可不填" />,
    input: (rows, { opinion }) => ({ taskIds: taskIds(rows), ...wanted(opinion) }),
    doneText: ({ affected }) => `已通过 ${figure(affected)} 项`,
  }),
  action({
    label: '驳回',
    call: queue.refuse,
    unit,
    ...undoable,
    after: ({ failed }, rows) => after(decidedOf(rows, failed)),
    fits: ({ can }) => can.includes('refuse'),
    isDanger: true,
    ask: <AreaField name="opinion" rows={3} placeholder="不少于 5 个字，各发起人可见" />,
    confirm: queue.refusalMeans,
    input: (rows, { opinion }) => ({ taskIds: taskIds(rows), opinion: opinion as string }),
    doneText: ({ affected }) => `已驳回 ${figure(affected)} 项`,
  }),
]
