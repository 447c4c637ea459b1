import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { RangedFlow, RangeWords } from './validate.ts'

/**
 * flow: one flow; default: only the default one; hole: none; overlap: two of the same weight; partial: covered for some
 * roles, or only where credit is given.
 */
export type CellKind = 'flow' | 'default' | 'hole' | 'overlap' | 'partial'

export interface Cell {
  level: string
  kind: CellKind
  /** The flows that apply; of an overlap those that collide. */
  wfIds: string[]
}

interface CoverageRow {
  lsId: string
  lsName: string
  /** 1 for a module. */
  depth: number
  cells: Cell[]
}

/**
 * Who rules which case: a row for each curriculum node, a cell for each level, all roles of `words` taken together. No
 * roles means anybody.
 */
export function coverageOf(flows: readonly RangedFlow[], { roles, classes, levels }: RangeWords): CoverageRow[] {
  const byRole = (roles.length > 0 ? roles.map(({ id }) => id) : [null]).map((role) =>
    flows.filter(
      ({ isDefault, roleIds }) =>
        isDefault === yesNo.yes || roleIds.length === 0 || (role !== null && roleIds.includes(role)),
    ),
  )
  return classes.map(({ lsId, lsName, lsPath }) => {
    const here = byRole.map((own) =>
      own.filter(
        ({ isDefault, lsIds }) =>
          isDefault === yesNo.yes || lsIds.length === 0 || lsIds.some((id) => lsPath.includes(id)),
      ),
    )
    return {
      lsId,
      lsName,
      depth: lsPath.length,
      cells: levels.map(({ id }) =>
        joined(
          id,
          here.map((own) =>
            cellOf(
              own.filter(
                ({ isDefault, levels: named }) => isDefault === yesNo.yes || named.length === 0 || named.includes(id),
              ),
              lsPath,
            ),
          ),
        ),
      ),
    }
  })
}

type Finding = Omit<Cell, 'level'>

/** What applies to one role: the flows that check most. */
function cellOf(fitting: readonly RangedFlow[], lsPath: readonly string[]): Finding {
  const own = fitting.filter(({ isDefault }) => isDefault !== yesNo.yes)
  if (own.length === 0)
    return fitting.length === 0
      ? { kind: 'hole', wfIds: [] }
      : { kind: fitting.length > 1 ? 'overlap' : 'default', wfIds: fitting.map(({ wfId }) => wfId) }
  const weights = own.map((flow) => weight(flow, lsPath))
  const highest = Math.max(...weights)
  const heaviest = own.filter((_, at) => weights[at] === highest)
  if (heaviest.length > 1) return { kind: 'overlap', wfIds: heaviest.map(({ wfId }) => wfId) }
  const isOpen = fitting.every(
    ({ needCreditOnly, isDefault }) => isDefault !== yesNo.yes && needCreditOnly === yesNo.yes,
  )
  return { kind: isOpen ? 'partial' : 'flow', wfIds: heaviest.map(({ wfId }) => wfId) }
}

/** Role before depth of module before level before credit, as one number; a curriculum has three levels. */
const weight = ({ roleIds, lsIds, levels, needCreditOnly }: RangedFlow, lsPath: readonly string[]): number =>
  (roleIds.length > 0 ? 1000 : 0) +
  Math.max(0, ...lsIds.map((id) => lsPath.indexOf(id) + 1)) * 100 +
  (levels.length > 0 ? 10 : 0) +
  (needCreditOnly === yesNo.yes ? 1 : 0)

/** The findings for all roles as one cell: the worst that is true of any, and every flow that applies to somebody. */
function joined(level: string, findings: readonly Finding[]): Cell {
  const wfIds = [...new Set(findings.flatMap((one) => one.wfIds))]
  const holes = findings.filter(({ kind }) => kind === 'hole').length
  const has = (kind: CellKind) => findings.some((one) => one.kind === kind)
  const kind = has('overlap')
    ? 'overlap'
    : holes === findings.length
      ? 'hole'
      : holes > 0 || has('partial')
        ? 'partial'
        : has('flow')
          ? 'flow'
          : 'default'
  return { level, kind, wfIds }
}
