import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus, timeoutAction as timeoutActionCodes } from '../../../contract/core/codes/rules.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { checkerModes } from '../../../contract/rules/workflow/workflow.schema.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { createdColumns } from '../../core/request/stamp-columns.ts'
import { inLockedTransaction } from '../../core/request/advisory-lock.ts'
import { expectNow, movedSamples, runSamples } from './samples.service.ts'
import { withIdLists } from './specified-flow.ts'
import { keepVersion } from './versions.service.ts'
import type { RangedFlow } from './validate.ts'
import { conflictOf } from './workflow.service.ts'
import { flowById, flowSteps, unknownIds, visibleCategories, visibleFlows } from './workflow.queries.ts'
import { lockRows } from '../../core/database/lock-rows.ts'

type CallInput<K extends keyof typeof workflowApi> = Checked<(typeof workflowApi)[K]>
type Form = ReturnType<typeof withIdLists>

/**
 * Saves a whole flow: a new one without `wfId`, else its next version. Approvals that run keep the steps they started
 * with.
 */
export const saveFlow = (ctx: Context, input: CallInput<'save'>) => {
  const form = withIdLists(input)
  return inLockedTransaction(ctx, 'workflow', (tx) =>
    form.wfId ? replaceFlow(tx, form, form.wfId) : insertFlow(tx, form, '新增流程'),
  )
}

/** Saves a copy as a new flow; its history names the flow it was made from, where that is told. */
export const cloneFlow = (ctx: Context, { fromWfId, ...flow }: CallInput<'addClone'>) =>
  inLockedTransaction(ctx, 'workflow', async (tx) => {
    const source = fromWfId === undefined ? undefined : await flowById(tx, fromWfId)
    if (fromWfId !== undefined && !source) throw new Failure('not-found')
    return insertFlow(tx, withIdLists(flow), '克隆流程', source && `克隆自“${source.wfName}”`)
  })

async function insertFlow(ctx: Context, form: Form, action: string, reason = '') {
  const wfId = newId()
  const values = await checkedColumns(ctx, form, wfId)
  const before = await runSamples(ctx, form.wfType)
  await ctx.db
    .insertInto('workflow')
    .values({ ...values, ...createdColumns(ctx), wfId })
    .execute()
  const steps = await insertSteps(ctx, wfId, form.steps, new Set())
  await keepVersion(ctx, wfId)
  await checkSamples(ctx, form, before)
  await audit(ctx, {
    action,
    reason,
    bizType: 'workflow',
    bizId: wfId,
    bizName: form.wfName,
    after: { ...values, steps },
  })
  return { wfId, wfVersion: 1 }
}

async function replaceFlow(ctx: Context, form: Form, wfId: string) {
  const before = await flowById(ctx, wfId)
  assertVersion(ctx, before, form.version)
  if (before.wfType !== form.wfType) throw invalidInput([{ field: 'wfType', msg: '流程类型不能修改' }])
  const values = await checkedColumns(ctx, form, wfId)
  const wfVersion = before.wfVersion + 1
  const samples = await runSamples(ctx, form.wfType)
  await keepVersion(ctx, wfId)
  await ctx.db
    .updateTable('workflow')
    .set({ ...values, wfVersion, updateBy: ctx.actor.suId, updateTime: ctx.clock.now(), version: sql`"version" + 1` })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('wfId', '=', wfId)
    .execute()
  const old = await flowSteps(ctx, wfId)
  await ctx.db.deleteFrom('workflowStep').where('schoolId', '=', ctx.actor.schoolId).where('wfId', '=', wfId).execute()
  const steps = await insertSteps(ctx, wfId, form.steps, new Set(old.map(({ wfsId }) => wfsId)))
  await keepVersion(ctx, wfId)
  await checkSamples(ctx, form, samples)
  await audit(ctx, {
    action: '编辑流程',
    bizType: 'workflow',
    bizId: wfId,
    bizName: form.wfName,
    ...changedFields<object>(
      { ...before, steps: old.map(({ checkerNames: _, ...step }) => step) },
      { ...values, wfVersion, steps },
    ),
  })
  return { wfId, wfVersion }
}

/**
 * Runs the sample cases against what has just been written: those that now lead elsewhere stop the save, or are
 * expected to do so from now on.
 */
async function checkSamples(
  ctx: Context,
  { wfType, confirmSamples }: Form,
  before: Awaited<ReturnType<typeof runSamples>>,
): Promise<void> {
  if (before.length === 0) return
  const moved = movedSamples(before, await runSamples(ctx, wfType))
  if (moved.length > 0 && !confirmSamples)
    throw new Failure('workflow-samples-change', {
      n: moved.length,
      names: moved.map(({ wsName }) => wsName).join('、'),
    })
  await expectNow(ctx, moved)
}

