import { quoted } from '../../../contract/core/quotes.ts'
import { signStatus } from '../../../contract/core/codes/programme.ts'
import { noShowApi, type NoShow } from '../../../contract/programme/lessons/no-shows.calls.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { DictionaryChip, StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { LessonName } from './lesson-name.tsx'
import '../../shared/people/student-actions.css'
import { figure } from '../../core/service/figure.ts'

const columns: Column<NoShow>[] = [
  { title: '课程名称', dataIndex: 'liName', render: (_, row) => <LessonName lesson={row} /> },
  {
    title: '出勤',
    dataIndex: 'laSignStatus',
    width: 84,
    render: (value: string) => (
      <DictionaryChip
        type="sign_status"
        value={value}
        tones={{
          [signStatus.absent]: 'refused',
          [signStatus.leftEarly]: 'waiting',
          [signStatus.signedIn]: 'finished',
          [signStatus.signedOut]: 'finished',
          [signStatus.madeUp]: 'finished',
        }}
      />
    ),
  },
  { title: '诚信分', dataIndex: 'credibilityChange', width: 136, render: (_, row) => <Taken row={row} /> },
  {
    title: '活动时间',
    dataIndex: 'startTime',
    width: 148,
    render: (time: string) => <span className="figures">{time.slice(0, 16)}</span>,
  },
  { title: '课程体系', dataIndex: 'lsName', width: 168 },
  { title: '级别', dataIndex: 'liLevelName', width: 104 },
  { title: '原因', dataIndex: 'reason', width: 220 },
]

/** What the course took, and what became of it. */
function Taken({ row: { credibilityChange, restored, liStatus } }: { row: NoShow }) {
  if (credibilityChange === null)
    return <span className="nothing">{Number(liStatus) < 70 ? '课程完成后扣除' : '未扣分'}</span>
  return (
    <span className="entry-kind">
      <b className={credibilityChange < 0 ? 'points-lost' : ''}>{credibilityChange}</b>
      {restored && <StatusChip tone="finished">已恢复</StatusChip>}
    </span>
  )
}

const action = actionOn<NoShow>()
const restore = action({
  label: '恢复',
  call: credibilityApi.restore,
  unit: '门课程',
  fits: ({ can }) => can.includes('restore'),
  question: (rows) =>
    rows.length === 1
      ? `确认恢复${quoted(rows[0]!.liName)}扣除的诚信分？`
      : `确认恢复所选 ${rows.length} 门课程扣除的诚信分？`,
  confirm: '每条只能恢复一次，恢复后不超过最高分。',
  ask: <AreaField name="reason" label="恢复原因" rows={3} placeholder="不少于 5 个字，学生会看到" />,
  input: (rows, { reason }) => ({ cgIds: rows.flatMap(({ cgIds }) => cgIds), reason: reason as string }),
  doneText: ({ points }) => `已恢复 ${figure(points)} 分`,
})

/**
 * The courses a student did not keep their word in, what it cost them, and giving it back.
 *
 * @param under the name under which the list stands in the address; none in a drawer
 */
export function NoShowsTab({ suId, under }: { suId: string; under?: string }) {
  const list = useList(noShowApi.list, { fixed: { suId }, ...(under ? { under } : { keep: 'memory' }) })
  return (
    <div className="tab-list">
      <ListTable
        name="break-lessons"
        list={list}
        rowKey="liId"
        columns={columns}
        rowActions={[restore]}
        batchActions={[restore]}
        empty={{ text: '没有爽约记录', hint: '录取后缺席或早退的课程会列在这里。' }}
      />
    </div>
  )
}
