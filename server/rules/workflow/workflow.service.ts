import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { detailsOf, rangesOf } from '../../../contract/rules/workflow/specified-forms.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { FlowType, FlowVerdict } from '../../../contract/rules/workflow/workflow.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { emptyCheckersOf } from './checker-choice.service.ts'
import { wordsFor } from './range-words.service.ts'
import { inWords, movedSamples, runSamples } from './samples.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { withCheckers } from './specified-flow.ts'
import { shortStages } from './step-count.ts'
import { conflictsOf, gapsOf, type RangedFlow } from './validate.ts'
import {
  categoryRows,
  flowById,
  flowRows,
  flowSteps,
  rangeChoices,
  rangedFlows,
  shownStep,
  storedSteps,
  visibleFlows,
} from './workflow.queries.ts'

type CallInput<K extends keyof typeof workflowApi> = Checked<(typeof workflowApi)[K]>

/** How many conflicts and gaps a verdict lists; more say nothing new. */
const maxShown = 100

/** What the list of flows may be sorted by. */
const sortable = {
  wfName: 'w.wfName',
  wfType: 'w.wfType',
  wfStatus: 'w.wfStatus',
  stepCount: 'stepCount',
  runningCount: 'runningCount',
  wfVersion: 'w.wfVersion',
  wfcName: 'k.wfcName',
  updateTime: 'w.updateTime',
}

/** Flows with their ranges in words, type by type unless another order is asked for. */
export async function listFlows(ctx: Context, input: CallInput<'list'>) {
  const wanted = fits(input)
  const total = await countOf(visibleFlows(ctx).where(wanted))
  const rows = await flowRows(ctx)
    .where(wanted)
    .$if(input.sort !== undefined, (query) => query.orderBy(listOrder(input, sortable)))
    .orderBy('w.wfType')
    .orderBy('w.isDefault', 'desc')
    .orderBy('w.wfName')
    .orderBy('w.wfId')
    .offset(offsetOf(input))
    .limit(input.pageSize)
    .execute()
  const { permits } = ctx.actor
  const steps = await storedSteps(
    ctx,
    rows.map(({ wfId }) => wfId),
  )
  const records = rows.map((row) => {
    const can: ('edit' | 'enable' | 'disable' | 'delete')[] = []
    if (permits.has('workflow:edit')) can.push('edit', row.wfStatus === flowStatus.enabled ? 'disable' : 'enable')
    if (permits.has('workflow:delete') && row.runningCount === 0) can.push('delete')
    const own = steps.filter(({ wfId }) => wfId === row.wfId).map((step) => toldStep(shownStep(step)))
    return { ...row, wfType: row.wfType as FlowType, ranges: rangesOf(row), steps: own, can }
  })
  return asPage(records, total, input)
}

