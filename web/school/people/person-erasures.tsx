import { Link } from 'react-router'
import { personType } from '../../../contract/core/codes/school.ts'
import { personErasureApi, type ErasedPerson } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList } from '../../core/list/use-list.ts'
import { studentPaths, teacherPaths } from './people-paths.ts'

const pathsOf = ({ suiType }: ErasedPerson) => (suiType === personType.student ? studentPaths : teacherPaths)

const columns: Column<ErasedPerson>[] = [
  {
    title: '现显示为',
    dataIndex: 'suiName',
    width: 152,
    fixed: 'left',
    render: (name: string, row) => <Link to={pathsOf(row).detail(row.suId)}>{name}</Link>,
  },
  {
    title: '类别',
    dataIndex: 'suiType',
    width: 96,
    render: (type: string) => (type === personType.student ? '学生' : '教职工'),
  },
  {
    title: '删除时间',
    dataIndex: 'createTime',
    width: 144,
    render: (time: string) => <span className="figures">{time.slice(0, 16)}</span>,
  },
  { title: '办理人', dataIndex: 'createName', width: 104 },
  { title: '原因', dataIndex: 'reason' },
]

/** Whose data were erased because they asked for it: when, by whom and why. */
export function PersonErasures() {
  const list = useList(personErasureApi.list, { under: 'erased' })
  return (
    <ListTable
      name="erased"
      list={list}
      rowKey="suId"
      columns={columns}
      empty={{
        text: '没有按申请删除的人员',
        hint: '本人要求删除个人信息的，在其学生详情或教师详情的“更多”中办理。',
      }}
    />
  )
}
