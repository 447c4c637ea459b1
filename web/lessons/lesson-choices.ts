import { collegeApi } from '../../contract/organisation/colleges.calls.ts'
import { regionApi } from '../../contract/organisation/regions.calls.ts'
import { curriculumApi, type CurriculumNode } from '../../contract/curriculum/curriculum.calls.ts'
import type { Choice } from '../core/multi-select.tsx'
import type { TreeNode } from '../core/tree-fields.tsx'
import { useCall } from '../core/use-call.ts'

const minutes = 5 * 60_000
const toNode = ({ lsId, lsName, children }: CurriculumNode): TreeNode => ({ value: lsId, label: lsName, ...(children.length > 0 && { children: children.map(toNode) }) })
const flat = (nodes: readonly CurriculumNode[]): CurriculumNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])

/** The curriculum nodes that courses may hang on, as a tree to choose from and by id. */
export function useCurriculum(): { tree: TreeNode[]; byId: ReadonlyMap<string, CurriculumNode> } {
  const { data = [] } = useCall(curriculumApi.all, { lsType: '1', enable: '1' }, { fresh: minutes })
  return { tree: data.map(toNode), byId: new Map(flat(data).map((node) => [node.lsId, node])) }
}

/** The school's course levels. */
export function useLevels(): Choice[] {
  const { data = [] } = useCall(curriculumApi.levels, {}, { fresh: minutes })
  return data.map(({ llId, llName }) => ({ value: llId, label: llName }))
}

/** The school's colleges; with a right, those its area covers. */
export function useColleges(under?: `${string}:${string}`): Choice[] {
  const { data = [] } = useCall(collegeApi.options, { ...(under && { under }) }, { fresh: minutes })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}

/** The grades that study at the school. */
export function useGrades(): Choice[] {
  const { data = [] } = useCall(regionApi.grades, {}, { fresh: minutes })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}
