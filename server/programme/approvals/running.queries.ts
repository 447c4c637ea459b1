import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import { timeoutAction as timeoutActionCodes } from '../../../contract/core/codes/rules.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { recordset } from '../../core/database/bulk.ts'
import { addDays } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { newId } from '../../core/base/ids.ts'
import type { SpecialDay } from '../../school/school/calendar.ts'
import { specialDays } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import type { EngineStep, EngineTask, Facts, Running } from '../../rules/workflow/arrange.ts'
import type { AddedSeat } from '../../rules/workflow/progress.ts'
import type { Checker, SubjectFacts } from '../../rules/workflow/checkers.service.ts'
import type { StepRule } from '../../rules/workflow/flow-source.service.ts'
import { limitOf, type TimeDefaults, type TimeRule } from '../../rules/workflow/time-limits.ts'
import { mayAct } from '../../school/people/may-act.ts'

/** What approvals started by earlier versions of the program do not say of their steps. */
type Later =
  | 'timeoutDays'
  | 'timeoutAction'
  | 'timeoutRoleId'
  | 'canReject'
  | 'allowTransfer'
  | 'allowAdd'
  | 'minCredit'

/**
 * A step as a running approval keeps it: the rule it was started with, the people it then meant, and those added since.
 */
export interface StepSnapshot extends Omit<StepRule, Later>, Partial<Pick<StepRule, Later>> {
  people: Checker[]
  added?: (Checker & Omit<AddedSeat, 'seatId'>)[]
}

/** An approval as its rules need it. */
export interface ApprovalRow {
  schoolId: string
  insId: string
  bizType: string
  bizId: string
  bizName: string
  wfId: string
  wfName: string
  wfVersion: number
  nodeName: string
  insStatus: string
  stepSort: number
  steps: StepSnapshot[]
  startBy: string
  startName: string
  startTime: string
  facts: Partial<SubjectFacts>
}

/** Who must not decide because the matter is their own; nobody where it was only taken up for others. */
export const initiatorOf = ({ startBy, facts }: Pick<ApprovalRow, 'startBy' | 'facts'>): string =>
  facts.initiatorId ?? startBy

/** A task as it is stored, besides what the rules know of it. */
export interface TaskRecord extends EngineTask {
  checkerName: string
  behalfName: string
  arriveTime: string
  handleTime: string | null
  nextTime: string | null
  nextAction: string
}

const columns = [
  'insId',
  'bizType',
  'bizId',
  'bizName',
  'wfId',
  'wfName',
  'wfVersion',
  'nodeName',
  'insStatus',
  'stepSort',
  'steps',
  'startBy',
  'startName',
  'startTime',
  'facts',
] as const

