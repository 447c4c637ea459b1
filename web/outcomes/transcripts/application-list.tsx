import { entriesOf, labelIn } from '../../../contract/core/codes/code-list.ts'
import { applicationStatus } from '../../../contract/core/codes/outcomes.ts'
import {
  transcriptApplicationApi,
  type ApplicationRow,
} from '../../../contract/outcomes/transcripts/applications.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { ListTotal } from '../../core/list/list-total.tsx'
import { useList } from '../../core/list/use-list.ts'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { download } from '../../core/service/api.ts'
import { detailPath } from '../../shared/transcripts/transcript-paths.ts'
import { ListHeader } from './list-header.tsx'
import { figure } from '../../core/service/figure.ts'

const tones: Record<ApplicationRow['taStatus'], ChipTone> = {
  [applicationStatus.open]: 'waiting',
  [applicationStatus.issued]: 'finished',
  [applicationStatus.refused]: 'refused',
  [applicationStatus.withdrawn]: 'draft',
}

const columns: Column<ApplicationRow>[] = [
  { title: '学生', dataIndex: 'suiName', width: 104, fixed: 'left', to: ({ suId }) => detailPath(suId) },
  { title: '学号', dataIndex: 'suiNumber', width: 120 },
  {
    title: '状态',
    dataIndex: 'taStatus',
    width: 104,
    render: (state: ApplicationRow['taStatus'], { decideReason }) => (
      <span title={decideReason}>
        <StatusChip tone={tones[state]}>{labelIn(applicationStatus, state)}</StatusChip>
      </span>
    ),
  },
  { title: '用途', dataIndex: 'taPurpose' },
  { title: '语言', dataIndex: 'taLang', width: 72, render: (lang: string) => (lang === 'en' ? '英文' : '中文') },
  {
    title: '纸质份数',
    dataIndex: 'taCopies',
    width: 96,
    number: true,
    render: (copies: number) => (copies === 0 ? '电子版' : copies),
  },
  { title: '申请时间', dataIndex: 'createTime', width: 168, sorter: true },
  { title: '办理人', dataIndex: 'decideName', width: 96 },
  { title: '班级', dataIndex: 'className', width: 148, hiddenAtFirst: true },
  { title: '学院', dataIndex: 'collegeName', width: 168, hiddenAtFirst: true },
  { title: '办理时间', dataIndex: 'decideTime', width: 168, hiddenAtFirst: true },
  { title: '说明', dataIndex: 'decideReason', width: 200, hiddenAtFirst: true },
  { title: '成绩单编号', dataIndex: 'serial', width: 296, hiddenAtFirst: true },
]

const action = actionOn<ApplicationRow>()
const can = (name: ApplicationRow['can'][number]) => (row: ApplicationRow) => row.can.includes(name)
const ids = (rows: readonly ApplicationRow[]) => rows.map(({ taId }) => taId)
const accept = action({
  label: '同意并签发',
  call: transcriptApplicationApi.accept,
  fits: can('accept'),
  input: (rows) => ({ ids: ids(rows) }),
  unit: '份申请',
  confirm: '同意后立即签发带编号和数字签名的成绩单，学生收到消息并可自行下载；需要纸质的请再点“打印”。',
  doneText: ({ affected }) => `已签发 ${figure(affected)} 份成绩单`,
})
const refuse = action({
  label: '不同意',
  call: transcriptApplicationApi.refuse,
  fits: can('refuse'),
  input: (rows, given) => ({ ids: ids(rows), reason: given['reason'] as string }),
  unit: '份申请',
  confirm: '学生会收到原因，可重新申请。',
  ask: <AreaField name="reason" required placeholder="例如：请先核对姓名，再重新申请" />,
  isDanger: true,
})
const print = action.open({
  label: '打印',
  call: issueApi.reprint,
  fits: can('reprint'),
  onOpen: ([row]) => void download(issueApi.reprint, { tiId: row!.tiId! }).catch(() => undefined),
})
const states = choicesOf(entriesOf(applicationStatus))

/** What students have applied for, to be issued or refused. */
export function ApplicationList() {
  const list = useList(transcriptApplicationApi.list)
  return (
    <>
      <ListHeader
        facts={<ListTotal list={list} unit="份" />}
        tools={<ExportButton to={transcriptApplicationApi.exportList} list={list} />}
      />
      <ListTable
        name="applications"
        list={list}
        rowKey="taId"
        keepsViews
        filters={
          <>
            <TextFilter name="search" label="姓名或学号" />
            <SelectFilter name="taStatus" label="状态" options={states} />
            <DateRangeFilter names={['startTime', 'endTime']} label="申请时间" />
          </>
        }
        columns={columns}
        rowActions={[accept, refuse, print]}
        batchActions={[accept, refuse]}
        nameOf={({ suiName }) => suiName}
        empty={{
          text: '暂无成绩单申请',
          hint: '在“学校信息 → 规则设置 → 统计”中开放“学生可申请正式成绩单”后，学生的申请出现在这里。',
        }}
      />
    </>
  )
}
