import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { assertMayJoinStep, deciderTask, openTask, stepOf, withTask } from './actions.ts'
import { withAdviceClosed, type EngineTask, type Facts, type Running } from './arrange.ts'

/**
 * A reviewer asks a colleague for an opinion (委派) and decides afterwards: pure. Unlike a task handed on (转办), the
 * task comes back to them.
 */

/** Gives a task to a colleague who says what they think of the matter. */
export function delegate(
  now: Running,
  { taskId, by, to, opinion }: { taskId: string; by: string; to: string; opinion: string },
  { newId }: Pick<Facts, 'newId'>,
): Running {
  const task = deciderTask(now, taskId, by)
  if (stepOf(now, task).allowTransfer !== yesNo.yes) throw new Failure('delegate-not-allowed')
  assertMayJoinStep(now, task, to)
  const given = withTask(now, taskId, { taskStatus: taskStatus.delegated, opinion })
  const advice = { ...task, taskId: newId(), checkerId: to, onBehalfOf: null, adviceOn: taskId }
  return { ...given, tasks: [...given.tasks, advice] }
}

/** The colleague says what they think; the task comes back. */
export function advise(
  now: Running,
  { taskId, by, opinion }: { taskId: string; by: string; opinion: string },
  { newId }: Pick<Facts, 'newId'>,
): Running {
  const advice = openTask(now, taskId, by)
  if (advice.adviceOn === null) throw new Failure('no-opinion-wanted')
  return { ...now, tasks: withAdviceClosed(now.tasks, advice, { taskStatus: taskStatus.advised, opinion }, newId) }
}

/** Takes a task back from a colleague who has not answered yet. */
export function recallAdvice(
  now: Running,
  { taskId, by }: { taskId: string; by: string },
  { newId }: Pick<Facts, 'newId'>,
): Running {
  const task = now.tasks.find((one) => one.taskId === taskId)
  if (!task) throw new Failure('not-found')
  if (task.checkerId !== by) throw new Failure('not-checker')
  const advice = openAdviceOn(now, taskId)
  if (!advice || now.insStatus !== approvalStatus.running) throw new Failure('already-advised')
  return {
    ...now,
    tasks: withAdviceClosed(now.tasks, advice, { taskStatus: taskStatus.withdrawn, opinion: '' }, newId),
  }
}

/** The task of the colleague whose opinion is still awaited for this one. */
export const openAdviceOn = ({ tasks }: Pick<Running, 'tasks'>, taskId: string): EngineTask | undefined =>
  tasks.find((one) => one.adviceOn === taskId && one.taskStatus === taskStatus.pending)
