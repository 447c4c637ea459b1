import { figure } from '../../core/service/figure.ts'
import { Drawer } from 'antd'
import { useState } from 'react'
import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import { graduationApi, type GraduationBatch } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { GraduationRows } from './graduation-rows.tsx'

const action = actionOn<GraduationBatch>()

/** Takes a whole graduation back; whoever was changed since stays as they are and is named. */
export const undoGraduation = action({
  label: '撤销',
  call: graduationApi.undo,
  isDanger: true,
  fits: ({ can }) => can.includes('undo'),
  question: ([row]) => `确认撤销毕业批次 ${row!.gbNo}？`,
  confirm: ([row]) =>
    `${figure(row!.graduateCount)} 名毕业、${figure(row!.delayCount)} 名延期的学生将恢复原来的学籍状态和账号状态；此后已另行变更的不受影响，会逐一列出。`,
  ask: <AreaField name="reason" rows={3} placeholder="不少于 5 个字" />,
  input: ([row], { reason }) => ({ gbId: row!.gbId, reason: reason as string }),
  doneText: ({ affected }) => `已撤销，恢复 ${figure(affected)} 名学生`,
})

const columns: Column<GraduationBatch>[] = [
  { title: '批次号', dataIndex: 'gbNo', width: 148, fixed: 'left' },
  {
    title: '状态',
    dataIndex: 'gbStatus',
    width: 124,
    render: (value: string, { undoCount }) =>
      value === graduationStatus.undone ? (
        <StatusChip tone="draft">{`已撤销 ${figure(undoCount)} 人`}</StatusChip>
      ) : (
        <StatusChip tone="finished">已办理</StatusChip>
      ),
  },
  {
    title: '年级',
    dataIndex: 'grades',
    width: 112,
    render: (grades: string[]) => grades.map((grade) => `${grade}级`).join('、'),
  },
  {
    title: '毕业',
    dataIndex: 'graduateCount',
    width: 132,
    render: (count: number, { unmetGraduated }) => (
      <>
        {figure(count)} 人{unmetGraduated > 0 && <small className="nothing">（未达标 {figure(unmetGraduated)}）</small>}
      </>
    ),
  },
  { title: '延期', dataIndex: 'delayCount', width: 72, render: (count: number) => `${figure(count)} 人` },
  { title: '办理人', dataIndex: 'createName', width: 104 },
  {
    title: '办理时间',
    dataIndex: 'doneTime',
    width: 144,
    render: (time: string) => <span className="figures">{time.slice(0, 16)}</span>,
  },
  { title: '撤销', dataIndex: 'undoTime', width: 152, render: (_, row) => <Undoing batch={row} /> },
  {
    title: '学院',
    dataIndex: 'colleges',
    render: (colleges: string[]) => (colleges.length === 0 ? '全部学院' : colleges.join('、')),
  },
  { title: '说明', dataIndex: 'reason', width: 160, hiddenAtFirst: true },
]

/** Who took it back, or until when it can be. */
function Undoing({ batch: { undoTime, undoName, undoUntil, can } }: { batch: GraduationBatch }) {
  if (undoTime)
    return (
      <span title={undoTime}>
        {undoName} {undoTime.slice(5, 10)}
      </span>
    )
  return <span className="nothing">{can.includes('undo') ? `${undoUntil.slice(0, 10)} 前可撤销` : '已过期限'}</span>
}

/** Every graduation that was carried out: who, when, how many, and taking it back. */
export function GraduationBatches() {
  const list = useList(graduationApi.batches, { under: 'batches' })
  const isPhone = useIsPhone()
  const [shown, setShown] = useState<GraduationBatch>()
  const [isOpen, setOpen] = useState(false)
  const look = action.open({
    label: '名单',
    call: graduationApi.rows,
    onOpen: ([row]) => {
      setShown(row)
      setOpen(true)
    },
  })
  return (
    <>
      <ListTable
        name="batches"
        list={list}
        rowKey="gbId"
        columns={columns}
        rowActions={[look, undoGraduation]}
        empty={{ text: '还没有办理过毕业', hint: '按年级办理后，每次的名单和结果会列在这里，30 天内可以撤销。' }}
      />
      <Drawer
        open={isOpen}
        onClose={() => setOpen(false)}
        afterOpenChange={(open) => !open && setShown(undefined)}
        size={isPhone ? '100%' : 1080}
        title={`毕业批次 ${shown?.gbNo ?? ''}`}
        className="list-drawer"
      >
        {shown && (
          <GraduationRows gbId={shown.gbId} of={shown.gbStatus === graduationStatus.undone ? 'undone' : 'done'} />
        )}
      </Drawer>
    </>
  )
}
