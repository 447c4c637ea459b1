/** A node of a tree as the choices take it. */
export interface TreeNode {
  value: string
  label: string
  children?: TreeNode[] | undefined
  disabled?: boolean | undefined
}

/** The way from the root to a value, both included; empty where the tree does not hold it. */
export function pathTo(tree: readonly TreeNode[], value: string | undefined | null): string[] {
  if (!value) return []
  for (const node of tree) {
    if (node.value === value) return [node.value]
    const below = pathTo(node.children ?? [], value)
    if (below.length > 0) return [node.value, ...below]
  }
  return []
}
