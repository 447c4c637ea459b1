import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { flowStepType } from '../../../contract/core/codes/rules.ts'
import { progress, type RunningStep, type StepProgress } from './progress.ts'

/** A step of a running approval as the rules need it. */
export interface EngineStep extends RunningStep {
  noApproverPolicy: string
  canReject: string
  allowTransfer: string
  allowAdd: string
  /** 12: its people are named by whoever passes the step before it. */
  wfsCheckerType: string
}

/**
 * One person's part in a running approval. `checkerId` is asked to vote for `seatId`, in the name of `onBehalfOf` if
 * that is set.
 */
export interface EngineTask {
  taskId: string
  round: number
  stepSort: number
  seatId: string
  checkerId: string
  onBehalfOf: string | null
  /** A value of the dictionary `task_status`. */
  taskStatus: string
  opinion: string
  backTo: number | null
  /** The task whose checker wants an opinion by this one: it decides nothing. Null for all others. */
  adviceOn: string | null
  /** Asked because somebody else let the time pass: no time limit of its own. */
  isLate?: boolean
  /** Asked again because this task, an opinion, has been answered or will not be: only while it is new. */
  backFrom?: string
}

/**
 * A running or ended approval. `insStatus` is a value of the dictionary `approval_status`; tasks are in the order they
 * came.
 */
export interface Running {
  insStatus: string
  stepSort: number
  initiatorId: string
  steps: readonly EngineStep[]
  tasks: readonly EngineTask[]
}

/** What the rules must know of the world beside the approval. */
export interface Facts {
  /** Who of the people concerned is in service with a working account. */
  serving: ReadonlySet<string>
  /** Who now stands in for whom. */
  deputies: ReadonlyMap<string, string>
  /** Who takes over where nobody is left. */
  admins: readonly string[]
  newId: () => string
}

export const notes = {
  self: '发起人本人，自动通过',
  repeated: '同一审批人已在前序步骤通过',
  skipped: '审批人已离岗，按流程设置跳过',
  gone: '审批人已离岗',
  copy: '抄送',
} as const

/**
 * Brings an approval to where its votes say it stands: closes what is settled, asks whoever is awaited now, passes by
 * itself what needs nobody, and ends it when nothing is left. Doing it twice changes nothing.
 */
export function arrange(before: Running, facts: Facts): Running {
  let now = before
  while (now.insStatus === approvalStatus.running) {
    const stepProgress = progress(now.steps, now.tasks)
    const round = stepProgress.rounds.get(stepProgress.stepSort) ?? 1
    now = {
      ...now,
      stepSort: stepProgress.stepSort,
      tasks: [...settled(now, stepProgress, round), ...copies(now, stepProgress, facts)],
    }
    if (stepProgress.state !== 'running')
      return { ...now, insStatus: stepProgress.state === 'passed' ? approvalStatus.passed : approvalStatus.refused }
    const step = now.steps.find(({ stepSort }) => stepSort === stepProgress.stepSort)!
    if (step.people.length === 0) {
      const staffed = staff(step, now, facts)
      if (!staffed) return now
      now = { ...now, steps: now.steps.map((one) => (one === step ? staffed : one)) }
      continue
    }
    const seated = seat(now, step, stepProgress, facts)
    now = { ...now, tasks: seated.tasks }
    if (!seated.isDecided) return now
  }
  return now
}

/**
 * Open tasks that nothing depends on any more lapse (7): those of other steps and rounds, and of seats that have been
 * decided.
 */
function settled({ tasks }: Running, { state, stepSort, awaited }: StepProgress, round: number): EngineTask[] {
  const isWanted = (task: EngineTask) =>
    state === 'running' && task.stepSort === stepSort && task.round === round && awaited.includes(task.seatId)
  return tasks.map((task) =>
    task.taskStatus === taskStatusCodes.pending && !isWanted(task)
      ? { ...task, taskStatus: taskStatusCodes.lapsed }
      : task,
  )
}

