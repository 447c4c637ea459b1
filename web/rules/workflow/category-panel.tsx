import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { NumberField, TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { RowActions } from '../../core/action/row-actions.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { moved, Sortable } from '../../core/parts/sortable.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { figure } from '../../core/service/figure.ts'

export type Category = Output<typeof workflowApi.typeList>[number]

const action = actionOn<Category>()
const remove = action({
  label: '删除',
  call: workflowApi.deleteType,
  isDanger: true,
  fits: ({ flowCount }) => flowCount === 0,
  confirm: '',
  input: ([row]) => ({ wfcId: row!.wfcId }),
})

interface Props {
  categories: readonly Category[]
  chosen: string | undefined
  onChoose: (wfcId: string | undefined) => void
}

/** The categories of flows beside their list: choosing one narrows the list. */
export function CategoryPanel({ categories, chosen, onChoose }: Props) {
  const [editing, setEditing] = useState<Partial<Category>>()
  const { send } = useSend(workflowApi.sortTypes)
  const maySort = usePermission()(workflowApi.sortTypes) && categories.length > 1
  const place = (from: number, to: number) => send({ wfcIds: moved(categories, from, to).map(({ wfcId }) => wfcId) })
  const shift = (label: string, by: -1 | 1) =>
    action.open({
      label,
      call: workflowApi.sortTypes,
      fits: (row) => categories[categories.indexOf(row) + by] !== undefined,
      onOpen: ([row]) => void place(categories.indexOf(row!), categories.indexOf(row!) + by).catch(() => undefined),
    })
  const edit = action.open({ label: '编辑', call: workflowApi.saveType, onOpen: ([row]) => setEditing(row) })
  const total = categories.reduce((sum, { flowCount }) => sum + flowCount, 0)
  const nextSort = Math.max(0, ...categories.map(({ wfcSort }) => wfcSort)) + 1
  return (
    <nav className="card categories" aria-label="流程分类">
      <ul>
        <li className={chosen === undefined ? 'is-chosen' : ''}>
          <button type="button" aria-current={chosen === undefined} onClick={() => onChoose(undefined)}>
            全部流程<span>{figure(total)}</span>
          </button>
        </li>
        <Sortable
          items={categories}
          keyOf={({ wfcId }) => wfcId}
          nameOf={({ wfcName }) => wfcName}
          disabled={!maySort}
          onMove={place}
        >
          {(row, _, { ref, handle, isDragging }) => (
            <li
              key={row.wfcId}
              ref={ref}
              className={`${chosen === row.wfcId ? 'is-chosen' : ''}${isDragging ? ' is-dragging' : ''}`}
            >
              <button
                type="button"
                aria-current={chosen === row.wfcId}
                onClick={() => onChoose(row.wfcId)}
                title={row.wfcName}
              >
                <i>{row.wfcName}</i>
                <span>{figure(row.flowCount)}</span>
              </button>
              <RowActions
                row={row}
                actions={[edit, shift('上移', -1), shift('下移', 1), remove]}
                nameOf={({ wfcName }) => wfcName}
                open={0}
              />
              {handle}
            </li>
          )}
        </Sortable>
      </ul>
      <ActionButton
        to={workflowApi.saveType}
        size="small"
        icon={<PlusOutlined />}
        onClick={() => setEditing({ wfcSort: nextSort })}
      >
        新增分类
      </ActionButton>
      {editing && (
        <DialogForm
          call={workflowApi.saveType}
          title={editing.wfcId ? '编辑流程分类' : '新增流程分类'}
          width={420}
          initial={editing}
          onClose={() => setEditing(undefined)}
        >
          <TextField name="wfcName" />
          <NumberField name="wfcSort" help="数字小的在前" />
        </DialogForm>
      )}
    </nav>
  )
}
