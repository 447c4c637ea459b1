import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import {
  queueDecisions,
  type approvalApi,
  type CaseTask,
  type QueueKind,
  type TaskRow,
} from '../../../contract/programme/approvals/approvals.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import type { Page } from '../../../contract/core/paging.ts'
import type { Context } from '../../core/request/context.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { addSeconds, secondsBetween } from '../../core/base/clock.ts'
import { backTargets, namesNext } from '../../rules/workflow/actions.ts'
import { engineStep, tasksOf, type StepSnapshot } from './running.queries.ts'
import { startedByMe, underApproval } from './approval-rows.queries.ts'
import type { BizType } from './running.service.ts'

const tabs = {
  todo: [taskStatusCodes.pending],
  overdue: [taskStatusCodes.pending],
  done: [
    taskStatusCodes.passed,
    taskStatusCodes.refused,
    taskStatusCodes.transferred,
    taskStatusCodes.delegated,
    taskStatusCodes.withdrawn,
    taskStatusCodes.autoPassed,
    taskStatusCodes.lapsed,
    taskStatusCodes.advised,
  ],
  passed: [taskStatusCodes.passed, taskStatusCodes.autoPassed],
  refused: [taskStatusCodes.refused],
  ended: [
    taskStatusCodes.transferred,
    taskStatusCodes.delegated,
    taskStatusCodes.withdrawn,
    taskStatusCodes.lapsed,
    taskStatusCodes.advised,
  ],
} as const
const columnOf = {
  arriveTime: 't.arriveTime',
  dueTime: 't.dueTime',
  startTime: 'a.startTime',
  bizName: 'a.bizName',
  startName: 'a.startName',
} as const

type Input = Checked<typeof approvalApi.publishQueue>

/**
 * The tasks of the person who asks, of one kind: those waiting longest first, those decided newest first, unless given.
 * `mine`: what they started themselves. `all`: what is under approval, whoever holds it.
 * @param visible the records of the kind that the person may see, as a query of ids; null where they see all
 */
export async function queue(
  ctx: Context,
  bizType: BizType,
  visible: () => RawBuilder<unknown> | null,
  input: Input,
): Promise<Page<TaskRow>> {
  const { tab, bizName, startName, createStartDate, createEndDate } = input
  if (tab === 'mine') return startedByMe(ctx, bizType, input)
  if (tab === 'all') return underApproval(ctx, bizType, visible(), input)
  const now = ctx.clock.now()
  let query = tasks(ctx)
    .where('t.bizType', '=', bizType)
    .where('t.taskStatus', 'in', [...tabs[tab]])
  if (tab === 'overdue') query = query.where('t.dueTime', '<', now)
  if (bizName) query = query.where(contains('a.bizName' as never, bizName))
  if (startName) query = query.where(contains('a.startName' as never, startName))
  if (createStartDate) query = query.where('a.startTime', '>=', createStartDate)
  if (createEndDate) query = query.where('a.startTime', '<=', createEndDate)
  const isOpen = tab === 'todo' || tab === 'overdue'
  const column = input.sort ? columnOf[input.sort] : isOpen ? 't.arriveTime' : 't.handleTime'
  const order = input.order ?? (input.sort || isOpen ? 'asc' : 'desc')
  const [rows, total] = await Promise.all([
    query.orderBy(column, order).orderBy('t.taskId', order).limit(input.pageSize).offset(offsetOf(input)).execute(),
    countOf(query),
  ])
  return asPage(
    rows.map((row) => taskRow(row, now)),
    total,
    input,
  )
}

/** Seconds in which a decision that is sent again, for its answer was lost, is none about the next step. */
const decidedLatelySeconds = 60

/**
 * The open tasks of the person who asks about matters of one kind. A matter on which they have just decided has none:
 * whoever names the matter and not the task may be asking for the same once more.
 */
export const openTasksOf = (ctx: Context, bizType: BizType, bizIds: readonly string[]) =>
  from(ctx, 'approvalTask as t')
    .innerJoin('approval as a', withinSchool('a.insId', 't.insId'))
    .where('t.checkerId', '=', ctx.actor.suId)
    .where('t.bizType', '=', bizType)
    .where('t.taskStatus', '=', taskStatusCodes.pending)
    .where(anyOf('a.bizId', bizIds))
    .where((by) =>
      by.not(
        by.exists(
          by
            .selectFrom('approvalTask as d')
            .select('d.taskId')
            .whereRef('d.schoolId', '=', 't.schoolId')
            .whereRef('d.insId', '=', 't.insId')
            .whereRef('d.checkerId', '=', 't.checkerId')
            .where('d.taskStatus', 'in', [taskStatusCodes.passed, taskStatusCodes.refused])
            .where('d.handleTime', '>', addSeconds(ctx.clock.now(), -decidedLatelySeconds)),
        ),
      ),
    )
    .select(['t.taskId', 'a.bizId'])
    .orderBy('t.taskId')
    .execute()

