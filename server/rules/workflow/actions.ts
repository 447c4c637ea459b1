import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import type { TimeoutAction } from '../../../contract/core/codes/rules.ts'
import { flowCheckerType, flowStepType, timeoutAction } from '../../../contract/core/codes/rules.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { withAdviceClosed, type EngineStep, type EngineTask, type Facts, type Running } from './arrange.ts'
import { addedSeats, progress, stepVerdict, type AddedSeat } from './progress.ts'

/**
 * What people and time do to a running approval: pure. Each answers how the approval is afterwards, still to be
 * arranged, or refuses by name.
 */

interface VoteAction {
  taskId: string
  by: string
  verdict: 'pass' | 'refuse'
  opinion: string
  /** Where a refusal sends the approval; the initiator when left out. */
  backTo?: number | undefined
  /** Who decides the next step, where that is left to the person who passes this one. */
  next?: readonly string[] | undefined
}

/** One person's decision on their task. */
export function vote(now: Running, { taskId, by, verdict, opinion, backTo, next = [] }: VoteAction): Running {
  const task = deciderTask(now, taskId, by)
  const step = stepOf(now, task)
  if (verdict === 'refuse') {
    if (backTo !== undefined && !backTargets(now, step).includes(backTo)) throw new Failure('back-not-allowed')
    return withTask(now, taskId, { taskStatus: taskStatus.refused, opinion, backTo: backTo ?? null })
  }
  const after = withTask(now, taskId, { taskStatus: taskStatus.passed, opinion })
  const named = namedStep(after)
  if (!named) return after
  const people = [...new Set(next)].filter((person) => person !== now.initiatorId)
  if (people.length === 0) throw new Failure('next-checker-needed', { step: named.stepName })
  return { ...after, steps: after.steps.map((one) => (one === named ? { ...one, people } : one)) }
}

/**
 * The step whose people the last vote was to name: it comes next, leaves that to the step before it, and has not been
 * named any yet.
 */
function namedStep(now: Running): EngineStep | undefined {
  const { state, stepSort } = progress(now.steps, now.tasks)
  const step = state === 'running' ? now.steps.find((one) => one.stepSort === stepSort) : undefined
  return step?.wfsCheckerType === flowCheckerType.namedByLastStep &&
    step.people.length === 0 &&
    stepSort !== now.stepSort
    ? step
    : undefined
}

/** Whether passing this step means naming the people of the next one that asks anybody. */
export function namesNext({ steps }: Pick<Running, 'steps'>, stepSort: number): boolean {
  const next = steps
    .toSorted((a, b) => a.stepSort - b.stepSort)
    .find(
      (step) =>
        step.stepSort > stepSort && step.stepType !== flowStepType.copy && step.stepType !== flowStepType.autoPass,
    )
  return next?.wfsCheckerType === flowCheckerType.namedByLastStep && next.people.length === 0
}

/** The steps that a refusal at this step may lead back to: those before it that people have decided. */
export function backTargets(now: Pick<Running, 'steps' | 'tasks'>, step: EngineStep): number[] {
  if (step.canReject === 'start') return []
  const { rounds } = progress(now.steps, now.tasks)
  const decided = new Set(
    now.tasks
      .filter((task) => task.taskStatus === taskStatus.passed && task.round === rounds.get(task.stepSort))
      .map((task) => task.stepSort),
  )
  const before = now.steps
    .map(({ stepSort }) => stepSort)
    .filter((stepSort) => stepSort < step.stepSort && decided.has(stepSort))
    .toSorted((a, b) => a - b)
  return step.canReject === 'prev' ? before.slice(-1) : before
}

/** Hands a task on to somebody else, who then decides in their own name. */
export function transfer(
  now: Running,
  { taskId, by, to, opinion }: { taskId: string; by: string; to: string; opinion: string },
  { newId }: Pick<Facts, 'newId'>,
): Running {
  const task = deciderTask(now, taskId, by)
  if (stepOf(now, task).allowTransfer !== yesNo.yes) throw new Failure('transfer-not-allowed')
  assertMayJoinStep(now, task, to)
  const handed = withTask(now, taskId, { taskStatus: taskStatus.transferred, opinion })
  return { ...handed, tasks: [...handed.tasks, { ...task, taskId: newId(), checkerId: to, onBehalfOf: null }] }
}

/** Asks others as well: the step passes only when they pass too. */
export function addSigners(
  now: Running,
  { taskId, by, people }: { taskId: string; by: string; people: readonly string[] },
): Running {
  const task = deciderTask(now, taskId, by)
  const step = stepOf(now, task)
  if (step.allowAdd !== yesNo.yes) throw new Failure('add-not-allowed')
  for (const person of people) assertMayJoinStep(now, task, person)
  return {
    ...now,
    steps: now.steps.map((one) =>
      one === step
        ? {
            ...one,
            added: [...(one.added ?? []), ...[...new Set(people)].map((seatId) => ({ seatId, since: task.round, by }))],
          }
        : one,
    ),
  }
}