/** The form as columns, once names, ids and ranges have been found sound. */
async function checkedColumns(ctx: Context, form: Form, wfId: string) {
  const category = await visibleCategories(ctx).select('k.wfcId').where('k.wfcId', '=', form.wfcId).executeTakeFirst()
  if (!category) throw new Failure('not-found')
  if (
    await visibleFlows(ctx)
      .select('w.wfId')
      .where('w.wfName', '=', form.wfName)
      .where('w.wfId', '!=', wfId)
      .executeTakeFirst()
  )
    throw new Failure('name-taken', { what: '流程', name: form.wfName })
  const ranges = form.isDefault
    ? { roleIds: [], lsIds: [], levels: [] }
    : { roleIds: [...new Set(form.roleIds)], lsIds: [...new Set(form.lsIds)], levels: [...new Set(form.levels)] }
  const chosen = (mode: string) =>
    form.steps.filter(({ wfsCheckerType }) => checkerModes[wfsCheckerType] === mode).flatMap(({ checkers }) => checkers)
  const checkers = {
    people: chosen('user'),
    roles: [...chosen('role'), ...form.steps.flatMap(({ timeoutRoleId }) => timeoutRoleId ?? [])],
    departments: chosen('dept'),
  }
  await lockRows(ctx, 'person', checkers.people, 'share')
  await lockRows(ctx, 'role', [...ranges.roleIds, ...checkers.roles], 'share')
  await lockRows(ctx, 'department', checkers.departments, 'share')
  await lockRows(ctx, 'curriculum', ranges.lsIds, 'share')
  await lockRows(ctx, 'lessonLevel', ranges.levels, 'share')
  const unknown = await unknownIds(ctx, { ...ranges, ...checkers })
  const faults = [
    ...(unknown.roleIds ? [{ field: 'roleIds', msg: '适用角色中有不存在的角色' }] : []),
    ...(unknown.lsIds ? [{ field: 'lsIds', msg: '适用课程体系中有不存在的体系' }] : []),
    ...(unknown.levels ? [{ field: 'levels', msg: '适用级别中有不存在的级别' }] : []),
    ...(unknown.checkers ? [{ field: 'steps', msg: '步骤中有不存在的审批人或角色，请重新选择' }] : []),
  ]
  if (faults.length > 0) throw invalidInput(faults)
  const columns = {
    wfName: form.wfName,
    wfIcon: form.wfIcon ?? '',
    wfDesc: form.wfDesc ?? '',
    wfcId: form.wfcId,
    wfType: form.wfType,
    isDefault: form.isDefault ? yesNo.yes : yesNo.no,
    wfStatus: form.wfStatus,
    selfPass: form.selfPass ? yesNo.yes : yesNo.no,
    needCreditOnly: form.needCreditOnly && !form.isDefault ? yesNo.yes : yesNo.no,
    ...ranges,
  }
  if (form.wfStatus === flowStatus.enabled) await assertNoConflict(ctx, form.wfType, { wfId, ...columns })
  return columns
}

async function assertNoConflict(ctx: Context, wfType: string, flow: RangedFlow): Promise<void> {
  const conflict = await conflictOf(ctx, wfType, flow)
  if (conflict)
    throw new Failure(flow.isDefault === yesNo.yes ? 'workflow-default-taken' : 'workflow-conflict', {
      name: conflict.wfName,
    })
}

/** Writes the steps, numbered from 1 in each stage. Steps that were there before keep their ids. */
async function insertSteps({ db, actor }: Context, wfId: string, steps: Form['steps'], known: Set<string>) {
  const { schoolId } = actor
  const counters = new Map<string, number>()
  const ordered = steps
    .map((step, at) => ({ step, at }))
    .sort((a, b) => (a.step.wfsSort ?? a.at) - (b.step.wfsSort ?? b.at) || a.at - b.at)
  const rows = ordered.map(({ step }) => {
    const wfsSort = (counters.get(step.wfsNodeName) ?? 0) + 1
    counters.set(step.wfsNodeName, wfsSort)
    const wfsId = step.wfsId && known.delete(step.wfsId) ? step.wfsId : newId()
    const checkers = checkerModes[step.wfsCheckerType] === 'none' ? [] : [...new Set(step.checkers)]
    const { timeoutAction, timeoutHours = null, timeoutDays = null, timeoutRoleId = null, minCredit = null } = step
    return {
      ...step,
      wfsId,
      wfsSort,
      checkers,
      timeoutHours,
      timeoutDays,
      timeoutRoleId: timeoutAction === timeoutActionCodes.escalate ? timeoutRoleId : null,
      minCredit,
      allowTransfer: step.allowTransfer ? yesNo.yes : yesNo.no,
      allowAdd: step.allowAdd ? yesNo.yes : yesNo.no,
    }
  })
  if (rows.length === 0) return rows
  await db
    .insertInto('workflowStep')
    .values(rows.map(({ checkers: _, ...row }) => ({ ...row, schoolId, wfId })))
    .execute()
  const checkers = rows.flatMap(({ wfsId, wfsNodeName, checkers: ids }) =>
    ids.map((wfcCheckerId, wfcSort) => ({ schoolId, wfsId, wfcCheckerId, wfcNodeName: wfsNodeName, wfcSort })),
  )
  if (checkers.length > 0) await db.insertInto('workflowChecker').values(checkers).execute()
  return rows
}

