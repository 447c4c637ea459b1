import { useId } from 'react'
import { CascadeControl } from '../form/cascade-fields.tsx'
import { FilterPlace, type FilterProps } from './filters.tsx'
import { useFilter } from './list-context.ts'
import type { TreeNode } from '../service/tree.ts'

/** A node chosen level by level; what is sent is the last element of the chosen path. */
export function CascadeFilter({
  name,
  label,
  placeholder = '请选择',
  tree,
}: FilterProps & { tree: readonly TreeNode[] }) {
  const id = useId()
  const { value, set } = useFilter(name)
  return (
    <FilterPlace label={label} htmlFor={id}>
      <CascadeControl id={id} tree={tree} anyLevel value={value ?? null} placeholder={placeholder} onChange={set} />
    </FilterPlace>
  )
}
