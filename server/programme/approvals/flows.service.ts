import { sql } from 'kysely'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import type { SubmittedDifference } from '../../../contract/core/difference.ts'
import type { FlowProgress } from '../../../contract/programme/lessons/lessons.schema.ts'
import { compiledOnce } from '../../core/database/compiled-once.ts'
import { from } from '../../core/database/tenant.ts'
import { wallClock } from '../../core/database/wall-clock.ts'
import type { Context } from '../../core/request/context.ts'
import { progress, stepVerdict, type StepProgress } from '../../rules/workflow/progress.ts'
import { engineStep, type StepSnapshot, type TaskRecord } from './running.queries.ts'

export { ownTask } from './approvals.queries.ts'

/** The tasks of the approval at hand in a query, in the order in which they arrived. */
const tasksJson = sql<TaskRecord[]>`coalesce(
    (
      select json_agg(
        json_build_object(
          'taskId', t."taskId", 'round', t."round", 'stepSort', t."stepSort", 'checkerId', t."checkerId",
          'checkerName', t."checkerName", 'behalfName', t."behalfName", 'onBehalfOf', t."onBehalfOf", 'seatId',
          coalesce(t."seatId", t."checkerId"), 'taskStatus', t."taskStatus", 'opinion', t."opinion", 'backTo',
          t."backTo", 'arriveTime', ${wallClock('t.arriveTime')}, 'handleTime', ${wallClock('t.handleTime')},
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
      'steps',
    ])
    .select(tasksJson.as('tasks'))
    .where('bizId', '=', bizId)
    .orderBy('startTime', 'desc')
    .orderBy('insId', 'desc')
    .limit(20),
)

/** Every approval a matter has gone through, newest first, step by step: one statement however many there are. */
export async function flowsOf(ctx: Context, bizId: string): Promise<FlowProgress[]> {
  const { suId } = ctx.actor
  const approvals = await approvalsOf(ctx.db, { schoolId: ctx.actor.schoolId, bizId })
  return approvals.map(({ startBy, tasks, ...approval }) => {
    const steps = approval.steps as unknown as StepSnapshot[]
    const stepProgress = progress(steps.map(engineStep), tasks)
    return {
      ...approval,
      can: approval.insStatus === approvalStatus.running && startBy === suId ? (['remind'] as const).slice() : [],
      returns: tasks
        .filter(({ taskStatus, backTo }) => taskStatus === taskStatusCodes.refused && backTo !== null)
        .map((task) => ({
          fromStep: nameOf(steps, task.stepSort),
          toStep: nameOf(steps, task.backTo!),
          checkerName: task.checkerName,
          opinion: task.opinion,
          handleTime: task.handleTime ?? '',
        })),
      steps: steps.map((step) => stepOf(step, tasks, stepProgress, approval.insStatus)),
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
): FlowProgress['steps'][number] {
  const round = rounds.get(step.stepSort) ?? 1
  const own = tasks.filter((task) => task.stepSort === step.stepSort && task.round === round)
  const { verdict } = stepVerdict(engineStep(step), own, round)
  return {
    stepSort: step.stepSort,
    stepName: step.stepName,
    stepType: step.stepType,
    state: stateOf(step.stepSort, stepSort, insStatus, verdict),
    people: [...step.people, ...(step.added ?? [])].flatMap((seat) => peopleOf(seat, own)),
  }
}

/**
 * Those who have, or had, to do with a seat: whoever voted for it or is asked now, else whoever lapsed, else the person
 * it is meant for.
 */
function peopleOf(
  { suId, suiName }: { suId: string; suiName: string },
  own: readonly TaskRecord[],
): FlowProgress['steps'][number]['people'] {
  const tasks = own.filter(({ seatId }) => seatId === suId)
  const acting = tasks.filter(({ taskStatus }) =>
    isOneOf(
      taskStatus,
      taskStatusCodes.pending,
      taskStatusCodes.passed,
      taskStatusCodes.refused,
      taskStatusCodes.transferred,
      taskStatusCodes.autoPassed,
    ),
  )
  const shown = acting.length > 0 ? acting : tasks.slice(-1)
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
      },
    ]
  return shown.map(({ checkerId, checkerName, behalfName, taskStatus, opinion, arriveTime, handleTime }) => ({
    checkerId,
    checkerName,
    behalfName,
    taskStatus,
    opinion,
    arriveTime,
    handleTime,
  }))
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
