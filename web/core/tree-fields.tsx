import { Cascader, TreeSelect } from 'antd'
import { Field, type FieldProps } from './form-core.tsx'

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

interface TreeFieldProps extends FieldProps {
  tree: readonly TreeNode[]
  multiple?: boolean
  /** Only the ends of the branches may be chosen. */
  leavesOnly?: boolean
}

/** One or several nodes of a tree. */
export function TreeField({ tree, multiple = false, leavesOnly = false, ...props }: TreeFieldProps) {
  const data = leavesOnly ? withClosedBranches(tree) : [...tree]
  return (
    <Field {...props}>
      <TreeSelect className="wide" treeData={data} fieldNames={{ label: 'label', value: 'value', children: 'children' }} multiple={multiple} allowClear showSearch={{ treeNodeFilterProp: 'label' }} placeholder={props.placeholder ?? '请选择'} disabled={props.disabled} treeDefaultExpandAll={tree.length <= 6} />
    </Field>
  )
}

const withClosedBranches = (tree: readonly TreeNode[]): TreeNode[] =>
  tree.map((node) => (node.children?.length ? { ...node, disabled: true, children: withClosedBranches(node.children) } : { ...node }))

/** A node chosen level by level; its value is the last element of the chosen path. */
export function CascadeField({ tree, anyLevel = false, ...props }: FieldProps & { tree: readonly TreeNode[]; anyLevel?: boolean }) {
  return <Field {...props}><CascadeControl tree={tree} anyLevel={anyLevel} placeholder={props.placeholder ?? '请选择'} disabled={props.disabled === true} /></Field>
}

interface CascadeProps {
  tree: readonly TreeNode[]
  anyLevel: boolean
  value?: string | null
  onChange?: (value: string | undefined) => void
  placeholder?: string
  disabled?: boolean
  id?: string
}

/** The control alone, for filters and tables. */
export function CascadeControl({ tree, anyLevel, value, onChange, ...rest }: CascadeProps) {
  return (
    <Cascader
      {...rest}
      className="wide"
      options={[...tree]}
      value={pathTo(tree, value)}
      changeOnSelect={anyLevel}
      allowClear
      showSearch
      expandTrigger="hover"
      onChange={(path) => onChange?.(path?.at(-1) as string | undefined)}
    />
  )
}
