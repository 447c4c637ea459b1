import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useMemo, useState } from 'react'
import { planCalendarApi } from '../../../contract/school/school/plan-calendar.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { TextField } from '../../core/form/fields.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'

type ExamWeek = RowOf<typeof planCalendarApi.examWeeks>

const action = actionOn<ExamWeek>()
const columns: Column<ExamWeek>[] = [
  { title: '名称', dataIndex: 'ewName', fixed: 'left' },
  { title: '开始日期', dataIndex: 'ewStart', width: 130 },
  { title: '结束日期', dataIndex: 'ewEnd', width: 130 },
]
const remove = action.remove({
  call: planCalendarApi.removeExamWeeks,
  input: (rows) => ({ ewIds: rows.map(({ ewId }) => ewId) }),
  unit: '段考试周',
  confirm: '删除后，安排在这些日期的课程不再有提示。',
})

/** The exam weeks of the school: plans of courses that overlap them are pointed out. */
export function ExamWeeksTab() {
  const list = useList(planCalendarApi.examWeeks, { under: 'exams' })
  const [editing, setEditing] = useState<{ examWeek?: ExamWeek }>()
  const edit = action.open({
    label: '编辑',
    call: planCalendarApi.saveExamWeek,
    fits: ({ can }) => can.includes('edit'),
    onOpen: ([examWeek]) => setEditing({ examWeek: examWeek! }),
  })
  return (
    <>
      <div className="school-bar">
        <p className="school-note">课程安排在考试周时，申报人与审批人会看到提示，不影响提交。</p>
        <ActionButton to={planCalendarApi.saveExamWeek} primary icon={<PlusOutlined />} onClick={() => setEditing({})}>
          新增考试周
        </ActionButton>
      </div>
      <ListTable
        list={list}
        rowKey="ewId"
        columns={columns}
        rowActions={[edit, remove]}
        name="exam-weeks"
        empty={{ text: '暂无考试周', hint: '按校历录入期中、期末考试周。' }}
      />
      {editing && <ExamWeekDialog {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

function ExamWeekDialog({ examWeek, onClose }: { examWeek?: ExamWeek; onClose: () => void }) {
  const initial = useMemo(() => (examWeek ? { ...examWeek } : {}), [examWeek])
  return (
    <DialogForm
      call={planCalendarApi.saveExamWeek}
      title={examWeek ? '编辑考试周' : '新增考试周'}
      initial={initial}
      onClose={onClose}
    >
      <TextField name="ewName" placeholder="例如：秋季学期期末考试周" />
      <DateTimeRangeField names={['ewStart', 'ewEnd']} label="起止日期" by="day" required />
    </DialogForm>
  )
}
