import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import type { TreeNode } from '../../core/form/tree-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'

const minutes = 5 * 60_000

interface ClassNode {
  lsId: string
  lsPid: string | null
  lsName: string
  lsFullName: string
  levels: string[]
}

/** The curriculum as a tree to choose from, and each node with the levels it has rules for. */
export function useClassTree(): { tree: TreeNode[]; byId: ReadonlyMap<string, ClassNode> } {
  const { data = [] } = useCall(evaluationApi.selectClass, {}, { staleTime: minutes })
  const grow = (lsPid: string | null): TreeNode[] =>
    data
      .filter((node) => node.lsPid === lsPid)
      .map(({ lsId, lsName }) => ({ value: lsId, label: lsName, ...below(grow(lsId)) }))
  return { tree: grow(null), byId: new Map(data.map((node) => [node.lsId, node])) }
}
const below = (children: TreeNode[]) => (children.length > 0 ? { children } : {})

/** The school's levels. */
export function useLevelChoices(): Choice[] {
  const { data = [] } = useCall(evaluationApi.lessonLevel, {}, { staleTime: minutes })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}
