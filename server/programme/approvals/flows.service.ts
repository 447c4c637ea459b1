import { sql } from 'kysely'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import type { SubmittedDifference } from '../../../contract/core/difference.ts'
import type { FlowProgress } from '../../../contract/programme/lessons/lessons.schema.ts'
import { compiledOnce } from '../../core/database/compiled-once.ts'
import { from } from '../../core/database/tenant.ts'
import { wallClock } from '../../core/database/wall-clock.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import { mayRemoveSeat, removableSeats } from '../../rules/workflow/actions.ts'
import type { Running } from '../../rules/workflow/arrange.ts'
import { progress, stepVerdict, type StepProgress } from '../../rules/workflow/progress.ts'
import { managesApproval } from './manage.service.ts'
import { engineStep, initiatorOf, type ApprovalRow, type StepSnapshot, type TaskRecord } from './running.queries.ts'

export { ownTask } from './approvals.queries.ts'

/** The tasks of the approval at hand in a query, in the order in which they arrived. */
const tasksJson = sql<TaskRecord[]>`coalesce(
    (
      select json_agg(
        json_build_object(
          'taskId', t."taskId", 'round', t."round", 'stepSort', t."stepSort", 'checkerId', t."checkerId",
          'checkerName', t."checkerName", 'behalfName', t."behalfName", 'onBehalfOf', t."onBehalfOf", 'seatId',
          coalesce(t."seatId", t."checkerId"), 'taskStatus', t."taskStatus", 'opinion', t."opinion", 'backTo',
          t."backTo", 'adviceOn', t."adviceOn", 'arriveTime', ${wallClock('t.arriveTime')}, 'handleTime', ${wallClock('t.handleTime')},
          'nextTime', ${wallClock('t.nextTime')}, 'nextAction', t."nextAction"
        )
        order by t."arriveTime", t."taskId"
      )
      from "approvalTask" t
      where t."schoolId" = "approval"."schoolId" and t."insId" = "approval"."insId"
    ), '[]'
  )`

const approvalsOf = compiledOnce((db, { schoolId, bizId }: { schoolId: string; bizId: string }) =>
  from({ db, schoolId }, 'approval')
    .select([
      'insId',
      'nodeName',
      'bizType',
      'wfName',
      'wfVersion',
      'insStatus',
      'startBy',
      'startName',
      'startTime',
      'endTime',
      'endName',
      'endReason',
      'steps',
      'facts',
    ])
    .select(tasksJson.as('tasks'))
    .where('bizId', '=', bizId)
    .orderBy('startTime', 'desc')
    .orderBy('insId', 'desc')
    .limit(20),
)

/** Every approval a matter has gone through, newest first, step by step: one statement however many there are. */
export async function flowsOf(ctx: Context, bizId: string): Promise<FlowProgress[]> {
  const { actor } = ctx
  const approvals = await approvalsOf(ctx.db, { schoolId: ctx.actor.schoolId, bizId })
  return approvals.map(({ startBy, tasks, facts: kept, ...approval }) => {
    const steps = approval.steps as unknown as StepSnapshot[]
    const facts = kept as ApprovalRow['facts']
    const engineSteps = steps.map(engineStep)
    const stepProgress = progress(engineSteps, tasks)
    const isRunning = approval.insStatus === approvalStatus.running
    const isManager = isRunning && managesApproval(actor, { bizType: approval.bizType, facts })
    const people = peopleShown(
      {
        insStatus: approval.insStatus,
        stepSort: stepProgress.stepSort,
        initiatorId: initiatorOf({ startBy, facts }),
        steps: engineSteps,
        tasks,
      },
      tasks,
      actor,
      isManager,
    )
    return {
      ...approval,
      can: [
        ...(isRunning && startBy === actor.suId ? (['remind'] as const) : []),
        ...(isManager ? (['terminate'] as const) : []),
      ],
      returns: tasks
        .filter(({ taskStatus, backTo }) => taskStatus === taskStatusCodes.refused && backTo !== null)
        .map((task) => ({
          fromStep: nameOf(steps, task.stepSort),
          toStep: nameOf(steps, task.backTo!),
          checkerName: task.checkerName,
          opinion: task.opinion,
          handleTime: task.handleTime ?? '',
        })),
      steps: steps.map((step) => stepOf(step, tasks, stepProgress, approval.insStatus, people)),
    }
  })
}

/**
 * What differs from the matter as it was approved or returned before; earlier versions of the program kept neither
 * `label` nor `since`, and only knew what had been approved.
 */
export async function changesOf(ctx: Context, insId: string): Promise<SubmittedDifference[]> {
  const { changes } = await from(ctx, 'approval').select('changes').where('insId', '=', insId).executeTakeFirstOrThrow()
  const kept = changes as (Omit<SubmittedDifference, 'label' | 'since'> & Partial<SubmittedDifference>)[]
  return kept.map((one) => ({ ...one, label: one.label ?? one.field, since: one.since ?? 'approved' }))
}

