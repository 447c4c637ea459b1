import type { DepartmentNode } from '../../../contract/school/organisation/organisation.schema.ts'

/** Where a department is to stand: below which one (none: at the top) and with how many others before it. */
export interface Spot {
  sdPid: string | undefined
  at: number
}

export const flat = (nodes: readonly DepartmentNode[]): DepartmentNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children)])

/** The departments below one, or at the top, in their order. */
export const childrenOf = (tree: readonly DepartmentNode[], sdPid: string | undefined): readonly DepartmentNode[] =>
  sdPid ? (flat(tree).find(({ sdId }) => sdId === sdPid)?.children ?? []) : tree

/** Where a department stands now. */
export function spotOf(tree: readonly DepartmentNode[], { sdId, sdPid }: Pick<DepartmentNode, 'sdId' | 'sdPid'>): Spot {
  const parent = sdPid ?? undefined
  return { sdPid: parent, at: childrenOf(tree, parent).findIndex((one) => one.sdId === sdId) }
}

/**
 * Where a department comes to stand when it is let go.
 * @param side on the target itself (it becomes its last child), or into the gap before or after it
 */
export function spotAt(
  tree: readonly DepartmentNode[],
  moved: string,
  target: DepartmentNode,
  side: 'on' | 'before' | 'after',
): Spot {
  if (side === 'on') return { sdPid: target.sdId, at: target.children.filter(({ sdId }) => sdId !== moved).length }
  const sdPid = target.sdPid ?? undefined
  const others = childrenOf(tree, sdPid).filter(({ sdId }) => sdId !== moved)
  const place = others.findIndex(({ sdId }) => sdId === target.sdId)
  return { sdPid, at: side === 'before' ? place : place + 1 }
}

/** The departments with a word in name or code, with those above them. */
export const found = (nodes: readonly DepartmentNode[], word: string): DepartmentNode[] =>
  nodes.flatMap((node) => {
    const children = found(node.children, word)
    const isHit = `${node.sdName}${node.sdCode}`.toLowerCase().includes(word)
    return isHit ? [node] : children.length > 0 ? [{ ...node, children }] : []
  })
