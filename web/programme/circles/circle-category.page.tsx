import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { circleClassApi } from '../../../contract/programme/circles/circles.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { NumberField, TextField } from '../../core/form/fields.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { circlePaths } from '../../shared/circles/circle-parts.tsx'

type Row = RowOf<typeof circleClassApi.list>
const action = actionOn<Row>()
const remove = action.remove({
  call: circleClassApi.remove,
  unit: '个分类',
  input: (rows) => ({ ccIds: rows.map(({ ccId }) => ccId) }),
})

/** The kinds of circle a school has. */
export function CircleCategoryPage() {
  const list = useList(circleClassApi.list)
  const [shown, setShown] = useState<Row | 'new'>()
  const edit = action.open({
    label: '编辑',
    call: circleClassApi.update,
    fits: ({ can }) => can.includes('edit'),
    onOpen: ([row]) => setShown(row),
  })
  const columns: Column<Row>[] = [
    { title: '分类名称', dataIndex: 'ccName', fixed: 'left', sorter: true },
    {
      title: '圈子数',
      dataIndex: 'circleCount',
      width: 96,
      number: true,
      to: ({ ccId }) => `${circlePaths.list}?ciClass=${ccId}`,
    },
    { title: '排序', dataIndex: 'ccSort', width: 88, number: true, sorter: true },
    { title: '创建人', dataIndex: 'createName', width: 120 },
    { title: '更新时间', dataIndex: 'updateTime', width: 168 },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={circleClassApi.add} primary={primary} icon={<PlusOutlined />} onClick={() => setShown('new')}>
      新增分类
    </ActionButton>
  )
  const fields = (
    <>
      <TextField name="ccName" />
      <NumberField name="ccSort" help="数字越小越靠前" />
    </>
  )
  const close = () => setShown(undefined)
  return (
    <>
      <ListPage
        title="圈子分类"
        list={list}
        rowKey="ccId"
        columns={columns}
        filters={<TextFilter name="ccName" label="分类名称" />}
        tools={
          <>
            <ExportButton to={circleClassApi.exportList} list={list} />
            {add(true)}
          </>
        }
        rowActions={[edit, remove]}
        batchActions={[remove]}
        empty={{ text: '暂无圈子分类', hint: '圈子按分类管理与统计。', next: add(false) }}
      />
      {shown === 'new' && (
        <DialogForm title="新增圈子分类" call={circleClassApi.add} initial={{ ccSort: list.total }} onClose={close}>
          {fields}
        </DialogForm>
      )}
      {shown && shown !== 'new' && (
        <DialogForm
          title="编辑圈子分类"
          call={circleClassApi.update}
          initial={{ ccId: shown.ccId, version: shown.version, ccName: shown.ccName, ccSort: shown.ccSort }}
          onClose={close}
        >
          {fields}
        </DialogForm>
      )}
    </>
  )
}