const nameOf = (steps: readonly StepSnapshot[], sort: number): string =>
  steps.find(({ stepSort }) => stepSort === sort)?.stepName ?? ''

function stepOf(
  step: StepSnapshot,
  tasks: readonly TaskRecord[],
  { stepSort, rounds }: StepProgress,
  insStatus: string,
  shown: PeopleOfSeat,
): FlowProgress['steps'][number] {
  const round = rounds.get(step.stepSort) ?? 1
  const own = tasks.filter((task) => task.stepSort === step.stepSort && task.round === round)
  const { verdict } = stepVerdict(engineStep(step), own, round)
  return {
    stepSort: step.stepSort,
    stepName: step.stepName,
    stepType: step.stepType,
    state: stateOf(step.stepSort, stepSort, insStatus, verdict),
    people: [
      ...step.people.flatMap((seat) => shown(seat, own, round)),
      ...addedSeatsShown(step, round).flatMap((seat) => shown(seat, own, round, true)),
    ],
  }
}

/** Who was added to a step and counts in this round, or was taken off in it: each once. */
function addedSeatsShown({ added = [] }: StepSnapshot, round: number): { suId: string; suiName: string }[] {
  const seats = added.filter(({ since, removedIn = round }) => since <= round && removedIn >= round)
  return seats.filter(({ suId }, at) => seats.findIndex((one) => one.suId === suId) === at)
}

type Person = FlowProgress['steps'][number]['people'][number]
type PeopleOfSeat = (
  seat: { suId: string; suiName: string },
  own: readonly TaskRecord[],
  round: number,
  isAdded?: boolean,
) => Person[]

/**
 * Those who have, or had, to do with a seat: whoever voted for it, gave an opinion or is asked now, else whoever
 * lapsed, else the person it is meant for; with what the person who looks may do about them.
 */
function peopleShown(
  running: Running,
  tasks: readonly TaskRecord[],
  { suId: by, permits }: Actor,
  isManager: boolean,
): PeopleOfSeat {
  const { stepSort, round: current, seats } = removableSeats(running)
  const mayRemove = (seatId: string) =>
    seats.some(
      (seat) =>
        seat.seatId === seatId &&
        (isManager || (permits.size > 0 && mayRemoveSeat(running, seat, stepSort, current, by))),
    )
  const byId = new Map(tasks.map((task) => [task.taskId, task]))
  // what was taken back without an answer is not part of the story any more
  const isWanting = new Set(
    tasks.flatMap(({ adviceOn, taskStatus }) => (taskStatus === taskStatusCodes.withdrawn ? [] : (adviceOn ?? []))),
  )
  return ({ suId, suiName }, own, round, isAdded = false) => {
    const ofSeat = own.filter(({ seatId }) => seatId === suId)
    const acting = ofSeat.filter(
      ({ taskId, taskStatus }) =>
        isOneOf(
          taskStatus,
          taskStatusCodes.pending,
          taskStatusCodes.passed,
          taskStatusCodes.refused,
          taskStatusCodes.transferred,
          taskStatusCodes.autoPassed,
          taskStatusCodes.advised,
        ) || isWanting.has(taskId),
    )
    const shown = acting.length > 0 ? acting : ofSeat.slice(-1)
    const canRemove = isAdded && round === current && mayRemove(suId) ? (['removeSigner'] as const) : []
    if (shown.length === 0)
      return [
        {
          checkerId: suId,
          checkerName: suiName,
          behalfName: '',
          taskStatus: '',
          opinion: '',
          arriveTime: null,
          handleTime: null,
          isAdded,
          seatId: suId,
          askedByName: '',
          taskId: '',
          can: [...canRemove],
        },
      ]
    return shown.map(
      ({ taskId, checkerId, checkerName, behalfName, taskStatus, opinion, arriveTime, handleTime, adviceOn }) => {
        const asking = adviceOn === null ? undefined : byId.get(adviceOn)
        const canRecall =
          taskStatus === taskStatusCodes.pending && asking?.checkerId === by ? (['recall'] as const) : []
        return {
          checkerId,
          checkerName,
          behalfName,
          taskStatus,
          opinion,
          arriveTime,
          handleTime,
          isAdded,
          seatId: suId,
          askedByName: asking?.checkerName ?? '',
          // what is taken back is the task of whoever asked
          taskId: asking?.taskId ?? taskId,
          can: [...canRecall, ...(adviceOn === null && taskStatus === taskStatusCodes.pending ? canRemove : [])],
        }
      },
    )
  }
}

function stateOf(
  stepSort: number,
  current: number,
  insStatus: string,
  verdict: 'passed' | 'refused' | 'open',
): FlowProgress['steps'][number]['state'] {
  if (verdict !== 'open' && (stepSort <= current || insStatus === approvalStatus.passed)) return verdict
  if (insStatus === approvalStatus.running) return stepSort === current ? 'waiting' : 'coming'
  return insStatus === approvalStatus.withdrawn ? 'withdrawn' : 'skipped'
}
