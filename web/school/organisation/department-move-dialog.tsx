import { Form } from 'antd'
import { useMemo } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { DepartmentNode } from '../../../contract/school/organisation/organisation.schema.ts'
import { SelectField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { TreeField } from '../../core/form/tree-fields.tsx'
import { departmentChoices } from '../../shared/organisation/department-choices.ts'
import { childrenOf, spotOf } from './department-tree.ts'

/** Puts a department below another one and to a place among those there. */
export function DepartmentMoveDialog({
  node,
  tree,
  onClose,
}: {
  node: DepartmentNode
  tree: readonly DepartmentNode[]
  onClose: () => void
}) {
  const { sdId, sdName, version } = node
  const initial = useMemo(() => {
    const { sdPid, at } = spotOf(tree, node)
    return { sdId, version, sdPid, at: String(at) }
  }, [tree, node, sdId, version])
  return (
    <DialogForm
      call={departmentApi.move}
      title={`移动部门 · ${sdName}`}
      initial={initial}
      submitText="移动"
      doneText="部门已移动"
      onClose={onClose}
    >
      <TreeField name="sdPid" tree={departmentChoices(tree, sdId)} placeholder="顶级部门" help="下级部门随它一起移动" />
      <PlaceField sdId={sdId} tree={tree} />
    </DialogForm>
  )
}

function PlaceField({ sdId, tree }: { sdId: string; tree: readonly DepartmentNode[] }) {
  const sdPid = Form.useWatch<string | undefined>('sdPid', Form.useFormInstance())
  const others = childrenOf(tree, sdPid).filter((one) => one.sdId !== sdId)
  return (
    <SelectField
      name="at"
      options={[
        { value: '0', label: '排在最前' },
        ...others.map(({ sdName }, at) => ({ value: String(at + 1), label: `排在${quoted(sdName)}之后` })),
      ]}
    />
  )
}
