import { Cascader } from 'antd'
import { clearing } from '../parts/clear-icon.tsx'
import { Field, type FieldProps } from './form-field.tsx'
import { pathTo, type TreeNode } from '../service/tree.ts'

/** A node chosen level by level; its value is the last element of the chosen path. */
export function CascadeField({
  tree,
  anyLevel = false,
  ...props
}: FieldProps & { tree: readonly TreeNode[]; anyLevel?: boolean }) {
  return (
    <Field {...props}>
      <CascadeControl
        tree={tree}
        anyLevel={anyLevel}
        placeholder={props.placeholder ?? '请选择'}
        disabled={props.disabled === true}
      />
    </Field>
  )
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
      allowClear={clearing}
      showSearch
      expandTrigger="hover"
      onChange={(path) => onChange?.(path?.at(-1) as string | undefined)}
    />
  )
}