/** Copies of the matter for the people of the copy steps passed by, once each. */
function copies(
  { steps, tasks, initiatorId }: Running,
  { state, stepSort, rounds }: StepProgress,
  { serving, newId }: Facts,
): EngineTask[] {
  const behind = steps.filter(
    (step) =>
      step.stepType === flowStepType.copy &&
      (step.stepSort < stepSort || (step.stepSort === stepSort && state === 'passed')) &&
      !tasks.some((task) => task.stepSort === step.stepSort),
  )
  return behind.flatMap((step) =>
    step.people
      .filter((person) => person !== initiatorId && serving.has(person))
      .map((person) => ({
        ...blank(newId(), step.stepSort, rounds.get(step.stepSort) ?? 1, person),
        taskStatus: taskStatusCodes.lapsed,
        opinion: notes.copy,
      })),
  )
}

/**
 * A step that has nobody: it is handed to the administrators, or left out where the flow says so; undefined where there
 * is no administrator either.
 */
function staff(step: EngineStep, { initiatorId }: Running, { admins, serving }: Facts): EngineStep | undefined {
  if (step.noApproverPolicy === 'skip') return { ...step, stepType: flowStepType.autoPass }
  const people = admins.filter((person) => person !== initiatorId && serving.has(person))
  return people.length > 0 ? { ...step, people } : undefined
}

const blank = (taskId: string, stepSort: number, round: number, seatId: string): EngineTask => ({
  taskId,
  round,
  stepSort,
  seatId,
  checkerId: seatId,
  onBehalfOf: null,
  taskStatus: taskStatusCodes.pending,
  opinion: '',
  backTo: null,
  adviceOn: null,
})

/**
 * Closes a task that only asked for an opinion, and asks whoever wanted it again, unless they have come to be asked for
 * the same seat meanwhile.
 */
export function withAdviceClosed(
  tasks: readonly EngineTask[],
  advice: EngineTask,
  values: Pick<EngineTask, 'taskStatus' | 'opinion'>,
  newId: () => string,
): EngineTask[] {
  const wanting = tasks.find(({ taskId }) => taskId === advice.adviceOn)!
  const closed = tasks.map((task) => (task.taskId === advice.taskId ? { ...task, ...values } : task))
  const isAsked = closed.some(
    (task) =>
      task.taskStatus === taskStatusCodes.pending &&
      task.round === wanting.round &&
      task.stepSort === wanting.stepSort &&
      task.seatId === wanting.seatId &&
      task.checkerId === wanting.checkerId,
  )
  if (isAsked) return closed
  const again = { ...wanting, taskId: newId(), taskStatus: taskStatusCodes.pending, opinion: '' }
  return [...closed, { ...again, backFrom: advice.taskId }]
}

/** Sees to it that every awaited seat of the current step has somebody to vote for it, or votes by itself. */
function seat(
  now: Running,
  step: EngineStep,
  { awaited, stepSort, rounds }: StepProgress,
  facts: Facts,
): { tasks: EngineTask[]; isDecided: boolean } {
  const round = rounds.get(stepSort)!
  const before = passedBefore(now, stepSort, rounds)
  const admins = facts.admins.filter((person) => person !== now.initiatorId && facts.serving.has(person))
  let tasks = [...now.tasks]
  let isDecided = false
  const of = (seatId: string) =>
    tasks.filter((task) => task.stepSort === stepSort && task.round === round && task.seatId === seatId)
  const openOf = (seatId: string) => of(seatId).filter(({ taskStatus }) => taskStatus === taskStatusCodes.pending)
  const add = (seatId: string, more: Partial<EngineTask>) =>
    tasks.push({ ...blank(facts.newId(), stepSort, round, seatId), ...more })
  const drop = (seatId: string) => {
    const gone = openOf(seatId)
    tasks = tasks.map((task) =>
      gone.includes(task) ? { ...task, taskStatus: taskStatusCodes.lapsed, opinion: notes.gone } : task,
    )
  }
  const pass = (seatId: string, opinion: string) => {
    drop(seatId)
    add(seatId, { taskStatus: taskStatusCodes.autoPassed, opinion })
    isDecided = true
  }
  const empty: string[] = []
  for (const seatId of awaited) {
    for (const task of openOf(seatId).filter(({ adviceOn }) => adviceOn !== null))
      if (!facts.serving.has(task.checkerId))
        tasks = withAdviceClosed(tasks, task, { taskStatus: taskStatusCodes.lapsed, opinion: notes.gone }, facts.newId)
    const own = of(seatId)
    // what was taken back counts as if it had never been asked
    const last = own.findLast(({ taskStatus }) => taskStatus !== taskStatusCodes.withdrawn)
    if (!last && (seatId === now.initiatorId || before.has(seatId))) {
      pass(seatId, seatId === now.initiatorId ? notes.self : notes.repeated)
      continue
    }
    tasks = tasks.flatMap((task) =>
      task.taskStatus === taskStatusCodes.pending && own.includes(task) ? replaced(task, own, now, facts) : [task],
    )
    const holder = last ? (last.onBehalfOf ?? last.checkerId) : seatId
    if (openOf(seatId).length === 0 && facts.serving.has(holder)) add(seatId, deputyOf(holder, now, facts))
    if (!openOf(seatId).some(({ checkerId }) => facts.serving.has(checkerId))) empty.push(seatId)
  }
  const wanting = missed(step, awaited, empty)
  for (const seatId of empty) {
    if (!wanting.includes(seatId)) drop(seatId)
    else if (step.noApproverPolicy === 'skip') pass(seatId, notes.skipped)
    else if (admins.length > 0) {
      drop(seatId)
      for (const checkerId of admins) add(seatId, { checkerId })
    }
  }
  return { tasks, isDecided }
}

