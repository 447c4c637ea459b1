import { sql } from 'kysely'
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

/**
 * Approvals of a kind that the person started, newest first: one row each, in the form of the queue. Can: `withdraw`
 * while nobody has decided, `remind` while it runs.
 */
export async function startedByMe(
  ctx: Context,
  bizType: BizType,
  input: Checked<typeof approvalApi.publishQueue>,
): Promise<Page<TaskRow>> {
  const { suId } = ctx.actor
  const now = ctx.clock.now()
  let query = from(ctx, 'approval as a').where('a.startBy', '=', suId).where('a.bizType', '=', bizType)
  if (input.bizName) query = query.where(contains('a.bizName' as never, input.bizName))
  if (input.createStartDate) query = query.where('a.startTime', '>=', input.createStartDate)
  if (input.createEndDate) query = query.where('a.startTime', '<=', input.createEndDate)
  const tasksOfIt = (what: ReturnType<typeof sql>) =>
    sql`(select ${what} from "approvalTask" t where t."schoolId" = a."schoolId" and t."insId" = a."insId"`
  const [rows, total] = await Promise.all([
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
      .select(
        sql<string | null>`${tasksOfIt(sql`min(t."dueTime")`)} and t."taskStatus" = ${sql.lit(taskStatus.pending)})`.as(
          'dueTime',
        ),
      )
      .select(
        sql<boolean>`exists ${tasksOfIt(sql`1`)} and t."taskStatus" in (${sql.lit(taskStatus.passed)}, ${sql.lit(taskStatus.refused)}))`.as(
          'isDecided',
        ),
      )
      .orderBy('a.startTime', input.order ?? 'desc')
      .orderBy('a.insId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const shown = rows.map(({ insStatus, steps, endTime, isDecided, ...row }): TaskRow => {
    const runs = insStatus === approvalStatus.running
    const stepName =
      (steps as unknown as StepSnapshot[]).find(({ stepSort }) => stepSort === row.stepSort)?.stepName ?? ''
    return {
      ...row,
      taskId: row.insId,
      stepName,
      taskStatus: insStatus,
      arriveTime: row.startTime,
      handleTime: endTime,
      opinion: '',
      behalfName: '',
      askedByName: '',
      askText: '',
      waitingDays: Math.floor(secondsBetween(row.startTime, endTime ?? now) / 86_400),
      overdue: runs && row.dueTime !== null && row.dueTime < now,
      can: runs ? [...(isDecided ? [] : ['withdraw']), 'remind'] : [],
    }
  })
  return asPage(shown, total, input)
}
