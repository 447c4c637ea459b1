import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useMemo, useState } from 'react'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'

type Term = RowOf<typeof schoolInfoApi.terms>

const action = actionOn<Term>()
const phases: Record<Term['phase'], [ChipTone, string]> = {
  now: ['published', '进行中'],
  coming: ['waiting', '未开始'],
  past: ['finished', '已结束'],
}
const weeksOf = ({ tmStart, tmEnd }: Term): number =>
  Math.ceil(((Date.parse(tmEnd) - Date.parse(tmStart)) / 86_400_000 + 1) / 7)

const columns: Column<Term>[] = [
  { title: '学期', dataIndex: 'tmName', fixed: 'left' },
  { title: '开始日期', dataIndex: 'tmStart', width: 130 },
  { title: '结束日期', dataIndex: 'tmEnd', width: 130 },
  { title: '周数', key: 'weeks', width: 80, number: true, render: (_, row) => weeksOf(row) },
  { title: '课程数', dataIndex: 'lessonCount', width: 90, number: true },
  {
    title: '状态',
    dataIndex: 'phase',
    width: 110,
    render: (phase: Term['phase']) => <StatusChip tone={phases[phase][0]}>{phases[phase][1]}</StatusChip>,
  },
]
const remove = action.remove({
  call: schoolInfoApi.removeTerms,
  input: (rows) => ({ tmIds: rows.map(({ tmId }) => tmId) }),
  unit: '个学期',
  confirm: (rows) =>
    rows.some(({ lessonCount }) => lessonCount > 0)
      ? '该学期内已有课程，系统将拒绝删除。'
      : '删除后，这段日期按“规则设置”中的学期划分归属。',
})

/** The terms of the school. Days in none of them are divided by the semester cut of the rules. */
export function TermsTab() {
  const list = useList(schoolInfoApi.terms, { under: 'terms' })
  const [editing, setEditing] = useState<{ term?: Term }>()
  const edit = action.open({
    label: '编辑',
    call: schoolInfoApi.saveTerm,
    fits: ({ can }) => can.includes('edit'),
    onOpen: ([term]) => setEditing({ term: term! }),
  })
  return (
    <>
      <div className="school-bar">
        <p className="school-note">
          “本学期”、同一学期内课程不重名等都以这里为准；未设置学期的日期，按“规则设置”中的学期划分。
        </p>
        <ActionButton to={schoolInfoApi.saveTerm} primary icon={<PlusOutlined />} onClick={() => setEditing({})}>
          新增学期
        </ActionButton>
      </div>
      <ListTable
        list={list}
        rowKey="tmId"
        columns={columns}
        rowActions={[edit, remove]}
        name="terms"
        empty={{ text: '暂无学期', hint: '新增学期后，统计与筛选中的“本学期”即以学期为准。' }}
      />
      {editing && <TermDialog {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

function TermDialog({ term, onClose }: { term?: Term; onClose: () => void }) {
  const initial = useMemo(() => (term ? { ...term } : {}), [term])
  return (
    <DialogForm
      call={schoolInfoApi.saveTerm}
      title={term ? '编辑学期' : '新增学期'}
      initial={initial}
      onClose={onClose}
    >
      <TextField name="tmName" placeholder="例如：2026-2027学年第一学期" />
      <DateTimeRangeField names={['tmStart', 'tmEnd']} label="起止日期" by="day" required help="各学期的日期不能重叠" />
    </DialogForm>
  )
}
