import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { FieldProps } from '../../core/form/form-field.tsx'
import { TreeField, type TreeNode } from '../../core/form/tree-fields.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { departmentChoices } from './department-choices.ts'

const none: TreeNode[] = []

/** The school's departments as choices; undefined until they are known. */
export function useDepartmentTree(): TreeNode[] | undefined {
  const { data } = useCall(departmentApi.tree, {}, { staleTime: 60_000 })
  return data && departmentChoices(data)
}

/** Of which department; those below it are not meant. */
export function DepartmentFilter({ name }: { name: string }) {
  return <CascadeFilter name={name} label="部门" tree={useDepartmentTree() ?? none} />
}

/** One or several departments. */
export function DepartmentField(props: FieldProps & { multiple?: boolean }) {
  return <TreeField {...props} tree={useDepartmentTree() ?? none} />
}