/** The seats of the step at hand that were added and have not been decided: they may still be taken off. */
export function removableSeats(now: Running): { stepSort: number; round: number; seats: AddedSeat[] } {
  const { state, stepSort, rounds } = progress(now.steps, now.tasks)
  const step = now.steps.find((one) => one.stepSort === stepSort)
  const round = rounds.get(stepSort) ?? 1
  if (state !== 'running' || now.insStatus !== approvalStatus.running || !step) return { stepSort, round, seats: [] }
  const { awaited } = stepVerdict(step, now.tasks, round)
  return { stepSort, round, seats: addedSeats(step, round).filter(({ seatId }) => awaited.includes(seatId)) }
}

/** Whether a person may take an added seat off: they added it, or they are asked for a seat of the step itself. */
export const mayRemoveSeat = (now: Running, seat: AddedSeat, stepSort: number, round: number, by: string): boolean =>
  seat.by === by ||
  now.tasks.some(
    (task) =>
      task.stepSort === stepSort &&
      task.round === round &&
      task.checkerId === by &&
      task.adviceOn === null &&
      isOneOf(task.taskStatus, taskStatus.pending, taskStatus.passed, taskStatus.delegated) &&
      now.steps.some((step) => step.stepSort === stepSort && step.people.includes(task.seatId)),
  )

/**
 * Takes a seat that was added off again, as long as nobody has decided for it; whoever was asked for it is asked no
 * longer.
 * @param by null: who may do so because of a right of their own
 */
export function removeSigner(
  now: Running,
  { seatId, by, opinion }: { seatId: string; by: string | null; opinion: string },
): Running {
  if (now.insStatus !== approvalStatus.running) throw new Failure('approval-ended')
  const { stepSort, round, seats } = removableSeats(now)
  const seat = seats.find((one) => one.seatId === seatId)
  if (!seat) throw new Failure('signer-not-removable')
  if (by !== null && !mayRemoveSeat(now, seat, stepSort, round, by)) throw new Failure('not-permitted')
  return {
    ...now,
    steps: now.steps.map((step) =>
      step.stepSort === stepSort
        ? { ...step, added: step.added!.map((one) => (one === seat ? { ...one, removedIn: round } : one)) }
        : step,
    ),
    tasks: now.tasks.map((task) =>
      task.stepSort === stepSort &&
      task.round === round &&
      task.seatId === seatId &&
      task.taskStatus === taskStatus.pending
        ? { ...task, taskStatus: taskStatus.withdrawn, opinion }
        : task,
    ),
  }
}

/** Ends an approval without a decision; what was open lapses. */
export function terminate(now: Running): Running {
  if (now.insStatus !== approvalStatus.running) throw new Failure('approval-ended')
  return {
    ...now,
    insStatus: approvalStatus.terminated,
    tasks: now.tasks.map((task) =>
      task.taskStatus === taskStatus.pending ? { ...task, taskStatus: taskStatus.lapsed } : task,
    ),
  }
}

/** Takes an approval back, as long as nobody has decided. */
export function withdraw(now: Running): Running {
  if (
    now.insStatus !== approvalStatus.running ||
    now.tasks.some((task) => task.taskStatus === taskStatus.passed || task.taskStatus === taskStatus.refused)
  )
    throw new Failure('already-decided')
  return {
    ...now,
    insStatus: approvalStatus.withdrawn,
    tasks: now.tasks.map((task) =>
      task.taskStatus === taskStatus.pending ? { ...task, taskStatus: taskStatus.withdrawn } : task,
    ),
  }
}

/** How an approval stood before a decision: what the decision changed, and who was there. */
export interface BeforeVote {
  insStatus: string
  stepSort: number
  /** The people of each step, by `stepSort`. */
  people: Record<number, string[]>
  tasks: Record<string, Pick<EngineTask, 'taskStatus' | 'opinion' | 'backTo'>>
}

/** What is to be kept so that a decision can be taken back. */
export const beforeVote = ({ insStatus, stepSort, steps, tasks }: Running): BeforeVote => ({
  insStatus,
  stepSort,
  people: Object.fromEntries(steps.map((step) => [step.stepSort, [...step.people]])),
  tasks: Object.fromEntries(
    tasks.map(({ taskId, taskStatus, opinion, backTo }) => [taskId, { taskStatus, opinion, backTo }]),
  ),
})

