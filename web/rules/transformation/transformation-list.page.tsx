import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { enableTones } from '../../core/parts/status-chip.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { TransformationDialog } from './transformation-dialog.tsx'

type Row = RowOf<typeof transformationApi.all>
const action = actionOn<Row>()
const remove = action.remove({
  call: transformationApi.remove,
  unit: '条转换规则',
  confirm: '删除后，成绩单不再显示按该规则折算的结果；学生台账中的学时与学分不受影响。',
  input: (rows) => ({ trIds: rows.map(({ trId }) => trId) }),
})

/** Conversion rules: what hours, credit, points or volunteer hours amount to on the transcript. */
export function TransformationListPage() {
  const list = useList(transformationApi.all)
  const [editing, setEditing] = useState<{ trId?: string; copy?: boolean }>()
  const edit = action.open({
    label: '编辑',
    call: transformationApi.edit,
    fits: (row) => row.can.includes('edit'),
    onOpen: ([row]) => setEditing({ trId: row!.trId }),
  })
  const copy = action.open({
    label: '复制',
    call: transformationApi.add,
    onOpen: ([row]) => setEditing({ trId: row!.trId, copy: true }),
  })
  const columns: Column<Row>[] = [
    { title: '规则名称', dataIndex: 'trName', width: 200, fixed: 'left', sorter: true, opens: edit },
    { title: '状态', dataIndex: 'enable', width: 84, sorter: true, dict: 'enable_status', tones: enableTones },
    { title: '来源', dataIndex: 'fromType', width: 96, sorter: true, dict: 'convert_from' },
    { title: '折算为', dataIndex: 'toType', width: 92, sorter: true, dict: 'convert_to' },
    { title: '规则', dataIndex: 'text' },
    {
      title: '课程体系',
      dataIndex: 'scopeLsNames',
      width: 150,
      render: (names: string[]) => names.join('、') || '全部',
    },
    { title: '年级', dataIndex: 'scopeGrades', width: 110, render: (grades: string[]) => grades.join('、') || '全部' },
    {
      title: '生效学期',
      dataIndex: 'effectTermName',
      width: 150,
      hiddenAtFirst: true,
      render: (name: string) => name || '不限',
    },
    { title: '更新时间', dataIndex: 'updateTime', width: 168, sorter: true, hiddenAtFirst: true },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={transformationApi.add} primary={primary} icon={<PlusOutlined />} onClick={() => setEditing({})}>
      新增转换规则
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="转换规则"
        facts="把学时、学分、积分或志愿时长折算成成绩单上的学分、成绩或星级"
        list={list}
        rowKey="trId"
        nameOf={({ trName }) => trName}
        columns={columns}
        filters={
          <>
            <TextFilter name="trName" label="规则名称" />
            <DictionaryFilter name="fromType" type="convert_from" label="来源" />
            <DictionaryFilter name="toType" type="convert_to" label="折算为" />
            <DictionaryFilter name="enable" type="enable_status" label="状态" />
          </>
        }
        tools={
          <>
            <ExportButton to={transformationApi.exportList} list={list} />
            {add(true)}
          </>
        }
        rowActions={[edit, copy, remove]}
        batchActions={[remove]}
        empty={{
          text: '暂无转换规则',
          hint: '例如：累计 30 学时计 80 分，40 学时计 90 分，50 学时计 100 分。',
          next: add(false),
        }}
      />
      {editing && <TransformationDialog {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}