/**
 * The empty seats that somebody must fill: where one of several is enough, those who left are missed only when all of
 * them have, and then once.
 */
function missed({ stepType, added = [] }: EngineStep, awaited: readonly string[], empty: readonly string[]): string[] {
  if (stepType !== flowStepType.anyOne) return [...empty]
  const isAdded = (seatId: string) => added.some((one) => one.seatId === seatId)
  const ownEmpty = empty.filter((seatId) => !isAdded(seatId))
  const isManned = awaited.some((seatId) => !isAdded(seatId) && !empty.includes(seatId))
  return [...empty.filter(isAdded), ...(isManned ? [] : ownEmpty.slice(0, 1))]
}

/**
 * Who is asked in the place of a person: whoever stands in for them now, unless that is the initiator or somebody who
 * has left.
 */
function deputyOf(
  person: string,
  { initiatorId }: Running,
  { deputies, serving }: Facts,
): Pick<EngineTask, 'checkerId' | 'onBehalfOf'> {
  const deputy = deputies.get(person)
  return deputy !== undefined && deputy !== initiatorId && serving.has(deputy)
    ? { checkerId: deputy, onBehalfOf: person }
    : { checkerId: person, onBehalfOf: null }
}

/**
 * An open task after somebody began or ceased to stand in for its person: the old one is closed (4 given to a deputy, 5
 * taken back), a new one opened.
 */
function replaced(task: EngineTask, own: readonly EngineTask[], now: Running, facts: Facts): EngineTask[] {
  // an opinion is wanted of this person; whoever stands in for them gives none
  if (task.adviceOn !== null) return [task]
  const person = task.onBehalfOf ?? task.checkerId
  const wanted = deputyOf(person, now, facts)
  if (wanted.checkerId === task.checkerId && wanted.onBehalfOf === task.onBehalfOf) return [task]
  if (
    own.some(
      (other) => other !== task && other.taskStatus === taskStatusCodes.pending && other.checkerId === wanted.checkerId,
    )
  )
    return [task]
  return [
    { ...task, taskStatus: task.onBehalfOf === null ? taskStatusCodes.delegated : taskStatusCodes.withdrawn },
    { ...task, ...wanted, taskId: facts.newId() },
  ]
}

/** Those who themselves passed an earlier step that still counts. */
function passedBefore({ tasks }: Running, stepSort: number, rounds: StepProgress['rounds']): Set<string> {
  return new Set(
    tasks
      .filter(
        (task) =>
          task.taskStatus === taskStatusCodes.passed &&
          task.stepSort < stepSort &&
          task.round === rounds.get(task.stepSort),
      )
      .map((task) => task.onBehalfOf ?? task.checkerId),
  )
}
