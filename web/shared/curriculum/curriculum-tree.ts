import { useMemo } from 'react'
import type { Input } from '../../../contract/core/call.ts'
import { curriculumApi, type CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import type { TreeNode } from '../../core/service/tree.ts'
import { useCall } from '../../core/service/use-call.ts'

const minutes = 5 * 60_000
const toNode = ({ lsId, lsName, children }: CurriculumNode): TreeNode => ({
  value: lsId,
  label: lsName,
  ...(children.length > 0 && { children: children.map(toNode) }),
})
const flat = (nodes: readonly CurriculumNode[]): CurriculumNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children)])

/** The curriculum as a tree to choose from, and its nodes by id. */
export function useCurriculumTree(narrowed: Input<typeof curriculumApi.all> = {}): {
  tree: TreeNode[]
  byId: ReadonlyMap<string, CurriculumNode>
} {
  const { data } = useCall(curriculumApi.all, narrowed, { staleTime: minutes })
  return useMemo(
    () => ({ tree: (data ?? []).map(toNode), byId: new Map(flat(data ?? []).map((node) => [node.lsId, node])) }),
    [data],
  )
}
