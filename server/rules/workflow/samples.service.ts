import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import { inLockedTransaction } from '../../core/request/advisory-lock.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { outcomeOf, sameOutcome, type DraftFlow, type Outcome, type OutcomeStep } from './sample-outcome.ts'
import { checkerWords } from './step-words.ts'
import { caseOf } from './trial-facts.service.ts'
import { noFlow } from './vacancy.service.ts'
import { rangedFlows, storedSteps } from './workflow.queries.ts'

type CallInput<K extends keyof typeof trialApi> = Checked<(typeof trialApi)[K]>

/** A sample with what it should lead to and what it leads to. */
interface RunSample {
  wsId: string
  wsName: string
  expected: Outcome
  now: Outcome
}

const samplesFor = (ctx: Context, which: { wfType?: string; wfId?: string }) => {
  let query = from(ctx, 'workflowSample as x')
    .innerJoin('workflow as w', withinSchool('w.wfId', 'x.wfId'))
    .innerJoin('person as p', withinSchool('p.suId', 'x.suId'))
    .innerJoin('curriculum as c', withinSchool('c.lsId', 'x.lsId'))
    .leftJoin('lessonLevel as v', withinSchool('v.llId', 'x.liLevel'))
    .select([
      'x.wsId',
      'x.wsName',
      'x.wfId',
      'w.wfName',
      'w.wfType',
      'x.suId',
      'p.suiName',
      'x.lsId',
      'c.lsName',
      'c.lsPath',
      'x.liLevel',
      'x.credit',
      'x.expected',
      'x.updateTime',
      'x.version',
    ])
    .select([
      sql<string>`coalesce(v."llName", '已删除')`.as('levelName'),
      sql<string[]>`array(
          select u."srId"::text
          from "roleUser" u
          join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId" and r."enable" = '1'
          where u."schoolId" = x."schoolId" and u."suId" = x."suId"
        )`.as('roleIds'),
    ])
  if (which.wfType) query = query.where('w.wfType', '=', which.wfType)
  if (which.wfId) query = query.where('x.wfId', '=', which.wfId)
  return query.orderBy('w.wfName').orderBy('x.wsName').limit(500).execute()
}

/** Runs the samples of a type against the flows as they are, or as they would be with a draft. */
export async function runSamples(ctx: Context, wfType: string, draft?: DraftFlow): Promise<RunSample[]> {
  const samples = await samplesFor(ctx, { wfType })
  if (samples.length === 0) return []
  const flows = await rangedFlows(ctx, wfType)
  const steps = await storedSteps(
    ctx,
    flows.map(({ wfId }) => wfId),
  )
  return samples.map((row) => {
    const wanted = { wfType, initiatorRoleIds: row.roleIds, lsPath: row.lsPath, level: row.liLevel, credit: row.credit }
    return {
      wsId: row.wsId,
      wsName: row.wsName,
      expected: row.expected as unknown as Outcome,
      now: outcomeOf(wanted, flows, steps, draft),
    }
  })
}

/**
 * The samples that a change moved away from what is expected of them. Those that were elsewhere already and stayed
 * there do not count.
 */
export const movedSamples = (before: readonly RunSample[], after: readonly RunSample[]): RunSample[] =>
  after.filter(
    ({ wsId, expected, now }) =>
      !sameOutcome(now, expected) && !sameOutcome(now, before.find((one) => one.wsId === wsId)?.now ?? expected),
  )

/** From now on the samples are expected to lead where they lead now. */
export async function expectNow(ctx: Context, samples: readonly RunSample[]): Promise<void> {
  if (samples.length === 0) return
  const { schoolId, suId } = ctx.actor
  const rows = samples.map(({ wsId, now }) => ({ wsId, expected: now }))
  await sql`
    update "workflowSample" x
    set "expected" = r."expected",
      "updateBy" = ${suId}::uuid,
      "updateTime" = ${ctx.clock.now()}::timestamptz,
      "version" = x."version" + 1
    from ${recordset(rows, { wsId: 'uuid', expected: 'jsonb' })}
    where x."schoolId" = ${schoolId} and x."wsId" = r."wsId"`.execute(ctx.db)
}

