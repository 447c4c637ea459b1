import { credibilityApi, type CredibilityEntry } from '../../../contract/school/people/credibility.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryText } from '../../core/parts/dictionary-text.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { RecordActions } from '../../core/action/record-actions.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList } from '../../core/list/use-list.ts'
import { adjustCredibility, liftBlacklist } from './credibility-actions.tsx'
import { LessonName } from './lesson-name.tsx'
import '../../shared/people/student-actions.css'
import { figure } from '../../core/service/figure.ts'

const signed = (points: number): string => (points > 0 ? `+${points}` : String(points))

const columns: Column<CredibilityEntry>[] = [
  {
    title: '时间',
    dataIndex: 'createTime',
    width: 148,
    render: (time: string) => <span className="figures">{time.slice(0, 16)}</span>,
  },
  {
    title: '变动',
    dataIndex: 'change',
    width: 72,
    number: true,
    render: (points: number) => (
      <b className={points < 0 ? 'points-lost' : points > 0 ? 'points-gained' : ''}>{signed(points)}</b>
    ),
  },
  { title: '变动后', dataIndex: 'after', width: 76, number: true },
  {
    title: '类别',
    dataIndex: 'reasonCode',
    width: 156,
    render: (code: string, { restored }) => (
      <span className="entry-kind">
        <DictionaryText type="credibility_reason" value={code} />
        {restored && <StatusChip tone="finished">已恢复</StatusChip>}
      </span>
    ),
  },
  { title: '原因', dataIndex: 'reason' },
  {
    title: '相关课程',
    dataIndex: 'liName',
    width: 200,
    render: (liName: string, { liId, opens }) => liId && <LessonName lesson={{ liId, liName, opens }} />,
  },
  { title: '操作人', dataIndex: 'operatorName', width: 108 },
]

const action = actionOn<CredibilityEntry>()
const restore = action({
  label: '恢复',
  call: credibilityApi.restore,
  unit: '条扣分',
  fits: ({ can }) => can.includes('restore'),
  question: (rows) =>
    rows.length === 1
      ? `确认恢复 ${rows[0]!.createTime.slice(0, 10)} 扣除的 ${-rows[0]!.change} 分？`
      : `确认恢复所选 ${rows.length} 条扣分，共 ${-rows.reduce((sum, { change }) => sum + change, 0)} 分？`,
  confirm: '每条只能恢复一次，恢复后不超过最高分。',
  ask: <AreaField name="reason" label="恢复原因" rows={3} placeholder="不少于 5 个字，学生会看到" />,
  input: (rows, { reason }) => ({ cgIds: rows.map(({ cgId }) => cgId), reason: reason as string }),
  doneText: ({ points }) => `已恢复 ${figure(points)} 分`,
})

/** A student's credibility: where they stand, every change with what it led to, and giving back what was taken. */
export function CredibilityTab({ suId }: { suId: string }) {
  const list = useList(credibilityApi.log, { fixed: { suId }, under: 'credibility' })
  const { data: standing } = useCall(credibilityApi.standing, { suId })
  const absences =
    standing && standing.absencesPerBan > 0
      ? `缺席或签到后被移除 ${standing.absences} 次，每 ${standing.absencesPerBan} 次暂停报名`
      : standing && `缺席或签到后被移除 ${standing.absences} 次`
  return (
    <div className="tab-list">
      <div className="tab-list-head">
        <p>
          <span>
            当前诚信分 <b className="figures">{standing?.suiCredibility ?? '—'}</b>
            {standing && <small> / {standing.max}</small>}
          </span>
          <span className="nothing">{absences}</span>
          {standing?.blackUntil && (
            <StatusChip tone="refused">{`暂停报名至 ${standing.blackUntil.slice(0, 16)}`}</StatusChip>
          )}
        </p>
        {standing && (
          <div className="tab-list-tools">
            <RecordActions
              record={{ suId, suiName: '该学生', can: standing.can }}
              actions={[adjustCredibility, liftBlacklist]}
              name={({ suiName }) => suiName}
            />
          </div>
        )}
      </div>
      <ListTable
        name="credibility"
        list={list}
        rowKey="cgId"
        nameOf={({ reason }) => reason}
        columns={columns}
        rowActions={[restore]}
        batchActions={[restore]}
        empty={{ text: '诚信分没有变动过', hint: '缺席、早退会扣分，按时签到和参加校级及以上课程会加分。' }}
      />
    </div>
  )
}
