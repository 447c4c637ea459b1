import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { collegeApi, collegeTypes } from '../../../contract/school/organisation/colleges.calls.ts'
import type { CollegeRow } from '../../../contract/school/organisation/organisation.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { NumberField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { enableTones } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { countColumn } from './count-column.tsx'

const action = actionOn<CollegeRow>()
const remove = action.remove({
  call: collegeApi.remove,
  unit: '个学院',
  input: (rows) => ({ collegeIdList: rows.map(({ scId }) => scId) }),
})

/** The colleges of the school, with what belongs to each. */
export function CollegeListPage() {
  const list = useList(collegeApi.list)
  const [editing, setEditing] = useState<Partial<CollegeRow>>()
  const edit = action.open({
    label: '编辑',
    call: collegeApi.save,
    fits: (row) => row.can.includes('edit'),
    onOpen: ([row]) => setEditing(row),
  })
  const columns: Column<CollegeRow>[] = [
    { title: '学院名称', dataIndex: 'scName', fixed: 'left', sorter: true, opens: edit },
    { title: '学院编码', dataIndex: 'scCode', width: 110, sorter: true },
    { title: '状态', dataIndex: 'enable', width: 90, dict: 'enable_status', tones: enableTones },
    { title: '简称', dataIndex: 'scShort', width: 110 },
    { title: '类型', dataIndex: 'scType', width: 80 },
    { title: '负责人', dataIndex: 'scLeader', width: 96 },
    { title: '联系电话', dataIndex: 'scPhone', width: 130, hiddenAtFirst: true },
    countColumn({
      title: '专业',
      dataIndex: 'majorCount',
      width: 76,
      list: '/personnelAdmin/professionalAdmin',
      filters: ({ scId }) => ({ scId }),
      of: ({ scName }) => scName,
    }),
    countColumn({
      title: '班级',
      dataIndex: 'classCount',
      width: 76,
      list: '/personnelAdmin/classAdmin',
      filters: ({ scId }) => ({ scId }),
      of: ({ scName }) => scName,
    }),
    countColumn({
      title: '学生',
      dataIndex: 'studentCount',
      width: 84,
      list: '/personnelAdmin/studentAdmin',
      filters: ({ scId }) => ({ suiCollegeId: scId }),
      of: ({ scName }) => scName,
    }),
    { title: '更新时间', dataIndex: 'updateTime', width: 168, hiddenAtFirst: true },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={collegeApi.save} primary={primary} icon={<PlusOutlined />} onClick={() => setEditing({})}>
      新增学院
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="学院管理"
        list={list}
        rowKey="scId"
        columns={columns}
        filters={
          <>
            <TextFilter name="scName" label="学院名称" />
            <TextFilter name="scCode" label="学院编码" />
            <DictionaryFilter name="enable" type="enable_status" label="状态" />
          </>
        }
        tools={
          <>
            <ExportButton to={collegeApi.exportList} list={list} />
            <ImportButton
              to={collegeApi.save}
              api={importApi}
              kind="college"
              title="批量导入学院"
              hint="按学院编码识别：已有的更新，没有的新增。"
            />
            {add(true)}
          </>
        }
        rowActions={[edit, remove]}
        batchActions={[remove]}
        empty={{ text: '暂无学院', hint: '专业、班级与学生都归属于学院，请先建立学院。', next: add(false) }}
      />
      {editing && (
        <DialogForm
          call={collegeApi.save}
          title={editing.scId ? '编辑学院' : '新增学院'}
          width={600}
          initial={editing}
          onClose={() => setEditing(undefined)}
        >
          <TextField name="scName" span={8} />
          <TextField name="scCode" span={4} />
          <TextField name="scShort" span={4} />
          <SelectField name="scType" span={4} options={collegeTypes.map((value) => ({ value, label: value }))} />
          <NumberField name="scSort" span={4} help="小的在前" />
          <TextField name="scLeader" span={4} />
          <TextField name="scPhone" span={4} />
          <SwitchField name="enable" span={4} onText="启用" offText="停用" />
        </DialogForm>
      )}
    </>
  )
}
