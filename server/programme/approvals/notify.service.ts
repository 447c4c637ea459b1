import { messageType } from '../../../contract/core/codes/platform.ts'
import { taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import type { Context } from '../../core/request/context.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import type { EngineTask, Running } from '../../rules/workflow/arrange.ts'
import type { ApprovalRow } from './running.queries.ts'

/**
 * Where a kind's checkers decide, its matter's id at the end, and what the kind is called. Kinds without a screen lead
 * nowhere.
 */
const kinds: Record<string, { name: string; queue: string; record: string }> = {
  publish: {
    name: '发布',
    queue: '/checkAdmin/publishCheck?case=',
    record: '/courseManagement/detailCurriculumList?liId=',
  },
  result: {
    name: '结果',
    queue: '/checkAdmin/resultCheck?case=',
    record: '/courseManagement/detailCurriculumList?liId=',
  },
  supplement: {
    name: '补录',
    queue: '/checkAdmin/supplementCheck?case=',
    record: '/courseManagement/RecordingCourse/detail?lisId=',
  },
  question: {
    name: '质疑举报',
    queue: '/checkAdmin/informCheck?case=',
    record: '/courseManagement/Question/QuestionDetail?qId=',
  },
}
type NotifiedApproval = Pick<ApprovalRow, 'bizType' | 'bizId' | 'bizName' | 'startBy' | 'startName' | 'startTime'>
const kindOf = ({ bizType }: NotifiedApproval) => kinds[bizType] ?? { name: '', queue: '', record: '' }
const linkTo = (screen: string, { bizId }: NotifiedApproval) => screen && screen + encodeURIComponent(bizId)
const about = ({ bizType, bizId }: NotifiedApproval, screen: string) => ({
  bizType,
  bizId,
  link: linkTo(screen, { bizId } as NotifiedApproval),
})

/** Tells people that a step of an approval waits for them, each in the capacity in which they are asked. */
export async function notifyNewTasks(
  ctx: Context,
  row: NotifiedApproval,
  stepName: string,
  tasks: readonly EngineTask[],
  returned?: { from: string; opinion: string },
): Promise<void> {
  const { bizName, startName, startTime } = row
  const { name, queue } = kindOf(row)
  const begun = `${startName}于 ${startTime} 提交《${bizName}》的${name}审批`
  const send = (some: readonly EngineTask[], title: string, content: string) =>
    notify(ctx, {
      suIds: some.map(({ checkerId }) => checkerId),
      type: messageType.approval,
      title,
      content,
      ...about(row, queue),
    })
  const late = tasks.filter(({ isLate }) => isLate)
  const deputies = tasks.filter(({ isLate, onBehalfOf }) => !isLate && onBehalfOf !== null)
  const own = tasks.filter(({ isLate, onBehalfOf }) => !isLate && onBehalfOf === null)
  await send(
    late,
    `《${bizName}》超时未审批，请您处理：${stepName}`,
    `${begun}，在“${stepName}”步骤超过时限未处理，现请您一并审批。`,
  )
  await send(
    deputies,
    `《${bizName}》待您代为审批：${stepName}`,
    `${begun}，“${stepName}”步骤的审批人已委托您代理，请您处理。`,
  )
  if (returned)
    await send(
      own,
      `《${bizName}》被退回，请您重新审批：${stepName}`,
      `${begun}，在“${returned.from}”步骤被退回到“${stepName}”。退回原因：${returned.opinion}`,
    )
  else await send(own, `《${bizName}》待您审批：${stepName}`, `${begun}，请您在“${stepName}”步骤中处理。`)
}

/**
 * Tells colleagues whose opinion is wanted what they are asked, and whoever wanted one that the task is theirs again;
 * not whoever took it back themselves.
 */
export async function notifyAdvice(
  ctx: Context,
  row: NotifiedApproval,
  nameOf: (stepSort: number) => string,
  { tasks }: Running,
  fresh: readonly EngineTask[],
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const { bizName } = row
  const { name, queue } = kindOf(row)
  const taskOf = (taskId: string) => tasks.find((task) => task.taskId === taskId)!
  const send = (suId: string, title: string, content: string) =>
    notify(ctx, { suIds: [suId], type: messageType.approval, title, content, ...about(row, queue) })
  for (const { taskStatus, checkerId, stepSort, adviceOn, backFrom } of fresh) {
    if (taskStatus !== taskStatusCodes.pending) continue
    const step = nameOf(stepSort)
    if (adviceOn !== null) {
      const wanting = taskOf(adviceOn)
      await send(
        checkerId,
        `《${bizName}》请您给出审批意见：${step}`,
        [
          `${names.get(wanting.checkerId) ?? ''}在《${bizName}》${name}审批的“${step}”步骤委派您给出意见，审批仍由对方决定。`,
          wanting.opinion && `委派说明：${wanting.opinion}`,
        ]
          .filter(Boolean)
          .join('\n'),
      )
    } else if (backFrom !== undefined && checkerId !== ctx.actor.suId) {
      const advice = taskOf(backFrom)
      const answered = advice.taskStatus === taskStatusCodes.advised
      await send(
        checkerId,
        `《${bizName}》${answered ? '的委派已答复' : '的委派已退回'}，请您审批：${step}`,
        answered
          ? `${names.get(advice.checkerId) ?? ''}的意见：${advice.opinion}`
          : `您委派的人员未能给出意见，请您在“${step}”步骤中处理，或改为委派他人。`,
      )
    }
  }
}

/** Tells people that what they were asked is wanted of them no longer, and why. */
export async function notifyNoLongerAsked(
  ctx: Context,
  row: NotifiedApproval,
  suIds: readonly string[],
  why: string,
): Promise<void> {
  await notify(ctx, {
    suIds,
    type: messageType.approval,
    title: `《${row.bizName}》不再需要您处理`,
    content: `${why}，您不需要再处理《${row.bizName}》的${kindOf(row).name}审批。`,
    ...about(row, ''),
  })
}

/** Tells the initiator that their approval was ended without a decision. */
export async function notifyTerminated(ctx: Context, row: NotifiedApproval, reason: string): Promise<void> {
  const { name, record } = kindOf(row)
  await notify(ctx, {
    suIds: [row.startBy],
    type: messageType.approval,
    title: `《${row.bizName}》${name}审批已终止`,
    content: `${ctx.actor.suNickname}终止了《${row.bizName}》的${name}审批。终止原因：${reason}\n请修改后重新提交，或删除不再需要的记录。`,
    ...about(row, record),
  })
}

/** Tells those to whom a copy goes. */
export async function notifyCopies(ctx: Context, row: NotifiedApproval, suIds: readonly string[]): Promise<void> {
  const { name, record } = kindOf(row)
  await notify(ctx, {
    suIds,
    type: messageType.approval,
    title: `《${row.bizName}》${name}审批抄送给您`,
    content: `${row.startName}于 ${row.startTime} 提交的《${row.bizName}》${name}审批抄送给您，无需处理。`,
    ...about(row, record),
  })
}

/** Asks those whom an approval waits for to hurry. */
export async function notifyReminder(
  ctx: Context,
  row: NotifiedApproval,
  suIds: readonly string[],
  stepName: string,
  by: string,
): Promise<void> {
  const { name, queue } = kindOf(row)
  await notify(ctx, {
    suIds,
    type: messageType.reminder,
    title: `请尽快审批《${row.bizName}》`,
    content: `${row.startName}于 ${row.startTime} 提交的《${row.bizName}》${name}审批在“${stepName}”步骤等待您处理。${by}`,
    ...about(row, queue),
  })
}

/**
 * Tells those who were asked by a decision, and the initiator where it had ended the approval, that the decision was
 * taken back.
 */
export async function notifyTakenBack(
  ctx: Context,
  row: NotifiedApproval,
  suIds: readonly string[],
  hadEnded: boolean,
): Promise<void> {
  const { name, record } = kindOf(row)
  await notify(ctx, {
    suIds,
    type: messageType.approval,
    title: `《${row.bizName}》暂不需要您审批`,
    content: `上一步审批人撤销了《${row.bizName}》${name}审批的决定，您暂时不需要处理。`,
    ...about(row, ''),
  })
  if (hadEnded)
    await notify(ctx, {
      suIds: [row.startBy],
      type: messageType.approval,
      title: `《${row.bizName}》${name}审批恢复为进行中`,
      content: `审批人撤销了刚才的决定，《${row.bizName}》的${name}审批恢复为进行中，请以最新结果为准。`,
      ...about(row, record),
    })
}

/** Tells the initiator how their approval ended, with the last opinion. */
export async function notifyInitiator(
  ctx: Context,
  row: NotifiedApproval,
  state: 'passed' | 'refused',
  opinion: string,
): Promise<void> {
  const { bizName, startBy } = row
  const { name, record } = kindOf(row)
  const verdict = state === 'passed' ? '已通过' : '被驳回'
  const said = opinion && `${state === 'passed' ? '审批意见' : '驳回原因'}：${opinion}`
  await notify(ctx, {
    suIds: [startBy],
    type: messageType.approval,
    title: `《${bizName}》${name}审批${verdict}`,
    content: [`您提交的《${bizName}》${name}审批${verdict}。`, said].filter(Boolean).join('\n'),
    ...about(row, record),
  })
}
