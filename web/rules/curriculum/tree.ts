import { curriculumType } from '../../../contract/core/codes/rules.ts'
import type { CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'

/** The most layers a tree has. */
export const deepest = 3

export const flat = (nodes: readonly CurriculumNode[]): CurriculumNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children)])

export const find = (nodes: readonly CurriculumNode[], lsId: string | null | undefined): CurriculumNode | undefined =>
  lsId ? flat(nodes).find((node) => node.lsId === lsId) : undefined

/** The nodes with a word in name or code, with the nodes above them; all below a hit are shown too. */
export function found(nodes: readonly CurriculumNode[], word: string): CurriculumNode[] {
  if (!word) return [...nodes]
  return nodes.flatMap((node) => {
    const isHit = `${node.lsName}${node.lsCode}`.toLowerCase().includes(word.toLowerCase())
    const children = isHit ? node.children : found(node.children, word)
    return isHit || children.length > 0 ? [{ ...node, children }] : []
  })
}

/** How many layers a node and what lies below it make. */
const layersOf = ({ children }: CurriculumNode): number => 1 + Math.max(0, ...children.map(layersOf))

/**
 * Whether a node may be moved below a parent (a module where there is none): three layers at most, not below itself,
 * for the same uses.
 */
export function mayStandIn(node: CurriculumNode, parent: CurriculumNode | undefined): boolean {
  if (!parent) return true
  if (parent.lsPath.includes(node.lsId)) return false
  return (
    parent.depth + layersOf(node) <= deepest && (parent.lsType === curriculumType.both || parent.lsType === node.lsType)
  )
}

/** The nodes beside one another below a parent. */
export const rowOf = (tree: readonly CurriculumNode[], lsPid: string | null): readonly CurriculumNode[] =>
  lsPid ? (find(tree, lsPid)?.children ?? []) : tree

/** Where a node goes: below a parent, behind a neighbour; without one it comes first. */
export interface Place {
  lsPid: string | null
  after: string | undefined
}

/** Where a node stands now. */
export function placeOf(tree: readonly CurriculumNode[], node: CurriculumNode): Place {
  const row = rowOf(tree, node.lsPid)
  return { lsPid: node.lsPid, after: row[row.findIndex(({ lsId }) => lsId === node.lsId) - 1]?.lsId }
}

/** One place up or down within its row; nothing at the end of it. */
export function stepOf(tree: readonly CurriculumNode[], node: CurriculumNode, by: -1 | 1): Place | undefined {
  const row = rowOf(tree, node.lsPid)
  const at = row.findIndex(({ lsId }) => lsId === node.lsId)
  if (at + by < 0 || at + by >= row.length) return undefined
  return { lsPid: node.lsPid, after: by === 1 ? row[at + 1]!.lsId : row[at - 2]?.lsId }
}

/** The place a drop means: `side` 0 into the target, at its end; -1 before it, 1 behind it. */
export function dropPlace(
  tree: readonly CurriculumNode[],
  node: CurriculumNode,
  target: CurriculumNode,
  side: -1 | 0 | 1,
): Place {
  const others = (lsPid: string | null) => rowOf(tree, lsPid).filter(({ lsId }) => lsId !== node.lsId)
  if (side === 0) return { lsPid: target.lsId, after: others(target.lsId).at(-1)?.lsId }
  const row = others(target.lsPid)
  return {
    lsPid: target.lsPid,
    after: side === 1 ? target.lsId : row[row.findIndex(({ lsId }) => lsId === target.lsId) - 1]?.lsId,
  }
}
