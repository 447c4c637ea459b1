import { TreeSelect } from 'antd'
import { clearing } from '../parts/clear-icon.tsx'
import { Field, type FieldProps } from './form-field.tsx'
import type { TreeNode } from '../service/tree.ts'

export type { TreeNode }

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
      <TreeSelect
        className="wide"
        treeData={data}
        fieldNames={{ label: 'label', value: 'value', children: 'children' }}
        multiple={multiple}
        allowClear={clearing}
        showSearch={{ treeNodeFilterProp: 'label' }}
        placeholder={props.placeholder ?? '请选择'}
        disabled={props.disabled}
        treeDefaultExpandAll={tree.length <= 6}
      />
    </Field>
  )
}

const withClosedBranches = (tree: readonly TreeNode[]): TreeNode[] =>
  tree.map((node) =>
    node.children?.length ? { ...node, disabled: true, children: withClosedBranches(node.children) } : { ...node },
  )
