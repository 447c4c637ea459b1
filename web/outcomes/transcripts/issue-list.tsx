import KeyOutlined from '@ant-design/icons/KeyOutlined'
import { Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { issueStatus, printWay as printWayCodes } from '../../../contract/core/codes/outcomes.ts'
import { entriesOf, labelIn } from '../../../contract/core/codes/code-list.ts'
import { issueApi, type IssueRow } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { download } from '../../core/service/api.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { ListTotal } from '../../core/list/list-total.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { Timeline } from '../../core/parts/timeline.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList } from '../../core/list/use-list.ts'
import { ListHeader } from './list-header.tsx'
import { SigningKeys } from './signing-keys.tsx'
import { detailPath, verifyPath } from '../../shared/transcripts/transcript-paths.ts'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

const tones: Record<IssueRow['tiStatus'], ChipTone> = {
  [issueStatus.valid]: 'finished',
  [issueStatus.replaced]: 'draft',
  [issueStatus.revoked]: 'refused',
}

const columns: Column<IssueRow>[] = [
  {
    title: '编号',
    dataIndex: 'serial',
    width: 296,
    fixed: 'left',
    render: (serial: string) => (
      <Link to={verifyPath(serial)} target="_blank" title="打开核验页">
        {serial}
      </Link>
    ),
  },
  { title: '学生', dataIndex: 'suiName', width: 96, to: ({ suId }) => detailPath(suId) },
  {
    title: '状态',
    dataIndex: 'tiStatus',
    width: 108,
    render: (state: IssueRow['tiStatus'], { revokeReason }) => (
      <span title={revokeReason}>
        <StatusChip tone={tones[state]}>{labelIn(issueStatus, state)}</StatusChip>
      </span>
    ),
  },
  { title: '签发时间', dataIndex: 'issueTime', width: 168, sorter: true },
  {
    title: '内容',
    dataIndex: 'tiExtract',
    render: (part: string, { tiLang }) => `${part || '全部'}${tiLang === 'en' ? '（英文）' : ''}`,
  },
  // it stands in the serial as well
  { title: '学号', dataIndex: 'suiNumber', width: 120 },
  { title: '班级', dataIndex: 'className', width: 148, hiddenAtFirst: true },
  { title: '签发人', dataIndex: 'issueName', width: 96 },
  { title: '打印', dataIndex: 'printCount', width: 72, number: true },
  { title: '学院', dataIndex: 'collegeName', width: 168, hiddenAtFirst: true },
  { title: '最近打印', dataIndex: 'lastPrintTime', width: 168, hiddenAtFirst: true },
  { title: '撤销原因', dataIndex: 'revokeReason', width: 200, hiddenAtFirst: true },
]

const action = actionOn<IssueRow>()
const reprint = action.open({
  label: '补打',
  call: issueApi.reprint,
  fits: ({ can }) => can.includes('reprint'),
  onOpen: ([row]) => void download(issueApi.reprint, { tiId: row!.tiId }).catch(() => undefined),
})
const credential = action.open({
  label: '下载凭证',
  call: issueApi.credential,
  onOpen: ([row]) => void download(issueApi.credential, { tiId: row!.tiId }).catch(() => undefined),
})
const learnerRecord = action.open({
  label: '下载学习档案',
  call: issueApi.learnerRecord,
  fits: ({ can }) => can.includes('reprint'),
  onOpen: ([row]) => void download(issueApi.learnerRecord, { tiId: row!.tiId }).catch(() => undefined),
})
const revoke = action({
  label: '撤销',
  call: issueApi.revoke,
  input: (rows, given) => ({ ids: rows.map(({ tiId }) => tiId), reason: given['reason'] as string }),
  fits: ({ can }) => can.includes('revoke'),
  unit: '份成绩单',
  confirm: '撤销后不能恢复，核验时会显示“已撤销”和原因；可重新导出以签发新的成绩单。',
  ask: <AreaField name="reason" required placeholder="例如：姓名有误，已重新签发" />,
  isDanger: true,
})
const states = choicesOf(entriesOf(issueStatus))

/** Every transcript that was issued, how it stands, and how often it was printed. */
export function IssueList() {
  const list = useList(issueApi.list)
  const [printed, setPrinted] = useState<IssueRow>()
  const [isKeysOpen, setKeysOpen] = useState(false)
  const prints = action.open({ label: '打印记录', call: issueApi.prints, onOpen: ([row]) => setPrinted(row) })
  return (
    <>
      <ListHeader
        facts={<ListTotal list={list} unit="份" />}
        tools={
          <>
            <ActionButton to={issueApi.keys} icon={<KeyOutlined />} onClick={() => setKeysOpen(true)}>
              签名密钥
            </ActionButton>
            <ExportButton to={issueApi.exportList} list={list} />
          </>
        }
      />
      <ListTable
        name="issues"
        list={list}
        rowKey="tiId"
        keepsViews
        filters={
          <>
            <TextFilter name="search" label="编号、姓名或学号" />
            <SelectFilter name="tiStatus" label="状态" options={states} />
            <DateRangeFilter names={['startTime', 'endTime']} label="签发时间" />
          </>
        }
        columns={columns}
        rowActions={[reprint, prints, credential, learnerRecord, revoke]}
        batchActions={[revoke]}
        nameOf={({ serial }) => serial}
        empty={{ text: '暂无签发记录', hint: '导出或批量打印成绩单时自动签发，每份有编号和数字签名。' }}
      />
      {printed && <PrintLog issue={printed} onClose={() => setPrinted(undefined)} />}
      {isKeysOpen && <SigningKeys onClose={() => setKeysOpen(false)} />}
    </>
  )
}

function PrintLog({ issue, onClose }: { issue: IssueRow; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const { data } = useCall(issueApi.prints, { tiId: issue.tiId, pageSize: 100 })
  return (
    <Drawer
      open={isOpen}
      size={420}
      title={
        <>
          打印记录
          <small className="drawer-sub">
            {issue.suiName} {issue.suiNumber}
          </small>
        </>
      }
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => open || onClose()}
    >
      {!data ? (
        <ReadSkeleton />
      ) : data.total === 0 ? (
        <EmptyState text="暂无打印记录" />
      ) : (
        <Timeline
          entries={data.records.map(({ tpId, printTime, printName, printWay }) => ({
            key: tpId,
            title: labelIn(printWayCodes, printWay),
            note: `${printName}，${printTime}`,
          }))}
        />
      )}
    </Drawer>
  )
}
