import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { sourceRunStatus, sourceWay } from '../../../contract/core/codes/school.ts'
import { sourceApi, type SourceRow } from '../../../contract/school/sources/sources.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { usePreviewedRow } from '../../core/list/use-previewed-row.ts'
import { useList } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { DictionaryChip, StatusChip } from '../../core/parts/status-chip.tsx'
import { runTones } from './run-tones.ts'
import { SourceDialog } from './source-dialog.tsx'
import { SourceRunsDrawer } from './source-runs.tsx'
import { TrustHostButton } from './trust-host.tsx'
import { TestStepsDialog } from '../../shared/integration/test-steps.tsx'

const action = actionOn<SourceRow>()
const run = action({
  label: '立即同步',
  call: sourceApi.run,
  fits: ({ can }) => can.includes('run'),
  confirm: false,
  input: ([row]) => ({ isId: row!.isId }),
  doneText: () => '已开始同步，结果稍后显示在“最近一次”中',
})
const remove = action.remove({
  call: sourceApi.remove,
  unit: '个数据来源',
  input: (rows) => ({ ids: rows.map(({ isId }) => isId) }),
  confirm: '同步记录一并删除；已经同步来的人员与组织不受影响。',
})

/** Milliseconds between looks while a run is going on. */
const lookAgainMs = 3000

/** Where people and organisation come from by themselves. */
export function SourceListPage() {
  const list = useList(sourceApi.list, {
    refetchInterval: (rows) =>
      rows.some(({ lastRun }) => lastRun?.runStatus === sourceRunStatus.running) && lookAgainMs,
  })
  const [editing, setEditing] = useState<Partial<SourceRow>>()
  const [watched, watch] = usePreviewedRow(list, ({ isId }) => isId)
  const [tested, setTested] = useState<SourceRow>()
  const edit = action.open({
    label: '编辑',
    call: sourceApi.save,
    fits: ({ can }) => can.includes('edit'),
    onOpen: ([row]) => setEditing(row),
  })
  const test = action.open({ label: '测试', call: sourceApi.test, onOpen: ([row]) => setTested(row) })
  const runs = action.open({ label: '同步记录', call: sourceApi.runs, onOpen: ([row]) => watch(row!.isId) })
  const columns: Column<SourceRow>[] = [
    { title: '名称', dataIndex: 'isName', fixed: 'left', sorter: true, opens: runs },
    {
      title: '最近一次',
      dataIndex: 'lastRun',
      width: 116,
      render: (_, { lastRun }) =>
        lastRun ? (
          <DictionaryChip type="source_run_status" value={lastRun.runStatus} tones={runTones} />
        ) : (
          <span className="nothing">尚未同步</span>
        ),
    },
    { title: '时间', key: 'lastTime', width: 168, render: (_, { lastRun }) => lastRun?.startTime ?? '' },
    { title: '同步内容', dataIndex: 'isKind', width: 104, dict: 'source_kind' },
    { title: '取数方式', dataIndex: 'isWay', width: 116, dict: 'source_way' },
    {
      title: '计划',
      dataIndex: 'runAt',
      width: 132,
      render: (_, { isEnabled, runAt }) =>
        isEnabled && runAt ? (
          <StatusChip tone="published">{`每日 ${runAt}`}</StatusChip>
        ) : (
          <StatusChip tone="draft">仅手动</StatusChip>
        ),
    },
    { title: '位置', key: 'place', width: 240, render: (_, row) => placeOf(row) },
    { title: '设置人', dataIndex: 'ownerName', width: 104 },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={sourceApi.save} primary={primary} icon={<PlusOutlined />} onClick={() => setEditing({})}>
      新增数据来源
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="数据同步"
        list={list}
        rowKey="isId"
        columns={columns}
        filters={<TextFilter name="isName" label="名称" />}
        tools={add(true)}
        rowActions={[runs, run, test, edit, remove]}
        batchActions={[remove]}
        empty={{
          text: '暂无数据来源',
          hint: '从教务、人事系统定时取学生、教师与组织机构，按导入模板的规则写入。',
          next: add(false),
        }}
      />
      {editing && <SourceDialog source={editing} onClose={() => setEditing(undefined)} />}
      {watched && <SourceRunsDrawer source={watched} onClose={() => watch(undefined)} />}
      {tested && (
        <TestStepsDialog
          title={`测试${quoted(tested.isName)}`}
          call={sourceApi.test}
          input={{ isId: tested.isId }}
          offer={({ hostKey }) =>
            hostKey && (
              <TrustHostButton
                source={list.rows.find(({ isId }) => isId === tested.isId) ?? tested}
                hostKey={hostKey}
              />
            )
          }
          onClose={() => setTested(undefined)}
        />
      )}
    </>
  )
}

const placeOf = ({ isWay, fileName, address, viewName }: SourceRow): string =>
  isWay === sourceWay.folder
    ? fileName
    : isWay === sourceWay.database
      ? `${viewName}（${address}）`
      : isWay === sourceWay.sftp
        ? `${fileName}（${address}）`
        : address
