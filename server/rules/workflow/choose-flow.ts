import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
/** Which workflow applies to a case: pure. Empty ranges mean "all" (docs/rules.md R37). */

export interface FlowRange {
  wfId: string
  wfType: string
  wfStatus: string
  isDefault: string
  roleIds: readonly string[]
  lsIds: readonly string[]
  levels: readonly string[]
  /** `1`: only for matters that give credit. */
  needCreditOnly: string
}

/** What is to be approved. `lsPath` runs from the module down to the node itself. */
export interface FlowCase {
  wfType: string
  initiatorRoleIds: readonly string[]
  lsPath: readonly string[]
  level: string
  /** Whole hundredths; left out where not known: then it counts as giving credit. */
  credit?: number | undefined
}

/** Why a flow does or does not apply: the first thing that speaks against it, or how it fits. */
export type FlowReason =
  | 'chosen'
  | 'less-specific'
  | 'same'
  | 'default'
  | 'type'
  | 'disabled'
  | 'role'
  | 'class'
  | 'level'
  | 'credit'

/**
 * Every flow with the reason for which it does or does not apply. Of the enabled flows whose ranges fit the most
 * specific one is chosen: role before depth of module before level before credit, the default last. `same`: as specific
 * as the chosen one, which the check of flows should have prevented; the lower id then decides, so that the choice is
 * at least always the same one.
 */
export function rankFlows<F extends FlowRange>(
  flows: readonly F[],
  wanted: FlowCase,
): { flow: F; reason: FlowReason }[] {
  const against = new Map(flows.map((flow) => [flow, mismatch(flow, wanted)]))
  const fitting = flows
    .filter((flow) => !against.get(flow))
    .toSorted((a, b) => compare(specificity(b, wanted), specificity(a, wanted)) || a.wfId.localeCompare(b.wfId))
  const chosen = fitting[0]
  return flows.map((flow) => {
    const reason = against.get(flow)
    if (reason || !chosen) return { flow, reason: reason ?? 'same' }
    if (flow === chosen) return { flow, reason: flow.isDefault === yesNo.yes ? 'default' : 'chosen' }
    return {
      flow,
      reason: compare(specificity(flow, wanted), specificity(chosen, wanted)) === 0 ? 'same' : 'less-specific',
    }
  })
}

/** The flow that applies, or undefined. */
export const chooseFlow = <F extends FlowRange>(flows: readonly F[], wanted: FlowCase): F | undefined =>
  rankFlows(flows, wanted).find(({ reason }) => reason === 'chosen' || reason === 'default')?.flow

/** A default flow fits every case of its type, whatever its ranges say. */
function mismatch(flow: FlowRange, wanted: FlowCase): FlowReason | undefined {
  if (flow.wfType !== wanted.wfType) return 'type'
  if (flow.wfStatus !== flowStatus.enabled) return 'disabled'
  if (flow.isDefault === yesNo.yes) return undefined
  if (flow.roleIds.length > 0 && !flow.roleIds.some((id) => wanted.initiatorRoleIds.includes(id))) return 'role'
  if (flow.lsIds.length > 0 && !flow.lsIds.some((id) => wanted.lsPath.includes(id))) return 'class'
  if (flow.levels.length > 0 && !flow.levels.includes(wanted.level)) return 'level'
  return flow.needCreditOnly === yesNo.yes && wanted.credit === 0 ? 'credit' : undefined
}

/** No default, role named, depth of the deepest module named, level named, only with credit. */
function specificity(flow: FlowRange, wanted: FlowCase): number[] {
  if (flow.isDefault === yesNo.yes) return [0, 0, 0, 0, 0]
  const depth = Math.max(0, ...flow.lsIds.map((id) => wanted.lsPath.indexOf(id) + 1))
  return [
    1,
    flow.roleIds.length > 0 ? 1 : 0,
    depth,
    flow.levels.length > 0 ? 1 : 0,
    flow.needCreditOnly === yesNo.yes ? 1 : 0,
  ]
}

const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - b[at]!).find((difference) => difference !== 0) ?? 0
