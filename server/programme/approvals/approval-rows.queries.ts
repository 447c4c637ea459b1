import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { approvalApi, TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { approvalStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { secondsBetween } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import type { StepSnapshot } from './running.queries.ts'
import type { BizType } from './running.service.ts'

type Input = Checked<typeof approvalApi.publishQueue>

/** Something of the open tasks of an approval, or of those of them that fit a condition. */
const ofWaiting = <T>(what: RawBuilder<unknown>, fits: RawBuilder<boolean> = sql`true`) =>
  sql<T>`(
      select ${what}
      from "approvalTask" t
      where t."schoolId" = a."schoolId"
        and t."insId" = a."insId"
        and t."taskStatus" = ${sql.lit(taskStatus.pending)}
        and ${fits}
    )`
const dueTime = ofWaiting<string | null>(sql`min(t."dueTime")`)
/** Since when an approval waits where it is now; where nobody holds it, since it was started. */
const arriveTime = sql<string>`coalesce(${ofWaiting(sql`min(t."arriveTime")`)}, a."startTime")`
const holders = ofWaiting<string[] | null>(sql`array_agg(t."checkerName" order by t."arriveTime", t."taskId")`)
const isDecided = sql<boolean>`exists (
    select
    from "approvalTask" t
    where t."schoolId" = a."schoolId"
      and t."insId" = a."insId"
      and t."taskStatus" in (${sql.lit(taskStatus.passed)}, ${sql.lit(taskStatus.refused)})
  )`

/**
 * Approvals of a kind that the person started, newest first: one row each, in the form of the queue. Can: `withdraw`
 * while nobody has decided, `remind` while it runs.
 */
export async function startedByMe(ctx: Context, bizType: BizType, input: Input): Promise<Page<TaskRow>> {
  const query = matching(ctx, bizType, input).where('a.startBy', '=', ctx.actor.suId)
  const [rows, total] = await Promise.all([
    withRow(query)
      .orderBy('a.startTime', input.order ?? 'desc')
      .orderBy('a.insId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const now = ctx.clock.now()
  return asPage(
    rows.map((row) => taskRow({ ...row, arriveTime: row.startTime }, now, ['withdraw', 'remind'])),
    total,
    input,
  )
}

const sortedBy = {
  arriveTime,
  dueTime,
  startTime: sql`a."startTime"`,
  bizName: sql`a."bizName"`,
  startName: sql`a."startName"`,
} as const

/**
 * What of a kind is under approval, whoever holds it: one row for each approval, waiting longest first, in the form of
 * the queue. Nothing can be done from it: whose turn it is decides in their own queue, or from the case.
 * @param visible the records of the kind that the person may see, as a query of ids; null where they see all
 */
export async function underApproval(
  ctx: Context,
  bizType: BizType,
  visible: RawBuilder<unknown> | null,
  input: Input,
): Promise<Page<TaskRow>> {
  const { holderName, order = 'asc' } = input
  let query = matching(ctx, bizType, input).where('a.insStatus', '=', sql.lit(approvalStatus.running))
  if (visible) query = query.where(sql<boolean>`a."bizId" in ${visible}`)
  if (input.startName) query = query.where(contains('a.startName' as never, input.startName))
  if (holderName)
    query = query.where(sql<boolean>`exists ${ofWaiting(sql`1`, contains('t.checkerName' as never, holderName))}`)
  const column = sortedBy[input.sort ?? 'arriveTime']
  const [rows, total] = await Promise.all([
    withRow(query)
      .orderBy(sql`${column} ${sql.raw(order)} nulls last`)
      .orderBy('a.insId', order)
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const now = ctx.clock.now()
  return asPage(
    rows.map((row) => taskRow(row, now, [])),
    total,
    input,
  )
}

function matching(ctx: Context, bizType: BizType, { bizName, createStartDate, createEndDate }: Input) {
  let query = from(ctx, 'approval as a').where('a.bizType', '=', bizType)
  if (bizName) query = query.where(contains('a.bizName' as never, bizName))
  if (createStartDate) query = query.where('a.startTime', '>=', createStartDate)
  if (createEndDate) query = query.where('a.startTime', '<=', createEndDate)
  return query
}

const withRow = (query: ReturnType<typeof matching>) =>
  query
    .select([
      'a.insId',
      'a.bizType',
      'a.bizId',
      'a.bizName',
      'a.wfName',
      'a.startName',
      'a.startTime',
      'a.endTime',
      'a.insStatus',
      'a.stepSort',
      'a.steps',
      'a.summary',
    ])
    .select([arriveTime.as('arriveTime'), dueTime.as('dueTime'), holders.as('holders'), isDecided.as('isDecided')])

type Row = Awaited<ReturnType<ReturnType<typeof withRow>['execute']>>[number]

/** @param may what the person may do while it runs; to take it back, only while nobody has decided */
function taskRow({ insStatus, steps, endTime, isDecided: decided, ...row }: Row, now: string, may: string[]): TaskRow {
  const runs = insStatus === approvalStatus.running
  const stepName =
    (steps as unknown as StepSnapshot[]).find(({ stepSort }) => stepSort === row.stepSort)?.stepName ?? ''
  return {
    ...row,
    taskId: row.insId,
    stepName,
    taskStatus: insStatus,
    handleTime: endTime,
    opinion: '',
    behalfName: '',
    askedByName: '',
    askText: '',
    holders: row.holders ?? [],
    waitingDays: Math.floor(secondsBetween(row.arriveTime, endTime ?? now) / 86_400),
    overdue: runs && row.dueTime !== null && row.dueTime < now,
    can: runs ? may.filter((action) => action !== 'withdraw' || !decided) : [],
  }
}
