import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useTabTitle } from '../../core/service/tab.ts'
import { useCountedViews } from '../../core/list/counted-views.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useList } from '../../core/list/use-list.ts'
import { AddDisputeDialog } from '../../shared/disputes/add-dispute.tsx'
import { nameOfDispute, useDisputeActions } from './dispute-actions.tsx'
import {
  changeText,
  DisputeStatus,
  subjectName,
  outcomeText,
  targetText,
} from '../../shared/disputes/dispute-facts.tsx'
import { disputePaths } from '../../shared/disputes/dispute-paths.ts'
import { kindChoices, kindOf, SubjectStatus } from './subject-status.tsx'

const columns: Column<DisputeRow>[] = [
  {
    title: '被质疑对象',
    dataIndex: 'targetName',
    fixed: 'left',
    width: 190,
    sorter: true,
    render: (_, row) => (
      <Link to={disputePaths.detail(row.qId)} title={targetText(row)}>
        {targetText(row)}
      </Link>
    ),
  },
  {
    title: '状态',
    dataIndex: 'qStatus',
    width: 124,
    sorter: true,
    render: (_, row) => <DisputeStatus question={row} />,
  },
  { title: '质疑类型', dataIndex: 'qType', width: 140, sorter: true, dict: 'question_type' },
  {
    title: '受理期限',
    dataIndex: 'deadline',
    width: 130,
    sorter: true,
    render: (time: string, { overdue, qStatus }) =>
      qStatus === questionStatus.pending || qStatus === questionStatus.overdue ? (
        <span className={overdue ? 'overdue' : ''}>
          {time.slice(0, 10)}
          {overdue && ' 超期'}
        </span>
      ) : (
        <span className="nothing">—</span>
      ),
  },
  { title: '内容', dataIndex: 'qContent', render: (text: string) => <span title={text}>{text}</span> },
  {
    title: '处理结果',
    dataIndex: 'qOutcome',
    width: 130,
    render: (value: string | null, row) => (value ? outcomeText(row) : <span className="nothing">—</span>),
  },
  {
    title: '变动',
    dataIndex: 'creditDelta',
    width: 130,
    render: (_, row) => changeText(row) || <span className="nothing">—</span>,
  },
  { title: '登记时间', dataIndex: 'createTime', width: 140, sorter: true, render: (time: string) => time.slice(0, 16) },
]

/** What is questioned, where the list is not about one of them. */
const subjectColumns: Column<DisputeRow>[] = [
  { title: '对象', dataIndex: 'lisId', width: 76, render: (_, row) => kindOf(row) },
  { title: '课程或补录', dataIndex: 'liName', width: 200, render: (_, row) => subjectName(row) },
]

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '待受理', filters: { qStatus: '0,5' } },
  { title: '审批中', filters: { qStatus: questionStatus.inReview } },
  { title: '成立', filters: { qStatus: questionStatus.upheld } },
  { title: '不成立', filters: { qStatus: questionStatus.rejected } },
]

/** The disputes about one course, or about all of them: whom they are about and how far they are. */
export function DisputeListPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? undefined
  const lisId = query.get('lisId') ?? undefined
  const fixed = liId ? { liId } : lisId ? { lisId } : {}
  const list = useList(disputeApi.list, { fixed })
  const { row, batch, dialogs } = useDisputeActions()
  const [isAdding, setAdding] = useState(false)
  // the filters may find none of the disputes about it
  const isUnnamed = (liId ?? lisId) !== undefined && list.hasFilters && !list.isLoading && list.rows.length === 0
  const { data: unfiltered } = useCall(disputeApi.list, { ...fixed, pageSize: 1 }, { enabled: isUnnamed, quiet: true })
  const subject = liId || lisId ? (list.rows[0] ?? unfiltered?.records[0]) : undefined
  const name = subject && subjectName(subject)
  useTabTitle(name && `质疑 · ${name}`)
  const add = (primary: boolean) => (
    <ActionButton to={disputeApi.add} primary={primary} icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      登记质疑
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title={name ? `质疑人员：${name}` : '质疑人员'}
        status={subject && <SubjectStatus subject={subject} />}
        facts={<Link to={disputePaths.lessons}>返回质疑举报课程</Link>}
        list={list}
        rowKey="qId"
        views={useCountedViews(list, views)}
        columns={liId || lisId ? columns : [columns[0]!, ...subjectColumns, ...columns.slice(1)]}
        nameOf={nameOfDispute}
        filters={
          <>
            <TextFilter name="targetName" label="被质疑人" placeholder="姓名或学号" />
            {!liId && !lisId && <SelectFilter name="kind" label="对象" options={kindChoices} />}
            <DictionaryFilter name="qType" type="question_type" label="质疑类型" />
            <DateRangeFilter names={['createStartDate', 'createEndDate']} label="登记时间" />
          </>
        }
        tools={
          <>
            <ExportButton to={disputeApi.export} list={list} />
            {liId && (
              <ImportButton
                to={disputeApi.add}
                api={importApi}
                kind="question"
                target={{ liId }}
                title="批量导入质疑"
                hint="每行一条质疑；同一对象只能有一条未处理完的质疑。质疑人的身份不会在名单中显示。"
              />
            )}
            {add(true)}
          </>
        }
        rowActions={row}
        batchActions={batch}
        empty={{ text: '暂无质疑', next: add(false) }}
      />
      {isAdding && <AddDisputeDialog subject={{ liId, lisId, name }} onClose={() => setAdding(false)} />}
      {dialogs}
    </>
  )
}
