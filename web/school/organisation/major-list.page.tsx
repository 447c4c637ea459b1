import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import type { MajorRow } from '../../../contract/school/organisation/organisation.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryField, NumberField, TextField } from '../../core/form/fields.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { countColumn } from './count-column.tsx'
import { CollegeField, CollegeFilter } from '../../shared/organisation/places.tsx'

const action = actionOn<MajorRow>()
const remove = action.remove({
  call: majorApi.remove,
  unit: '个专业',
  input: (rows) => ({ ids: rows.map(({ smId }) => smId) }),
})

/** The majors of the colleges. */
export function MajorListPage() {
  const list = useList(majorApi.list)
  const [editing, setEditing] = useState<Partial<MajorRow>>()
  const edit = action.open({
    label: '编辑',
    call: majorApi.save,
    fits: (row) => row.can.includes('edit'),
    onOpen: ([row]) => setEditing(row),
  })
  const columns: Column<MajorRow>[] = [
    { title: '专业名称', dataIndex: 'smName', fixed: 'left', sorter: true, opens: edit },
    { title: '专业代码', dataIndex: 'smCode', width: 120, sorter: true },
    { title: '所属学院', dataIndex: 'scName', width: 220 },
    { title: '层次', dataIndex: 'eduLevel', width: 84, dict: 'edu_level' },
    { title: '学制', dataIndex: 'years', width: 84, render: (years: number) => `${years} 年` },
    countColumn({
      title: '班级',
      dataIndex: 'classCount',
      width: 84,
      list: '/personnelAdmin/classAdmin',
      filters: ({ scId, smId }) => ({ scId, smId }),
      of: ({ smName }) => smName,
    }),
    countColumn({
      title: '学生',
      dataIndex: 'studentCount',
      width: 84,
      list: '/personnelAdmin/studentAdmin',
      filters: ({ scId, smId }) => ({ suiCollegeId: scId, majorId: smId }),
      of: ({ smName }) => smName,
    }),
    { title: '更新时间', dataIndex: 'updateTime', width: 168 },
  ]
  const add = (primary: boolean) => (
    <ActionButton
      to={majorApi.save}
      primary={primary}
      icon={<PlusOutlined />}
      onClick={() => setEditing({ ...(list.state.filters['scId'] && { scId: list.state.filters['scId'] }) })}
    >
      新增专业
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="专业管理"
        list={list}
        rowKey="smId"
        columns={columns}
        filters={
          <>
            <TextFilter name="smName" label="专业名称" />
            <TextFilter name="smCode" label="专业代码" />
            <CollegeFilter names={{ college: 'scId' }} under="major:list" />
            <DictionaryFilter name="eduLevel" type="edu_level" label="层次" />
          </>
        }
        tools={
          <>
            <ExportButton to={majorApi.exportList} list={list} />
            <ImportButton
              to={majorApi.save}
              api={importApi}
              kind="major"
              title="批量导入专业"
              hint="按专业代码识别：已有的更新，没有的新增。"
            />
            {add(true)}
          </>
        }
        rowActions={[edit, remove]}
        batchActions={[remove]}
        empty={{ text: '暂无专业', hint: '班级归属于专业，请先建立专业。', next: add(false) }}
      />
      {editing && (
        <DialogForm
          call={majorApi.save}
          title={editing.smId ? '编辑专业' : '新增专业'}
          width={600}
          initial={editing}
          onClose={() => setEditing(undefined)}
        >
          <TextField name="smName" span={8} />
          <TextField name="smCode" span={4} />
          <CollegeField
            name="scId"
            span={12}
            under="major:edit"
            {...(editing.smId && { help: '改换学院时，其班级与学生一并转入新学院' })}
          />
          <DictionaryField name="eduLevel" type="edu_level" span={4} />
          <NumberField name="years" span={4} unit="年" />
          <NumberField name="scSort" span={4} help="小的在前" />
        </DialogForm>
      )}
    </>
  )
}