/** Outcomes in words: the flow, then step by step. */
export async function inWords(
  ctx: Context,
  samples: readonly RunSample[],
): Promise<{ wsId: string; wsName: string; was: string[]; now: string[] }[]> {
  if (samples.length === 0) return []
  const outcomes = samples.flatMap(({ expected, now }) => [expected, now])
  const ids = outcomes.flatMap(({ wfId, steps }) => [
    ...(wfId ? [wfId] : []),
    ...steps.flatMap(({ checkers }) => checkers),
  ])
  const { rows } = await sql<{
    id: string
    name: string
  }>`
    select "wfId" as id, "wfName" as name
    from "workflow"
    where "schoolId" = ${ctx.actor.schoolId} and "wfId" = any(${ids}::uuid[])
    union all
    select "suId", "suiName"
    from "person"
    where "schoolId" = ${ctx.actor.schoolId} and "suId" = any(${ids}::uuid[])
    union all
    select "srId", "srName"
    from "role"
    where "schoolId" = ${ctx.actor.schoolId} and "srId" = any(${ids}::uuid[])
    union all
    select "sdId", "sdName"
    from "department"
    where "schoolId" = ${ctx.actor.schoolId} and "sdId" = any(${ids}::uuid[])`.execute(ctx.db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const line = ({ nodeName, stepName, stepType, wfsCheckerType, checkers }: OutcomeStep) =>
    `${labelOf('wf_node', nodeName)} · ${stepName}（${labelOf('wf_step_type', stepType)}，${checkerWords({ wfsStepType: stepType, wfsCheckerType, checkerNames: checkers.map((id) => names.get(id) ?? '已删除') })}）`
  const lines = ({ wfId, steps }: Outcome) => [
    wfId === null ? '没有适用的流程' : wfId === '' ? '本流程' : (names.get(wfId) ?? '已删除的流程'),
    ...steps.map(line),
  ]
  return samples.map(({ wsId, wsName, expected, now }) => ({ wsId, wsName, was: lines(expected), now: lines(now) }))
}

/** All samples, or those of one flow, each run. */
export async function listSamples(ctx: Context, { wfId }: CallInput<'samples'>) {
  const rows = await samplesFor(ctx, wfId ? { wfId } : {})
  const run = (
    await Promise.all([...new Set(rows.map(({ wfType }) => wfType))].map((wfType) => runSamples(ctx, wfType)))
  ).flat()
  const worded = await inWords(
    ctx,
    run.filter(({ wsId }) => rows.some((row) => row.wsId === wsId)),
  )
  return rows.map(({ expected: _, lsPath: __, roleIds: ___, credit, ...row }) => {
    const { expected, now } = run.find(({ wsId }) => wsId === row.wsId)!
    const words = worded.find(({ wsId }) => wsId === row.wsId)!
    return {
      ...row,
      credit: fromHundredths(credit),
      was: words.was,
      now: words.now,
      isRight: sameOutcome(expected, now),
    }
  })
}

/**
 * Keeps a case beside the flow that applies to it, with what it leads to now. Flows stay as they are meanwhile, and of
 * two that come at once with the same name the second finds the first.
 */
export const saveSample = (
  ctx: Context,
  { wsId, version, wsName, wfType, suId, lsId, liLevel, credit }: CallInput<'saveSample'>,
) =>
  inLockedTransaction(ctx, 'workflow', async (tx) => {
    const { wanted } = await caseOf(tx, { wfType, suId, lsId, liLevel, credit })
    const flows = await rangedFlows(tx, wfType)
    const expected = outcomeOf(
      wanted,
      flows,
      await storedSteps(
        tx,
        flows.map(({ wfId }) => wfId),
      ),
    )
    if (expected.wfId === null) throw await noFlow(ctx)
    const values = { wfId: expected.wfId, wsName, suId, lsId, liLevel, credit, expected: JSON.stringify(expected) }
    const { schoolId } = tx.actor
    const twin = await from(tx, 'workflowSample')
      .select('wsId')
      .where('wfId', '=', values.wfId)
      .where('wsName', '=', wsName)
      .executeTakeFirst()
    if (twin && twin.wsId !== wsId) throw new Failure('name-taken', { what: '样例', name: wsName })
    const id = wsId ?? newId()
    if (wsId) {
      const row = await from(tx, 'workflowSample')
        .select('version')
        .where('wsId', '=', wsId)
        .forUpdate()
        .executeTakeFirst()
      assertVersion(tx, row, version)
      await tx.db
        .updateTable('workflowSample')
        .set({ ...values, ...updatedColumns(tx) })
        .where('schoolId', '=', schoolId)
        .where('wsId', '=', wsId)
        .execute()
    } else
      await tx.db
        .insertInto('workflowSample')
        .values({ ...values, ...createdColumns(tx), wsId: id })
        .execute()
    await audit(tx, {
      action: wsId ? '编辑流程样例' : '新增流程样例',
      bizType: 'workflow',
      bizId: values.wfId,
      bizName: wsName,
      after: { wsName, suId, lsId, liLevel, credit },
    })
    return { wsId: id }
  })

/** What the samples lead to now is what is expected of them. */
export const acceptSamples = (ctx: Context, { wsIds }: CallInput<'acceptSamples'>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await reachedSamples(tx, wsIds)
    const run = (
      await Promise.all([...new Set(rows.map(({ wfType }) => wfType))].map((wfType) => runSamples(tx, wfType)))
    )
      .flat()
      .filter(({ wsId }) => wsIds.includes(wsId))
    await expectNow(tx, run)
    await auditMany(
      tx,
      rows.map(({ wfId, wsName }) => ({
        action: '更新流程样例的预期',
        bizType: 'workflow',
        bizId: wfId,
        bizName: wsName,
      })),
    )
    return { affected: rows.length }
  })

/** Removes sample cases of flows. */
export const removeSamples = (ctx: Context, { wsIds }: CallInput<'removeSamples'>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await reachedSamples(tx, wsIds)
    await tx.db
      .deleteFrom('workflowSample')
      .where('schoolId', '=', tx.actor.schoolId)
      .where(sql<boolean>`"wsId" = any(${wsIds}::uuid[])`)
      .execute()
    await auditMany(
      tx,
      rows.map(({ wfId, wsName }) => ({ action: '删除流程样例', bizType: 'workflow', bizId: wfId, bizName: wsName })),
    )
    return { affected: rows.length }
  })

/** The samples asked for, all or none. */
async function reachedSamples(ctx: Context, wsIds: string[]) {
  const rows = await from(ctx, 'workflowSample as x')
    .innerJoin('workflow as w', withinSchool('w.wfId', 'x.wfId'))
    .select(['x.wsId', 'x.wsName', 'x.wfId', 'w.wfType'])
    .where(sql<boolean>`x."wsId" = any(${wsIds}::uuid[])`)
    .execute()
  if (rows.length !== wsIds.length) throw new Failure('not-found')
  return rows
}
