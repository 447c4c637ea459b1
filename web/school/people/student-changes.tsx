import { studentApi } from '../../../contract/school/people/students.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import './people.css'

type Change = RowOf<typeof studentApi.changes>

const columns: Column<Change>[] = [
  { title: '异动', dataIndex: 'changeKind', fixed: 'left', width: 108, dict: 'student_change_kind' },
  { title: '异动前', dataIndex: 'wasState', width: 240, render: (_, row) => <Side of={row} side="wasState" /> },
  { title: '异动后', dataIndex: 'newState', width: 240, render: (_, row) => <Side of={row} side="newState" /> },
  { title: '来由', dataIndex: 'changeCause', width: 96, dict: 'student_change_cause' },
  { title: '经办人', dataIndex: 'operatorName', width: 104 },
  {
    title: '时间',
    dataIndex: 'createTime',
    width: 148,
    render: (time: string) => <span className="figures">{time.slice(0, 16)}</span>,
  },
]

/** What differs between before and after, on one of the two sides. */
function differing({ wasState: was, newState: now }: Change, side: 'wasState' | 'newState'): string {
  const state = side === 'wasState' ? was : now
  const parts = [
    was.collegeId !== now.collegeId && state.college,
    was.majorId !== now.majorId && state.major,
    was.classId !== now.classId && state.class,
    was.grade !== now.grade && state.grade && `${state.grade}级`,
    was.status !== now.status && labelOf('student_status', state.status),
  ]
  return parts.filter(Boolean).join(' · ') || '无'
}

/** Long names of colleges and classes go on in the next line: what was cut off would be what matters. */
const Side = ({ of, side }: { of: Change; side: 'wasState' | 'newState' }) => (
  <span className="student-change">{differing(of, side)}</span>
)

/** Transfers, leaves, returns and departures of a student. */
export function StudentChanges({ suId }: { suId: string }) {
  const list = useList(studentApi.changes, { fixed: { suId }, under: 'changes' })
  return (
    <ListTable
      list={list}
      rowKey="chId"
      name="changes"
      columns={columns}
      empty={{ text: '没有学籍异动', hint: '转院、转专业、转班、休学、复学、毕业等变动会自动记在这里。' }}
    />
  )
}
