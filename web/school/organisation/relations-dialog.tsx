import { Input, TreeSelect } from 'antd'
import { useMemo } from 'react'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { Field } from '../../core/form/form-field.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import type { TreeNode } from '../../core/service/tree.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useDepartmentTree } from '../../shared/organisation/department-filter.tsx'

interface Relation {
  sdId?: string
  post?: string | undefined
}

/** The departments a person belongs to and their post in each. */
export function RelationsDialog({ suId, onClose }: { suId: string; onClose: () => void }) {
  const { data } = useCall(departmentApi.relations, { id: suId }, { staleTime: 0 })
  const tree = useDepartmentTree()
  const initial = useMemo(
    () => data && { suId, relations: data.relations.map(({ sdId, post }) => ({ sdId, ...(post && { post }) })) },
    [data, suId],
  )
  return (
    <DialogForm
      call={departmentApi.setRelations}
      title={data ? `${data.suiName}所在的部门` : '所在部门'}
      width={640}
      isLoading={!data || !tree}
      initial={initial}
      input={({ relations }) => ({
        suId,
        relations: (relations as Relation[]).map(({ sdId, post }, sdSort) => ({
          sdId: sdId ?? '',
          sdSort,
          ...(post && { post }),
        })),
      })}
      onClose={onClose}
    >
      <Field name="relations" label="" help="靠前的部门视为主要部门">
        <RelationRows tree={tree ?? []} />
      </Field>
    </DialogForm>
  )
}

function RelationRows({
  tree,
  ...props
}: {
  tree: TreeNode[]
  value?: Relation[]
  onChange?: (rows: Relation[]) => void
  id?: string
}) {
  const columns: EditColumn<Relation>[] = [
    {
      title: '部门',
      cell: (row, set, at) => (
        <TreeSelect
          className="wide"
          aria-label={`第 ${at + 1} 行部门`}
          treeData={tree}
          fieldNames={{ label: 'label', value: 'value', children: 'children' }}
          value={row.sdId}
          placeholder="请选择"
          showSearch={{ treeNodeFilterProp: 'label' }}
          onChange={(sdId: string) => set({ sdId })}
        />
      ),
    },
    {
      title: '职务',
      width: 180,
      cell: (row, set, at) => (
        <Input
          aria-label={`第 ${at + 1} 行职务`}
          maxLength={30}
          placeholder="可以不填"
          value={row.post ?? ''}
          onChange={(event) => set({ post: event.target.value || undefined })}
        />
      ),
    },
  ]
  return (
    <RowEditor {...props} columns={columns} addText="加入其他部门" canSort blank={() => ({})} empty="不属于任何部门" />
  )
}
