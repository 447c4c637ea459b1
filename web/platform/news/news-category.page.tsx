import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { newsTypeApi } from '../../../contract/platform/news/news.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { NumberField, TextField } from '../../core/form/fields.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { newsPaths } from './news-parts.tsx'

type Row = RowOf<typeof newsTypeApi.list>
const action = actionOn<Row>()
const remove = action.remove({
  call: newsTypeApi.remove,
  unit: '个分类',
  input: (rows) => ({ ntIds: rows.map(({ ntId }) => ntId) }),
})

/** The types of news a school has. */
export function NewsCategoryPage() {
  const list = useList(newsTypeApi.list)
  const [shown, setShown] = useState<Row | 'new'>()
  const edit = action.open({
    label: '编辑',
    call: newsTypeApi.update,
    fits: ({ can }) => can.includes('edit'),
    onOpen: ([row]) => setShown(row),
  })
  const columns: Column<Row>[] = [
    { title: '分类名称', dataIndex: 'ntName', fixed: 'left', sorter: true },
    {
      title: '新闻数',
      dataIndex: 'newsCount',
      width: 96,
      number: true,
      to: ({ ntId }) => `${newsPaths.list}?ntId=${ntId}`,
    },
    { title: '排序', dataIndex: 'ntSort', width: 88, number: true, sorter: true },
    { title: '创建人', dataIndex: 'createName', width: 120 },
    { title: '更新时间', dataIndex: 'updateTime', width: 168 },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={newsTypeApi.add} primary={primary} icon={<PlusOutlined />} onClick={() => setShown('new')}>
      新增分类
    </ActionButton>
  )
  const fields = (
    <>
      <TextField name="ntName" />
      <NumberField name="ntSort" help="数字越小越靠前" />
    </>
  )
  const close = () => setShown(undefined)
  return (
    <>
      <ListPage
        title="新闻分类"
        list={list}
        rowKey="ntId"
        columns={columns}
        filters={<TextFilter name="ntName" label="分类名称" />}
        tools={
          <>
            <ExportButton to={newsTypeApi.exportList} list={list} />
            {add(true)}
          </>
        }
        rowActions={[edit, remove]}
        batchActions={[remove]}
        empty={{ text: '暂无新闻分类', hint: '新闻按分类展示。', next: add(false) }}
      />
      {shown === 'new' && (
        <DialogForm title="新增新闻分类" call={newsTypeApi.add} initial={{ ntSort: list.total }} onClose={close}>
          {fields}
        </DialogForm>
      )}
      {shown && shown !== 'new' && (
        <DialogForm
          title="编辑新闻分类"
          call={newsTypeApi.update}
          initial={{ ntId: shown.ntId, version: shown.version, ntName: shown.ntName, ntSort: shown.ntSort }}
          onClose={close}
        >
          {fields}
        </DialogForm>
      )}
    </>
  )
}