/** Locks an approval until the transaction ends: of all who act on it at once, one acts at a time. */
export async function lockApproval(ctx: Context, insId: string): Promise<ApprovalRow> {
  const row = await from(ctx, 'approval')
    .select(['schoolId', ...columns])
    .where('insId', '=', insId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return { ...row, steps: row.steps as unknown as StepSnapshot[], facts: row.facts as ApprovalRow['facts'] }
}

/** The tasks of approvals, in the order they came. */
export async function tasksOf(ctx: Context, insIds: readonly string[]): Promise<(TaskRecord & { insId: string })[]> {
  return from(ctx, 'approvalTask')
    .select([
      'insId',
      'taskId',
      'round',
      'stepSort',
      'checkerId',
      'checkerName',
      'behalfName',
      'onBehalfOf',
      'taskStatus',
      'opinion',
      'backTo',
      'adviceOn',
      'arriveTime',
      'handleTime',
      'nextTime',
      'nextAction',
    ])
    .select(sql<string>`coalesce("seatId", "checkerId")`.as('seatId'))
    .where(sql<boolean>`"insId" = any(${insIds}::uuid[])`)
    .orderBy('arriveTime')
    .orderBy('taskId')
    .execute()
}

/** A step of a snapshot as the rules see it. */
export const engineStep = ({
  stepSort,
  stepName,
  stepType,
  people,
  added = [],
  noApproverPolicy,
  canReject = 'start',
  allowTransfer = yesNo.yes,
  allowAdd = yesNo.no,
  wfsCheckerType,
}: StepSnapshot): EngineStep => ({
  stepSort,
  stepName,
  stepType,
  noApproverPolicy,
  canReject,
  allowTransfer,
  allowAdd,
  wfsCheckerType,
  people: people.map(({ suId }) => suId),
  added: added.map(({ suId, suiName: _, ...seat }) => ({ seatId: suId, ...seat })),
})

/** What a step says of time; what it did not say when it was kept, it does not say. */
export const timeRuleOf = ({
  timeoutHours,
  timeoutDays = null,
  timeoutAction = timeoutActionCodes.markOnly,
}: StepSnapshot): TimeRule => ({
  timeoutHours,
  timeoutDays,
  timeoutAction,
})

/**
 * What the rules must know of the people who have to do with an approval, and their names: one statement. Nobody whom
 * the matter concerns stands in for anybody.
 */
export async function factsFor(
  { db, actor, clock }: Context,
  { facts: { barred = [] } }: Pick<ApprovalRow, 'facts'>,
  { steps, tasks }: Pick<Running, 'steps' | 'tasks'>,
  more: readonly string[] = [],
): Promise<{ facts: Facts & { serving: Set<string> }; names: Map<string, string> }> {
  const ids = [
    ...new Set([
      ...steps.flatMap(({ people, added = [] }) => [...people, ...added.map(({ seatId }) => seatId)]),
      ...tasks.map(({ checkerId }) => checkerId),
      ...more,
    ]),
  ]
  const { rows } = await sql<{
    id: string
    name: string | null
    serving: boolean
    agentId: string | null
    isAdmin: boolean
  }>`
      with admin as (
        select u."suId" as id
        from "role" r
        join "roleUser" u on u."schoolId" = r."schoolId" and u."srId" = r."srId"
        where r."schoolId" = ${actor.schoolId} and r."srCode" = 'SCHOOL_ADMIN'
      ), asked as (select unnest(${ids}::uuid[]) as id union select id from admin),
        deputed as (
          select k.id,
            (
              select d."agentId"
              from "approvalDelegation" d
              where d."schoolId" = ${actor.schoolId}
                and d."suId" = k.id
                and d."startTime" <= ${clock.now()}
                and d."endTime" > ${clock.now()}
              order by d."startTime" desc
              limit 1
            ) as agent
          from asked k
        )
      select e.id, p."suiName" as name, p."suId" is not null
        and ${mayAct('p', 'a')} as serving, d.agent as "agentId",
        exists (select 1 from admin m where m.id = e.id) as "isAdmin"
      from (select id from asked union select agent from deputed where agent is not null) e
      left join deputed d on d.id = e.id
      left join "person" p on p."schoolId" = ${actor.schoolId} and p."suId" = e.id and p."delFlag" = '0'
      left join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId"
      order by p."suiNumber"`.execute(db)
  return {
    facts: {
      serving: new Set(rows.filter(({ serving }) => serving).map(({ id }) => id)),
      deputies: new Map(
        rows.flatMap(({ id, agentId }) => (agentId && !barred.includes(agentId) ? [[id, agentId] as const] : [])),
      ),
      admins: rows.filter(({ id, isAdmin }) => isAdmin && !barred.includes(id)).map(({ id }) => id),
      newId,
    },
    names: new Map(rows.map(({ id, name }) => [id, name ?? ''])),
  }
}

/** Days that time limits look ahead at most: sixty working days, and all the holidays between them. */
const farthest = 200

/** What time limits go by: the school's calendar from today on, and its usual times. */
export async function timeFacts(ctx: Context): Promise<{ special: SpecialDay[]; usual: TimeDefaults }> {
  const { schoolId } = ctx.actor
  const today = ctx.clock.now().slice(0, 10)
  return {
    special: await specialDays(ctx, schoolId, addDays(today, -farthest), addDays(today, farthest)),
    usual: await schoolSettings(ctx, schoolId),
  }
}

const taskColumns = {
  taskId: 'uuid',
  stepSort: 'int',
  stepName: 'text',
  checkerId: 'uuid',
  checkerName: 'text',
  taskStatus: 'text',
  opinion: 'text',
  arriveTime: 'timestamptz',
  dueTime: 'timestamptz',
  handleTime: 'timestamptz',
  onBehalfOf: 'uuid',
  behalfName: 'text',
  round: 'int',
  seatId: 'uuid',
  backTo: 'int',
  adviceOn: 'uuid',
  nextTime: 'timestamptz',
  nextAction: 'text',
} as const

/**
 * Writes what has become of an approval: statements by kind, not by task. Times of open tasks may be set anew by
 * `later`.
 */
export async function writeRunning(
  ctx: Context,
  row: ApprovalRow,
  before: Running,
  after: Running,
  names: ReadonlyMap<string, string>,
  later: ReadonlyMap<string, { nextTime: string | null; nextAction: string }> = new Map(),
): Promise<EngineTask[]> {
  const { schoolId, insId, bizType } = row
  const now = ctx.clock.now()
  const known = new Map(before.tasks.map((task) => [task.taskId, task]))
  const changed = after.tasks.filter((task) => {
    const old = known.get(task.taskId)
    return old && (old.taskStatus !== task.taskStatus || later.has(task.taskId))
  })
  const fresh = after.tasks.filter(({ taskId }) => !known.has(taskId))
  if (changed.length > 0) {
    const rows = changed.map(({ taskId, taskStatus, opinion, backTo }) => ({
      taskId,
      taskStatus,
      opinion,
      backTo,
      isLater: later.has(taskId),
      nextTime: later.get(taskId)?.nextTime ?? null,
      nextAction: later.get(taskId)?.nextAction ?? timeoutActionCodes.markOnly,
    }))
    await sql`
        update "approvalTask" t
        set "taskStatus" = r."taskStatus",
          "opinion" = r."opinion",
          "backTo" = r."backTo",
          "handleTime" = case
            when r."taskStatus" = ${sql.lit(taskStatus.pending)} then null
            else ${now}::timestamptz
          end,
          "nextTime" = case when r."isLater" then r."nextTime" else t."nextTime" end,
          "nextAction" = case when r."isLater" then r."nextAction" else t."nextAction" end
        from
        ${recordset(rows, { taskId: 'uuid', taskStatus: 'text', opinion: 'text', backTo: 'int', isLater: 'boolean', nextTime: 'timestamptz', nextAction: 'text' })}
        where t."schoolId" = ${schoolId} and t."taskId" = r."taskId"`.execute(ctx.db)
  }
  const steps = snapshotsAfter(row, after, names)
  if (fresh.length > 0) {
    const { special, usual } = await timeFacts(ctx)
    const rows = fresh.map(({ isLate, backFrom: _, ...task }) => {
      const step = steps.find(({ stepSort }) => stepSort === task.stepSort)!
      const limit =
        task.taskStatus !== taskStatus.pending
          ? { dueTime: null, nextTime: null, nextAction: timeoutActionCodes.markOnly }
          : isLate
            ? { dueTime: now, nextTime: null, nextAction: timeoutActionCodes.markOnly }
            : limitOf(timeRuleOf(step), now, special, usual)
      return {
        ...task,
        ...limit,
        stepName: step.stepName,
        checkerName: names.get(task.checkerId) ?? '',
        behalfName: task.onBehalfOf === null ? '' : (names.get(task.onBehalfOf) ?? ''),
        arriveTime: now,
        handleTime: task.taskStatus === taskStatus.pending ? null : now,
      }
    })
    await sql`insert into "approvalTask" ("schoolId", "insId", "bizType", ${sql.raw(
      Object.keys(taskColumns)
        .map((name) => `"${name}"`)
        .join(', '),
    )})
      select ${schoolId}, ${insId}::uuid, ${bizType}, ${sql.raw(
        Object.keys(taskColumns)
          .map((name) => `r."${name}"`)
          .join(', '),
      )} from ${recordset(rows, taskColumns)}`.execute(ctx.db)
  }
  await ctx.db
    .updateTable('approval')
    .set({
      stepSort: after.stepSort,
      insStatus: after.insStatus,
      version: sql<number>`"version" + 1`,
      ...(after.steps === before.steps ? {} : { steps: JSON.stringify(steps) }),
      ...endOf(before, after, now),
    })
    .where('schoolId', '=', schoolId)
    .where('insId', '=', insId)
    .execute()
  return fresh
}

/** When an approval ended; null again where it goes on after all. */
const endOf = (before: Running, after: Running, now: string): { endTime?: string | null } =>
  (before.insStatus === approvalStatus.running) === (after.insStatus === approvalStatus.running)
    ? {}
    : { endTime: after.insStatus === approvalStatus.running ? null : now }

/** The snapshot with the people whom the rules have since put into it. */
function snapshotsAfter({ steps }: ApprovalRow, after: Running, names: ReadonlyMap<string, string>): StepSnapshot[] {
  return steps.map((snapshot) => {
    const { stepType, people, added = [] } = after.steps.find(({ stepSort }) => stepSort === snapshot.stepSort)!
    const person = (suId: string) =>
      snapshot.people.find((one) => one.suId === suId) ?? { suId, suiName: names.get(suId) ?? '' }
    return {
      ...snapshot,
      stepType,
      people: people.map(person),
      added: added.map(({ seatId, ...seat }) => ({ ...person(seatId), ...seat })),
    }
  })
}