function fits({ wfcId, wfName, wfType, wfStatus }: CallInput<'list'>): RawBuilder<boolean> {
  const parts = [sql`true`]
  if (wfcId) parts.push(sql`w."wfcId" = ${wfcId}`)
  if (wfName) parts.push(sql`w."wfName" like ${likeText(wfName)}`)
  if (wfType) parts.push(sql`w."wfType" = ${wfType}`)
  if (wfStatus) parts.push(sql`w."wfStatus" = ${wfStatus}`)
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/**
 * What a new flow begins as: the console has it finished and tried before it is switched on. A plain caller knows of no
 * drafts (decision 034) and would send back a status that keeps the flow from ever being used.
 */
const firstStatus = ({ origin }: Context) => (origin.isStrict ? flowStatus.draft : flowStatus.enabled)

/** An empty form of a type with all that it chooses from. */
export async function newFlow(ctx: Context, { wfType }: CallInput<'addInit'>) {
  const categories = await categoryRows(ctx)
  const flow = {
    wfId: null,
    version: 0,
    wfName: '',
    wfIcon: '',
    wfDesc: '',
    wfcId: null,
    wfType,
    isDefault: yesNo.no,
    wfStatus: firstStatus(ctx),
    wfVersion: 0,
    selfPass: yesNo.yes,
    needCreditOnly: yesNo.no,
    roleIds: [],
    lsIds: [],
    levels: [],
    ranges: rangesOf({ roleIds: [], lsIds: [], levels: [] }),
    steps: [],
  }
  return { flow, categories, ...(await choices(ctx)), runningCount: 0 }
}

/**
 * A step with its checkers in the specification's form as well; the role's name is for versions, which say it in words.
 */
const toldStep = <S extends Parameters<typeof detailsOf>[0] & { timeoutRole: string }>({
  timeoutRole: _,
  ...step
}: S) => ({
  ...step,
  details: detailsOf(step as never),
})

/** A flow with all that its form chooses from. */
export async function flowForEdit(ctx: Context, { wfId }: { wfId: string }) {
  const row = await flowById(ctx, wfId)
  if (!row) throw new Failure('not-found')
  const { runningCount, ...flow } = row
  const steps = (await flowSteps(ctx, wfId)).map(toldStep)
  return {
    flow: { ...flow, wfType: row.wfType as FlowType, ranges: rangesOf(row), steps },
    categories: await categoryRows(ctx),
    ...(await choices(ctx)),
    runningCount,
  }
}

/**
 * A copy to start a new flow from: not the default, with the status of a new one, and with a name of its own. A draft
 * conflicts with nothing; what a plain caller begins has to have ranges of its own by the time that it is saved.
 */
export async function flowToClone(ctx: Context, { wfId, wfType }: CallInput<'cloneInit'>) {
  const start = await flowForEdit(ctx, { wfId })
  if (wfType !== undefined && wfType !== start.flow.wfType)
    throw invalidInput([{ field: 'wfType', msg: '克隆的流程与原流程类型相同，请改选同类型的流程' }])
  const copy = {
    ...start.flow,
    wfId: null,
    version: 0,
    wfVersion: 0,
    isDefault: yesNo.no,
    wfStatus: firstStatus(ctx),
    wfName: `${start.flow.wfName.slice(0, 44)}（副本）`,
  }
  return { ...start, flow: copy, runningCount: 0 }
}

async function choices(ctx: Context) {
  const { roles, classes, levels } = await rangeChoices(ctx)
  return {
    roles: roles.map(({ id, name }) => ({ id, name })),
    classes: classes.map(({ lsId, lsPid, lsName, lsType }) => ({ lsId, lsPid, lsName, lsType })),
    levels,
  }
}

/** Do approvals run by this flow? They keep the steps they started with, so only deleting it has to wait. */
export async function flowOccupied(ctx: Context, { wfId }: { wfId: string }) {
  const row = await flowById(ctx, wfId)
  if (!row) throw new Failure('not-found')
  return { occupied: row.runningCount > 0, runningCount: row.runningCount }
}

/** Checks ranges, checkers and sample cases as they stand in the editor, against the enabled flows of the type. */
export async function validateFlow(ctx: Context, input: CallInput<'validate'>): Promise<FlowVerdict> {
  const open = input.isDefault
  const ranges = open
    ? { roleIds: [], lsIds: [], levels: [], needCreditOnly: yesNo.no }
    : {
        roleIds: input.roleIds,
        lsIds: input.classIds,
        levels: input.levelIds,
        needCreditOnly: input.needCreditOnly ? yesNo.yes : yesNo.no,
      }
  const flow = { wfId: input.wfId ?? '', wfName: '', isDefault: open ? yesNo.yes : yesNo.no, ...ranges }
  const others = (await rangedFlows(ctx, input.wfType)).filter(
    ({ wfId, wfStatus }) => wfId !== input.wfId && wfStatus === flowStatus.enabled,
  )
  const words = await wordsFor(ctx, input.wfType)
  const isOff = input.wfStatus === flowStatus.disabled
  const conflicts = isOff ? [] : conflictsOf(flow, others, words.all)
  const gaps = gapsOf(isOff ? others : [...others, flow], words.mayStart)
  const steps = input.steps?.map(withCheckers) ?? (input.wfId ? await storedSteps(ctx, [input.wfId]) : [])
  // whoever asks about ranges alone, as the specification's client does, has no steps to tell
  const noSteps = steps.length === 0 && (input.steps !== undefined || input.wfId !== undefined)
  const emptyCheckers = await emptyCheckersOf(ctx, steps)
  const short =
    steps.length === 0
      ? []
      : shortStages(
          { wfType: input.wfType, levels: flow.levels },
          steps,
          await schoolSettings(ctx, ctx.actor.schoolId),
          words.all.levels,
        )
  const before = await runSamples(ctx, input.wfType)
  const after =
    before.length > 0
      ? await runSamples(ctx, input.wfType, { ...flow, wfType: input.wfType, wfStatus: input.wfStatus, steps })
      : []
  const samples = await inWords(ctx, movedSamples(before, after).slice(0, maxShown))
  return {
    ok: !noSteps && conflicts.length === 0 && !emptyCheckers.some(({ blocks }) => blocks),
    conflicts: conflicts.slice(0, maxShown),
    gaps: gaps.slice(0, maxShown),
    emptyCheckers,
    short,
    samples,
    noSteps,
    isOff,
    truncated: conflicts.length > maxShown || gaps.length > maxShown,
  }
}

/** The enabled flow that `flow` would conflict with, if any. */
export async function conflictOf(ctx: Context, wfType: string, flow: RangedFlow) {
  const others = (await rangedFlows(ctx, wfType)).filter(({ wfStatus }) => wfStatus === flowStatus.enabled)
  return conflictsOf(flow, others, { roles: [], classes: [], levels: [] })[0]
}
