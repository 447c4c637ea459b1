import type { Checked } from '../../../contract/core/call.ts'
import { flowNode, flowStatus } from '../../../contract/core/codes/rules.ts'
import type { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { questionsWithoutSteps, type FlowType } from '../../../contract/rules/workflow/workflow.schema.ts'
import { invalidInput } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import { rankFlows } from './choose-flow.ts'
import { coverageOf, type CellKind } from './coverage.ts'
import { reasonWords } from './flow-reasons.ts'
import { checkerWords } from './step-words.ts'
import { rangedFlows, storedSteps, type StoredStep } from './workflow.queries.ts'
import { wordsFor } from './range-words.service.ts'

type CallInput<K extends keyof typeof trialApi> = Checked<(typeof trialApi)[K]>

/**
 * Which flow rules which case of a type: a row a curriculum node, a cell a level, for all roles that may start one or
 * for one of them.
 */
export async function coverageMap(ctx: Context, { wfType, srId, lsId }: CallInput<'coverage'>) {
  const { mayStart } = await wordsFor(ctx, wfType)
  const flows = (await rangedFlows(ctx, wfType)).filter(({ wfStatus }) => wfStatus === flowStatus.enabled)
  const roles = srId ? mayStart.roles.filter(({ id }) => id === srId) : mayStart.roles
  if (srId && roles.length === 0) throw invalidInput([{ field: 'srId', msg: '该角色不发起此类申请' }])
  const classes = lsId ? mayStart.classes.filter(({ lsPath }) => lsPath.includes(lsId)) : mayStart.classes
  const rows = coverageOf(flows, { ...mayStart, roles, classes })
  const counts: Record<CellKind, number> = { flow: 0, default: 0, hole: 0, overlap: 0, partial: 0 }
  for (const { cells } of rows) for (const { kind } of cells) counts[kind]++
  return {
    roles: named(mayStart.roles),
    levels: named(mayStart.levels),
    modules: mayStart.classes
      .filter(({ lsPath }) => lsPath.length === 1)
      .map((node) => ({ id: node.lsId, name: node.lsName })),
    flows: flows.map(({ wfId, wfName, isDefault }) => ({ wfId, wfName, isDefault })),
    rows: inTree(rows, classes),
    counts,
  }
}

const named = (list: readonly { id: string; name: string }[]) => list.map(({ id, name }) => ({ id, name }))

/** Rows in the order of the tree, children below their parents. */
function inTree<R extends { lsId: string }>(
  rows: R[],
  classes: readonly { lsId: string; lsPath: readonly string[] }[],
): R[] {
  const paths = new Map(classes.map(({ lsId, lsPath }) => [lsId, lsPath]))
  const place = new Map(classes.map(({ lsId }, at) => [lsId, at]))
  const key = ({ lsId }: R) => (paths.get(lsId) ?? []).map((id) => place.get(id) ?? 0)
  return rows.toSorted((a, b) => {
    const [one, other] = [key(a), key(b)]
    const at = one.findIndex((step, index) => step !== other[index])
    return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1)
  })
}

/** One cell, role by role: which flow applies, and why the others do not. */
export async function coverageCell(ctx: Context, { wfType, lsId, liLevel, srId }: CallInput<'coverageCell'>) {
  const { mayStart } = await wordsFor(ctx, wfType)
  const node = mayStart.classes.find((one) => one.lsId === lsId)
  if (!node || !mayStart.levels.some(({ id }) => id === liLevel))
    throw invalidInput([{ field: 'lsId', msg: '该课程体系或级别不存在、已停用或不用于此类申请' }])
  const flows = await rangedFlows(ctx, wfType)
  const steps = await storedSteps(
    ctx,
    flows.map(({ wfId }) => wfId),
  )
  const enabled = flows.filter(({ wfStatus }) => wfStatus === flowStatus.enabled)
  const roles: { id: string | null; name: string }[] =
    mayStart.roles.length > 0
      ? mayStart.roles.filter(({ id }) => !srId || id === srId)
      : [{ id: null, name: '所有发起人' }]
  return roles.map(({ id, name }) => {
    const [row] = coverageOf(enabled, {
      roles: id === null ? [] : [{ id, name }],
      classes: [node],
      levels: mayStart.levels.filter((level) => level.id === liLevel),
    })
    const ranked = rankFlows(flows, {
      wfType,
      initiatorRoleIds: id === null ? [] : [id],
      lsPath: node.lsPath,
      level: liLevel,
    })
    return {
      srId: id,
      srName: name,
      kind: row!.cells[0]!.kind,
      flows: ranked
        .map(({ flow: { wfId, wfName }, reason }) => {
          const isChosen = reason === 'chosen' || reason === 'default'
          const questionsText = isChosen ? questionsOf(wfType, wfId, steps) : ''
          return { wfId, wfName, isChosen, why: reasonWords[reason], questionsText }
        })
        .toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen)),
    }
  })
}

/** Who decides on questions about what a flow has approved: its notice stage step by step, or who does without one. */
function questionsOf(wfType: FlowType, wfId: string, steps: readonly StoredStep[]): string {
  const own = steps.filter((step) => step.wfId === wfId && step.wfsNodeName === flowNode.notice)
  return own.length === 0 ? questionsWithoutSteps[wfType] : `质疑由${own.map(checkerWords).join(' → ')}认定`
}
