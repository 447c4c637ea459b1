import { sql } from 'kysely'
import { taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { flowCheckerType, timeoutAction } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import type { TimeoutAction } from '../../../contract/core/codes/rules.ts'
import { timeOut } from '../../rules/workflow/actions.ts'
import { adminsFor, resolveCheckers, type Checker, type SubjectFacts } from '../../rules/workflow/checkers.service.ts'
import { afterAction } from '../../rules/workflow/time-limits.ts'
import { initiatorOf, timeFacts, timeRuleOf, type ApprovalRow, type TaskRecord } from './running.queries.ts'
import { actionOnApproval, recordKind, type Acted, type Held, type Outcomes } from './running.service.ts'
import { notifyReminder } from './notify.service.ts'
import { ofWorkingSchool } from '../../core/database/tenant.ts'
import { mayAct } from '../../school/people/may-act.ts'

/** Approvals looked for in one statement. */
const batchSize = 500

/**
 * A recurring job: carries out what is due in running approvals (time limits), and moves tasks of people who left, or
 * for whom somebody begins or ceases to stand in. One transaction an approval, under its lock, so that each thing
 * happens once whoever does it and whatever is killed when. A failing approval is told in the log and tried again next
 * time; it keeps no other one from its turn.
 * @param only one school instead of all
 * @param atOnce how many are looked for in one statement
 * @returns how many approvals were looked after
 */
export async function enforceApprovalDeadlines(
  services: JobServices,
  outcomes: Outcomes,
  only?: string,
  atOnce = batchSize,
): Promise<number> {
  let tended = 0
  let last: Due | undefined
  for (;;) {
    const due = await dueApprovals(services, only, atOnce, last)
    for (const { schoolId, insId } of due) {
      const ctx = systemContext(services, schoolId)
      try {
        await actionOnApproval(ctx, outcomes, insId, carryOut)
        tended++
      } catch (err) {
        ctx.log.error({ err, schoolId, insId }, 'an approval could not be looked after')
      }
    }
    if (due.length < atOnce) return tended
    last = due.at(-1)
  }
}

interface Due {
  schoolId: string
  insId: string
}

/**
 * The next approvals with something due, in one order: behind the last of those that were looked after, for some of
 * them stay as they are, such as one whose checker has left where nobody could take over. Nobody stands in who may not:
 * whom the matter concerns, whose it is, or who has left, as `arrange` has it.
 */
async function dueApprovals(
  { db, clock }: JobServices,
  only: string | undefined,
  atOnce: number,
  last: Due | undefined,
): Promise<Due[]> {
  const now = clock.now()
  const inSchool = only === undefined ? sql`true` : sql`t."schoolId" = ${only}`
  const isLater =
    last === undefined ? sql`true` : sql`(t."schoolId", t."insId") > (${last.schoolId}, ${last.insId}::uuid)`
  const { rows } = await sql<Due>`
      with stands as (
        select d."schoolId", d."suId", d."agentId",
          ${mayAct('g', 'a')} and g."delFlag" = '0' as "serving"
        from "approvalDelegation" d
        left join "person" g on g."schoolId" = d."schoolId" and g."suId" = d."agentId"
        left join "account" a on a."schoolId" = d."schoolId" and a."suId" = d."agentId"
        where d."startTime" <= ${now} and d."endTime" > ${now}
      )
      select distinct t."schoolId", t."insId"
      from "approvalTask" t
      join "approval" i on i."schoolId" = t."schoolId" and i."insId" = t."insId"
      left join "person" p on p."schoolId" = t."schoolId" and p."suId" = t."checkerId"
      left join "account" a on a."schoolId" = t."schoolId" and a."suId" = t."checkerId"
      where t."taskStatus" = ${sql.lit(taskStatusCodes.pending)}
        and ${ofWorkingSchool('t')}
        and ${inSchool}
        and ${isLater}
        and (
          t."nextTime" <= ${now}
          or p."delFlag" is distinct from '0'
          or ${mayAct('p', 'a')} is not true
          or (
            t."onBehalfOf" is null
            and t."adviceOn" is null
            and exists (
              select 1
              from stands s
              where s."schoolId" = t."schoolId"
                and s."suId" = t."checkerId"
                and s."serving"
                and s."agentId"::text <> coalesce(i."facts" ->> 'initiatorId', i."startBy"::text)
                and not coalesce(i."facts" -> 'barred' @> to_jsonb(s."agentId"::text), false)
            )
          )
          or (
            t."onBehalfOf" is not null
            and not exists (
              select 1
              from stands s
              where s."schoolId" = t."schoolId" and s."suId" = t."onBehalfOf" and s."agentId" = t."checkerId"
            )
          )
        )
      order by 1, 2
      limit ${atOnce}`.execute(db)
  return rows
}

/** Carries out what is due; each task's action once. */
async function carryOut(held: Held, ctx: Context): Promise<Acted> {
  const now = ctx.clock.now()
  const due = held.tasks.filter(
    ({ taskStatus, nextTime }) => taskStatus === taskStatusCodes.pending && nextTime !== null && nextTime <= now,
  )
  const later: NonNullable<Acted['later']> = new Map()
  let { running } = held
  if (due.length === 0) return { running }
  const { special, usual } = await timeFacts(ctx)
  for (const task of due) {
    const step = held.row.steps.find(({ stepSort }) => stepSort === task.stepSort)!
    const action = task.nextAction as TimeoutAction
    const others = action === timeoutAction.escalate ? await escalated(ctx, held, step.timeoutRoleId ?? null) : []
    running = timeOut(
      running,
      task.taskId,
      action,
      others.map(({ suId }) => suId),
      held.facts,
    )
    later.set(task.taskId, afterAction(timeRuleOf(step), task.arriveTime, action, special, usual))
    if (action === timeoutAction.remind)
      await notifyReminder(ctx, held.row, [task.checkerId], step.stepName, '已超过处理时限，请尽快处理。')
    await audit(ctx, {
      action: `审批超时：${labelOf('timeout_action', action)}`,
      bizType: recordKind(held.row),
      bizId: held.row.bizId,
      bizName: held.row.bizName,
      after: traceOf(step.stepName, task, others),
    })
  }
  return { running, later }
}

const traceOf = (step: string, { checkerName }: TaskRecord, others: readonly Checker[]) => ({
  step,
  checker: checkerName,
  ...(others.length > 0 && { people: others.map(({ suId }) => suId) }),
})

/**
 * Who decides as well when time has run out: the members of the step's role for this matter, or the school's
 * administrators.
 */
async function escalated(ctx: Context, { row, names, facts }: Held, roleId: string | null): Promise<Checker[]> {
  const subject = subjectOf(row)
  const members =
    roleId === null
      ? []
      : await resolveCheckers(ctx, { wfsCheckerType: flowCheckerType.role, checkers: [roleId] }, subject)
  const others = (members.length > 0 ? members : await adminsFor(ctx, subject)).filter(
    ({ suId }) => suId !== initiatorOf(row),
  )
  for (const { suId, suiName } of others) {
    names.set(suId, suiName)
    facts.serving.add(suId)
  }
  return others
}

/** Where the matter lies, as far as the approval knows. */
const subjectOf = ({ facts, startBy }: ApprovalRow): SubjectFacts => ({
  lsPath: [],
  collegeId: null,
  departmentId: null,
  classId: null,
  principalId: null,
  teacherIds: [],
  ...facts,
  initiatorId: startBy,
})
