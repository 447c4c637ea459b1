/** Which workflow applies to a case: pure. Empty ranges mean "all" (DOMAIN 6, 36 and 37). */

export interface FlowRange {
  wfId: string
  wfType: string
  wfStatus: string
  isDefault: string
  roleIds: readonly string[]
  lsIds: readonly string[]
  levels: readonly string[]
}

/** What is to be approved. `lsPath` runs from the module down to the node itself. */
export interface FlowCase {
  wfType: string
  initiatorRoleIds: readonly string[]
  lsPath: readonly string[]
  level: string
}

/** The most specific enabled flow whose ranges fit (role before module depth before level), else the default flow of that type, else undefined. */
export function chooseFlow<F extends FlowRange>(flows: readonly F[], wanted: FlowCase): F | undefined {
  const usable = flows.filter((flow) => flow.wfType === wanted.wfType && flow.wfStatus === '1')
  const fitting = usable.filter((flow) => fits(flow, wanted)).toSorted((a, b) => compare(specificity(b, wanted), specificity(a, wanted)) || a.wfId.localeCompare(b.wfId))
  return fitting.find((flow) => flow.isDefault !== '1' || specificity(flow, wanted).some(Boolean)) ?? usable.find((flow) => flow.isDefault === '1') ?? fitting[0]
}

const fits = (flow: FlowRange, wanted: FlowCase): boolean =>
  (flow.roleIds.length === 0 || flow.roleIds.some((id) => wanted.initiatorRoleIds.includes(id))) &&
  (flow.lsIds.length === 0 || flow.lsIds.some((id) => wanted.lsPath.includes(id))) &&
  (flow.levels.length === 0 || flow.levels.includes(wanted.level))

/** Role named, depth of the deepest module named, level named. */
function specificity(flow: FlowRange, wanted: FlowCase): [number, number, number] {
  const depth = Math.max(0, ...flow.lsIds.map((id) => wanted.lsPath.indexOf(id) + 1))
  return [flow.roleIds.length > 0 ? 1 : 0, depth, flow.levels.length > 0 ? 1 : 0]
}

const compare = (a: readonly number[], b: readonly number[]): number => a.map((value, at) => value - b[at]!).find((difference) => difference !== 0) ?? 0
