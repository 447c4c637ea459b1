import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { circleApi, type CircleMember } from '../../../contract/programme/circles/circles.calls.ts'
import type { CircleDetail } from '../../../contract/programme/circles/circles.schema.ts'
import { circleMemberRole } from '../../../contract/core/codes/programme.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { dictionary } from '../../../contract/core/dictionary.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectField } from '../../core/form/fields.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { useList } from '../../core/list/use-list.ts'
import { MembersField } from './circle-people.tsx'

const action = actionOn<CircleMember>()
const unit = '名成员'
/** 会长 goes with being in charge and is not given here. */
const offices = choicesOf(dictionary.circle_member_role.filter(([value]) => value !== circleMemberRole.president))

/** The members of a circle, officers first. */
export function CircleMembers({ circle: { ciId, cpiPersonId, can } }: { circle: CircleDetail }) {
  const list = useList(circleApi.members, { fixed: { ciId }, under: 'members' })
  const maySee = usePermission()(studentApi.detail)
  const [isAdding, setAdding] = useState(false)
  const isOthers = ({ suId }: CircleMember) => suId !== cpiPersonId
  const setRole = action({
    label: '设置职务',
    call: circleApi.setRole,
    unit,
    fits: isOthers,
    ask: <SelectField name="cmRole" options={offices} />,
    input: (rows, { cmRole }) => ({ ciId, suIds: rows.map(({ suId }) => suId), cmRole: cmRole as '2' }),
  })
  const remove = action({
    label: '移出',
    call: circleApi.removeMembers,
    unit,
    isDanger: true,
    fits: isOthers,
    confirm: '移出后不再是该圈子的成员，可以重新加入。',
    input: (rows) => ({ ciId, suIds: rows.map(({ suId }) => suId) }),
  })
  const columns: Column<CircleMember>[] = [
    {
      title: '姓名',
      dataIndex: 'suiName',
      width: 120,
      fixed: 'left',
      sorter: true,
      to: ({ suId }) => maySee && `/personnelAdmin/studentAdmin/detail?suId=${suId}`,
    },
    { title: '学号', dataIndex: 'suiNumber', width: 140, sorter: true },
    {
      title: '职务',
      dataIndex: 'cmRole',
      width: 110,
      sorter: true,
      render: (value: string, { suId }) =>
        suId === cpiPersonId ? (
          <StatusChip tone="published">负责人</StatusChip>
        ) : (
          (offices.find((one) => one.value === value)?.label ?? '会长')
        ),
    },
    { title: '学院', dataIndex: 'collegeName' },
    { title: '班级', dataIndex: 'className', width: 180 },
    { title: '加入时间', dataIndex: 'joinTime', width: 152, sorter: true, render: (time: string) => time.slice(0, 16) },
  ]
  const mayEdit = can.includes('edit')
  return (
    <>
      <div className="circle-tools">
        <ExportButton to={circleApi.exportMembers} list={list} />
        {mayEdit && (
          <ImportButton to={circleApi.addMembers} api={importApi} kind="circleMember" title="批量导入圈子成员">
            导入成员
          </ImportButton>
        )}
        {mayEdit && (
          <ActionButton to={circleApi.addMembers} icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            添加成员
          </ActionButton>
        )}
      </div>
      <ListTable
        name="members"
        list={list}
        rowKey="suId"
        columns={columns}
        filters={
          <>
            <TextFilter name="numberOrName" label="姓名或学号" />
            <DictionaryFilter name="cmRole" type="circle_member_role" label="职务" />
          </>
        }
        rowActions={mayEdit ? [setRole, remove] : []}
        batchActions={mayEdit ? [setRole, remove] : []}
        empty={{ text: '暂无成员' }}
      />
      {isAdding && (
        <DialogForm
          title="添加成员"
          call={circleApi.addMembers}
          initial={{ ciId, suIds: [] }}
          doneText="已添加成员"
          submitText="添加"
          onClose={() => setAdding(false)}
        >
          <MembersField name="suIds" />
        </DialogForm>
      )}
    </>
  )
}