/** Switches flows on or off, all or none; none that would conflict with one that is on. */
export const switchFlows = (ctx: Context, { wfIds, wfStatus }: CallInput<'switchStatus'>) =>
  inLockedTransaction(ctx, 'workflow', async (tx) => {
    const rows = await visibleFlows(tx)
      .select([
        'w.wfId',
        'w.wfName',
        'w.wfType',
        'w.isDefault',
        'w.wfStatus',
        'w.needCreditOnly',
        'w.roleIds',
        'w.lsIds',
        'w.levels',
        sql<boolean>`exists (select 1 from "workflowStep" s where s."schoolId" = w."schoolId" and s."wfId" = w."wfId")`.as(
          'hasSteps',
        ),
      ])
      .where(sql<boolean>`w."wfId" = any(${wfIds}::uuid[])`)
      .execute()
    if (rows.length !== wfIds.length) throw new Failure('not-found')
    const changing = rows.filter((row) => row.wfStatus !== wfStatus)
    if (changing.length === 0) return { affected: 0, changed: [] }
    const bare = wfStatus === flowStatus.enabled && changing.find(({ hasSteps }) => !hasSteps)
    if (bare) throw new Failure('workflow-no-steps', { name: bare.wfName })
    const types = [...new Set(changing.map(({ wfType }) => wfType))]
    const run = async () => (await Promise.all(types.map((wfType) => runSamples(tx, wfType)))).flat()
    const before = await run()
    await setFlows(
      tx,
      changing.map(({ wfId }) => wfId),
      { wfStatus },
    )
    if (wfStatus === flowStatus.enabled) for (const row of changing) await assertNoConflict(tx, row.wfType, row)
    await auditMany(
      tx,
      changing.map((row) => ({
        action: wfStatus === flowStatus.enabled ? '启用流程' : '停用流程',
        bizType: 'workflow',
        bizId: row.wfId,
        bizName: row.wfName,
        before: { wfStatus: row.wfStatus },
        after: { wfStatus },
      })),
    )
    const moved = before.length > 0 ? movedSamples(before, await run()) : []
    return { affected: changing.length, changed: moved.map(({ wsName }) => wsName) }
  })

/** Puts flows into another category; running approvals do not mind. */
export const moveFlows = (ctx: Context, { wfId: wfIds, wfcId }: CallInput<'move'>) =>
  inLockedTransaction(ctx, 'workflow', async (tx) => {
    const category = await visibleCategories(tx).select('k.wfcName').where('k.wfcId', '=', wfcId).executeTakeFirst()
    const rows = await visibleFlows(tx)
      .select(['w.wfId', 'w.wfName', 'w.wfcId'])
      .where(sql<boolean>`w."wfId" = any(${wfIds}::uuid[])`)
      .execute()
    if (!category || rows.length !== wfIds.length) throw new Failure('not-found')
    await setFlows(tx, wfIds, { wfcId })
    await auditMany(
      tx,
      rows.map((row) => ({
        action: '移动流程',
        bizType: 'workflow',
        bizId: row.wfId,
        bizName: row.wfName,
        before: { wfcId: row.wfcId },
        after: { wfcId, wfcName: category.wfcName },
      })),
    )
    return { affected: rows.length }
  })

const setFlows = ({ db, actor, clock }: Context, wfIds: string[], values: { wfStatus?: string; wfcId?: string }) =>
  db
    .updateTable('workflow')
    .set({ ...values, updateBy: actor.suId, updateTime: clock.now(), version: sql`"version" + 1` })
    .where('schoolId', '=', actor.schoolId)
    .where(sql<boolean>`"wfId" = any(${wfIds}::uuid[])`)
    .execute()

/** Deletes a flow nothing runs by. */
export const deleteFlow = (ctx: Context, { wfId }: CallInput<'remove'>) =>
  inLockedTransaction(ctx, 'workflow', async (tx) => {
    const row = await flowById(tx, wfId)
    if (!row) throw new Failure('not-found')
    if (row.runningCount > 0) throw new Failure('workflow-in-use', { n: row.runningCount })
    const steps = await flowSteps(tx, wfId)
    await tx.db.deleteFrom('workflow').where('schoolId', '=', tx.actor.schoolId).where('wfId', '=', wfId).execute()
    await audit(tx, {
      action: '删除流程',
      bizType: 'workflow',
      bizId: wfId,
      bizName: row.wfName,
      before: { ...row, steps },
    })
    return { affected: 1 }
  })