/** Brings an approval back to before its last decision: whoever was asked because of it is asked no longer (5). */
export const takeBack = (now: Running, before: BeforeVote): Running => ({
  ...now,
  insStatus: before.insStatus,
  stepSort: before.stepSort,
  steps: now.steps.map((step) => ({ ...step, people: before.people[step.stepSort] ?? step.people })),
  tasks: now.tasks.map((task) =>
    before.tasks[task.taskId]
      ? { ...task, ...before.tasks[task.taskId] }
      : { ...task, taskStatus: taskStatus.withdrawn },
  ),
})

/**
 * What happens to a task whose time has run out: 2 others are asked as well, 3 it passes, 4 it refuses. With 0 and 1
 * nothing changes; a reminder is a message.
 */
export function timeOut(
  now: Running,
  taskId: string,
  action: TimeoutAction,
  others: readonly string[],
  { newId }: Pick<Facts, 'newId'>,
): Running {
  const task = now.tasks.find((one) => one.taskId === taskId)
  if (!task || task.taskStatus !== taskStatus.pending || now.insStatus !== approvalStatus.running) return now
  if (task.adviceOn !== null && isOneOf(action, timeoutAction.autoPass, timeoutAction.autoRefuse)) {
    // the step decides itself, not the person who was only to give an opinion
    const seat = ({ round, stepSort, seatId }: EngineTask) => `${round} ${stepSort} ${seatId}`
    const tasks = withAdviceClosed(now.tasks, task, { taskStatus: taskStatus.lapsed, opinion: '' }, newId)
    const decider = tasks.find((one) => one.taskStatus === taskStatus.pending && seat(one) === seat(task))!
    return timeOut({ ...now, tasks }, decider.taskId, action, others, { newId })
  }
  if (action === timeoutAction.autoPass)
    return withTask(now, taskId, { taskStatus: taskStatus.autoPassed, opinion: '超过处理时限，系统自动通过' })
  if (action === timeoutAction.autoRefuse)
    return withTask(now, taskId, {
      taskStatus: taskStatus.refused,
      opinion: '超过处理时限，系统自动驳回',
      backTo: null,
    })
  if (action !== timeoutAction.escalate) return now
  const asked = new Set(
    now.tasks
      .filter(
        (one) =>
          one.taskStatus === taskStatus.pending &&
          one.round === task.round &&
          one.stepSort === task.stepSort &&
          one.seatId === task.seatId,
      )
      .map(({ checkerId }) => checkerId),
  )
  const fresh = others.filter((person) => person !== now.initiatorId && !asked.has(person))
  return {
    ...now,
    tasks: [
      ...now.tasks,
      ...fresh.map((checkerId): EngineTask => ({
        ...task,
        taskId: newId(),
        checkerId,
        onBehalfOf: null,
        adviceOn: null,
        isLate: true,
      })),
    ],
  }
}

/** The open task of a person; see also {@link deciderTask}. */
export function openTask(now: Running, taskId: string, by: string): EngineTask {
  const task = now.tasks.find((one) => one.taskId === taskId)
  if (!task) throw new Failure('not-found')
  if (task.checkerId !== by) throw new Failure('not-checker')
  if (now.insStatus !== approvalStatus.running || task.taskStatus !== taskStatus.pending)
    throw new Failure('already-decided')
  return task
}

/** The same where they decide: who is only to give an opinion cannot do what a reviewer does. */
export function deciderTask(now: Running, taskId: string, by: string): EngineTask {
  const task = openTask(now, taskId, by)
  if (task.adviceOn !== null) throw new Failure('opinion-only')
  return task
}

/** The step of a task. */
export const stepOf = ({ steps }: Running, { stepSort }: EngineTask): EngineStep =>
  steps.find((step) => step.stepSort === stepSort)!
/** The approval with other values of one task. */
export const withTask = (now: Running, taskId: string, values: Partial<EngineTask>): Running => ({
  ...now,
  tasks: now.tasks.map((task) => (task.taskId === taskId ? { ...task, ...values } : task)),
})

/** Nobody decides their own matter, and nobody twice in one step. */
export function assertMayJoinStep(now: Running, { round, stepSort }: EngineTask, person: string): void {
  if (person === now.initiatorId) throw new Failure('own-matter')
  const step = now.steps.find((one) => one.stepSort === stepSort)!
  const isThere =
    step.people.includes(person) ||
    addedSeats(step, round).some(({ seatId }) => seatId === person) ||
    now.tasks.some(
      (task) =>
        task.stepSort === stepSort &&
        task.round === round &&
        task.checkerId === person &&
        (task.adviceOn === null || task.taskStatus === taskStatus.pending) &&
        !isOneOf(task.taskStatus, taskStatus.transferred, taskStatus.withdrawn),
    )
  if (isThere) throw new Failure('already-on-step')
}
