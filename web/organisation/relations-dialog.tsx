import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Form } from 'antd'
import { useMemo } from 'react'
import { departmentApi } from '../../contract/organisation/departments.calls.ts'
import { TextField } from '../core/fields.tsx'
import { FormScope } from '../core/form-core.tsx'
import { FormDialog } from '../core/form-dialog.tsx'
import { IconAct } from '../core/row-editor.tsx'
import { TreeField } from '../core/tree-fields.tsx'
import { useCall } from '../core/use-call.ts'
import { departmentChoices } from './department-choices.part.ts'

/** The departments a person belongs to and his post in each. */
export function RelationsDialog({ suId, onClose }: { suId: string; onClose: () => void }) {
  const { data } = useCall(departmentApi.relations, { id: suId }, { fresh: 0 })
  const { data: tree = [] } = useCall(departmentApi.tree, {}, { fresh: 60_000 })
  const initial = useMemo(() => data && { suId, relations: data.relations.map(({ sdId, post, sdSort }) => ({ sdId, post, sdSort })) }, [data, suId])
  return (
    <FormDialog call={departmentApi.setRelations} title={`${data?.suiName ?? ''}所在的部门`} width={640} isLoading={!data} initial={initial} onClose={onClose}>
      <div className="relations">
        <Form.List name="relations">
          {(rows, { add, remove }) => (
            <>
              {rows.map(({ key, name }) => (
                <div key={key} className="relation-row form-grid">
                  <FormScope prefix={['relations', name]}>
                    <TreeField name="sdId" span={7} tree={departmentChoices(tree)} />
                    <TextField name="post" span={4} />
                  </FormScope>
                  <span className="relation-remove"><IconAct label="移除这一行" icon={<DeleteOutlined />} onClick={() => remove(name)} /></span>
                </div>
              ))}
              <Button block type="dashed" icon={<PlusOutlined />} onClick={() => add({ sdSort: rows.length })}>加入其他部门</Button>
            </>
          )}
        </Form.List>
      </div>
    </FormDialog>
  )
}