/** The open task that a matter waits for from the person who asks, with what else they may do with it, or null. */
export async function ownTask(ctx: Context, bizId: string): Promise<CaseTask | null> {
  const row = await tasks(ctx)
    .where('a.bizId', '=', bizId)
    .where('t.taskStatus', '=', taskStatusCodes.pending)
    .orderBy('t.taskId')
    .executeTakeFirst()
  if (!row) return null
  const { steps: kept } = await from(ctx, 'approval')
    .select('steps')
    .where('insId', '=', row.insId)
    .executeTakeFirstOrThrow()
  const steps = (kept as unknown as StepSnapshot[]).map(engineStep)
  const step = steps.find(({ stepSort }) => stepSort === row.stepSort)!
  const back = backTargets({ steps, tasks: await tasksOf(ctx, [row.insId]) }, step)
  const task = taskRow(row, ctx.clock.now())
  if (row.askedByName !== '') return { ...task, backSteps: [] }
  const more = [
    ...(step.allowTransfer === yesNo.yes ? ['transfer', 'delegate'] : []),
    ...(step.allowAdd === yesNo.yes ? ['add'] : []),
    ...(namesNext({ steps }, step.stepSort) ? ['name'] : []),
  ]
  return {
    ...task,
    can: [...task.can, ...more],
    backSteps: steps
      .filter(({ stepSort }) => back.includes(stepSort))
      .map(({ stepSort, stepName }) => ({ stepSort, stepName })),
  }
}

/**
 * Until when the decision of a task may be taken back; null where it cannot. Whether the approval has changed since is
 * asked when it is done.
 */
const wayBack = sql<string | null>`case
    when a."undo" ->> 'taskId' = t."taskId"::text
    and (a."undo" ->> 'version')::int = a."version" then a."undo" ->> 'until'
  end`.as('undoUntil')

/** Whether a colleague’s opinion is still awaited for a task. */
const isAwaiting = sql<boolean>`t."taskStatus" = ${sql.lit(taskStatusCodes.delegated)}
    and exists (
      select 1
      from "approvalTask" o
      where o."schoolId" = t."schoolId"
        and o."insId" = t."insId"
        and o."adviceOn" = t."taskId"
        and o."taskStatus" = ${sql.lit(taskStatusCodes.pending)}
    )`.as('isAwaiting')

const tasks = ({ db, actor }: Context) =>
  from({ db, actor }, 'approvalTask as t')
    .innerJoin('approval as a', withinSchool('a.insId', 't.insId'))
    // whoever wants only an opinion
    .leftJoin('approvalTask as q', withinSchool('q.taskId', 't.adviceOn'))
    .select([
      't.taskId',
      't.insId',
      't.bizType',
      't.stepName',
      't.stepSort',
      't.arriveTime',
      't.dueTime',
      't.handleTime',
      't.taskStatus',
      't.opinion',
      't.behalfName',
    ])
    .select(['a.bizId', 'a.bizName', 'a.wfName', 'a.startName', 'a.startTime', 'a.summary'])
    .select([
      sql<string>`coalesce(q."checkerName", '')`.as('askedByName'),
      sql<string>`coalesce(q."opinion", '')`.as('askText'),
    ])
    .select(wayBack)
    .select(isAwaiting)
    .where('t.checkerId', '=', actor.suId)

type Task = Awaited<ReturnType<ReturnType<typeof tasks>['executeTakeFirstOrThrow']>>

/** Object.assign: rest and spread of the fields take several times as long, and this runs for every row of a list. */
function taskRow(row: Task, now: string): TaskRow {
  const { dueTime, taskStatus, arriveTime, handleTime, undoUntil, isAwaiting: awaits, askedByName } = row
  const open = taskStatus === taskStatusCodes.pending
  const waitingDays = Math.floor(secondsBetween(arriveTime, handleTime ?? now) / 86_400)
  return Object.assign({}, row, {
    undoUntil: undefined,
    isAwaiting: undefined,
    holders: [],
    waitingDays,
    overdue: open && dueTime !== null && dueTime < now,
    can: open
      ? askedByName === ''
        ? ['pass', 'refuse']
        : ['advise']
      : undoUntil !== null && undoUntil >= now
        ? ['takeBack']
        : awaits
          ? ['recall']
          : [],
  })
}

/** How many open tasks of each kind the person has, and how many of them are late; kinds without any are left out. */
export const openTasks = ({ db, actor, clock }: Context) =>
  from({ db, actor }, 'approvalTask')
    .select([
      'bizType',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where "dueTime" < ${clock.now()}::timestamptz))::int`.as('late'),
    ])
    .where('checkerId', '=', actor.suId)
    .where('taskStatus', '=', taskStatusCodes.pending)
    .groupBy('bizType')
    .execute()

/** The same kind by kind, with the late ones of all kinds together, and in which kinds the person may decide. */
export async function openCounts(ctx: Context): Promise<Output<typeof approvalApi.auditCount>> {
  const rows = await openTasks(ctx)
  const of = (bizType: BizType) => rows.find((row) => row.bizType === bizType)?.count ?? 0
  return {
    publish: of('publish'),
    result: of('result'),
    supplement: of('supplement'),
    question: of('question'),
    overdue: rows.reduce((sum, row) => sum + row.late, 0),
    decides: (Object.keys(queueDecisions) as QueueKind[]).filter((kind) =>
      Object.values(queueDecisions[kind]).some(({ permit }) => ctx.actor.permits.has(permit)),
    ),
  }
}
