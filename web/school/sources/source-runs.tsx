import { Drawer, Table } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { sourceApi, type SourceRow, type SourceRun } from '../../../contract/school/sources/sources.calls.ts'
import { sourceRunStatus } from '../../../contract/core/codes/school.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList } from '../../core/list/use-list.ts'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { figure } from '../../core/service/figure.ts'
import { useCall } from '../../core/service/use-call.ts'
import { runTones } from './run-tones.ts'
import './sources.css'

const action = actionOn<SourceRun>()
const accept = action({
  label: '确认同步',
  call: sourceApi.accept,
  fits: ({ can }) => can.includes('accept'),
  question: ([run]) => `确认写入新增 ${figure(run!.counts.new)} 条、修改 ${figure(run!.counts.update)} 条？`,
  confirm: ([run]) =>
    run!.counts.leavers > 0 ? `另有 ${figure(run!.counts.leavers)} 名学生按设置变更学籍状态。` : run!.fault,
  input: ([run]) => ({ runId: run!.runId }),
  doneText: () => '已开始写入',
})
const discard = action({
  label: '放弃',
  call: sourceApi.discard,
  fits: ({ can }) => can.includes('discard'),
  question: () => '确认放弃这次同步？',
  confirm: '不改动任何记录，下次按计划重新取数。',
  input: ([run]) => ({ runId: run!.runId }),
  doneText: () => '已放弃',
})
const undo = action({
  label: '撤销',
  call: sourceApi.undo,
  fits: ({ can }) => can.includes('undo'),
  question: () => '确认撤销这次同步？',
  confirm: '新增的记录将删除，修改的恢复原样；已被后续业务使用的不能撤销。',
  input: ([run]) => ({ runId: run!.runId }),
  doneText: () => '已开始撤销',
})

const columns: Column<SourceRun>[] = [
  { title: '开始时间', dataIndex: 'startTime', width: 168 },
  {
    title: '结果',
    dataIndex: 'runStatus',
    width: 116,
    render: (value: string) => <DictionaryChip type="source_run_status" value={value} tones={runTones} />,
  },
  { title: '新增', key: 'new', width: 72, number: true, render: (_, { counts }) => figure(counts.new) },
  { title: '修改', key: 'update', width: 72, number: true, render: (_, { counts }) => figure(counts.update) },
  { title: '未变', key: 'same', width: 84, number: true, render: (_, { counts }) => figure(counts.same) },
  {
    title: '未写入',
    key: 'fault',
    width: 84,
    number: true,
    render: (_, { counts }) => figure(counts.fault + counts.conflict),
  },
  { title: '不再出现', key: 'leavers', width: 96, number: true, render: (_, { counts }) => figure(counts.leavers) },
  { title: '说明', dataIndex: 'fault' },
]

/** Every run of a source, what each did row by row, and what can be decided about it. */
export function SourceRunsDrawer({ source, onClose }: { source: SourceRow; onClose: () => void }) {
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(true)
  const list = useList(sourceApi.runs, {
    fixed: { isId: source.isId },
    keep: 'memory',
    refetchInterval: (rows) => rows.some(({ runStatus }) => runStatus === sourceRunStatus.running) && lookAgainMs,
  })
  return (
    <Drawer
      open={isOpen}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
      size={isPhone ? '100%' : 1080}
      title={`${quoted(source.isName)}的同步记录`}
      className="list-drawer"
    >
      <ListTable
        name="source-runs"
        list={list}
        rowKey="runId"
        columns={columns}
        rowActions={[accept, discard, undo]}
        nameOf={({ startTime }) => startTime}
        expand={(run) => <RunRows run={run} />}
        empty={{ text: '尚未同步过', hint: '点“立即同步”试一次；改动超过上限时会先停下，由您确认。' }}
      />
    </Drawer>
  )
}

const shown = 50
/** Milliseconds between looks while a run is going on. */
const lookAgainMs = 2000

/** The rows of a run that changed something or could not be written, and who left. */
function RunRows({ run: { runId, counts, fault } }: { run: SourceRun }) {
  const { data } = useCall(sourceApi.rows, { runId, pageSize: shown })
  const { data: left } = useCall(sourceApi.leavers, { runId, pageSize: shown }, { enabled: counts.leavers > 0 })
  const rows = data?.records ?? []
  const [number, name] = data?.columns ?? []
  return (
    <div className="source-rows">
      {fault && <p>{fault}</p>}
      <Table
        size="small"
        rowKey="rowNo"
        loading={!data}
        pagination={false}
        dataSource={rows}
        scroll={{ y: 320 }}
        locale={{ emptyText: '没有明细：数据无变化，或明细已按保存期限清理' }}
        columns={[
          { title: '行号', dataIndex: 'rowNo', width: 72 },
          { title: '结论', dataIndex: 'verdict', width: 84, render: (value: string) => verdictWords[value] ?? value },
          ...[number, name].flatMap((column) =>
            column
              ? [
                  {
                    title: column.label,
                    key: column.key,
                    width: 160,
                    render: (_: unknown, row: (typeof rows)[number]) => row.cells[column.key],
                  },
                ]
              : [],
          ),
          {
            title: '变化或原因',
            key: 'why',
            render: (_, { changes, faults }) =>
              [
                ...changes.map(({ label, from, to }) => `${label}：${from || '空'} → ${to || '空'}`),
                ...faults.map(({ msg }) => msg),
              ].join('；'),
          },
        ]}
      />
      {(data?.total ?? 0) > shown && <p className="form-hint">{`共 ${figure(data!.total)} 行，显示前 ${shown} 行`}</p>}
      {left && left.total > 0 && (
        <p>
          {`来源中不再出现（${figure(left.total)} 名）：`}
          {left.records.map(({ suiName, suiNumber }) => `${suiName}（${suiNumber}）`).join('、')}
          {left.total > shown && ' 等'}
        </p>
      )}
    </div>
  )
}

const verdictWords: Record<string, string> = {
  new: '新增',
  update: '修改',
  same: '未变',
  conflict: '冲突',
  fault: '有误',
  skip: '跳过',
}
