import type { DepartmentNode } from '../../../contract/school/organisation/organisation.schema.ts'
import type { TreeNode } from '../../core/service/tree.ts'

/** The tree of departments as choices, without the branch of one of them. */
export const departmentChoices = (nodes: readonly DepartmentNode[], without?: string): TreeNode[] =>
  nodes
    .filter(({ sdId }) => sdId !== without)
    .map(({ sdId, sdName, children }) => ({
      value: sdId,
      label: sdName,
      ...(children.length > 0 && { children: departmentChoices(children, without) }),
    }))
