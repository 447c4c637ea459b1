import { TreeSelect } from 'antd'
import { useId } from 'react'
import { clearing } from './clearing.tsx'
import { FilterPlace, type FilterProps } from './filters.tsx'
import { useFilter } from './list-context.ts'
import type { TreeNode } from './tree.ts'

/** A node of a tree. */
export function TreeFilter({ name, label, placeholder = '请选择', tree }: FilterProps & { tree: readonly TreeNode[] }) {
  const id = useId()
  const { value, set } = useFilter(name)
  return (
    <FilterPlace label={label} htmlFor={id}>
      <TreeSelect id={id} treeData={[...tree]} value={value} allowClear={clearing} showSearch={{ treeNodeFilterProp: 'label' }} placeholder={placeholder} popupMatchSelectWidth={false} onChange={(chosen: string | undefined) => set(chosen)} />
    </FilterPlace>
  )
}
