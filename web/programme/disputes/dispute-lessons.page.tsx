import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link } from 'react-router'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputedLesson } from '../../../contract/programme/disputes/disputes.schema.ts'
import { ExportButton } from '../../core/action/export.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useCountedViews } from '../../core/list/counted-views.ts'
import { useList } from '../../core/list/use-list.ts'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { AddDisputeDialog } from '../../shared/disputes/add-dispute.tsx'
import { subjectName } from '../../shared/disputes/dispute-facts.tsx'
import { disputePaths } from '../../shared/disputes/dispute-paths.ts'
import { figure } from '../../core/service/figure.ts'
import { kindChoices, kindOf, SubjectStatus } from './subject-status.tsx'

type Row = DisputedLesson & { key: string }

const columns: Column<Row>[] = [
  {
    title: '课程或补录',
    dataIndex: 'liName',
    width: 248,
    sorter: true,
    fixed: 'left',
    render: (_, row) => <Link to={disputePaths.people(row)}>{subjectName(row)}</Link>,
  },
  { title: '对象', dataIndex: 'lisId', width: 64, render: (_, row) => kindOf(row) },
  {
    title: '状态',
    dataIndex: 'liStatus',
    width: 120,
    render: (_, row) => <SubjectStatus subject={row} />,
  },
  {
    title: '待受理',
    dataIndex: 'waiting',
    width: 84,
    number: true,
    sorter: true,
    render: (n: number) => (n > 0 ? <b className="hint-warning">{figure(n)}</b> : 0),
  },
  { title: '处理中', dataIndex: 'approving', width: 84, number: true, sorter: true },
  { title: '成立', dataIndex: 'upheld', width: 72, number: true, sorter: true },
  { title: '不成立', dataIndex: 'refused', width: 84, number: true, sorter: true },
  { title: '合计', dataIndex: 'total', width: 72, number: true, sorter: true },
  {
    title: '公示截止',
    dataIndex: 'liPublictyEdate',
    sorter: true,
    width: 120,
    render: (end: string | null) => end?.slice(0, 10) ?? <span className="nothing">—</span>,
  },
  { title: '学院', dataIndex: 'collegeName', width: 180 },
  {
    title: '负责人或学生',
    dataIndex: 'liPrincipalName',
    width: 120,
    render: (principal: string, { suiName }) => principal || suiName,
  },
  { title: '最近登记', dataIndex: 'lastTime', width: 150, sorter: true, render: (time: string) => time.slice(0, 16) },
]

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '待受理', filters: { state: 'waiting' } },
  { title: '处理中', filters: { state: 'approving' } },
  { title: '已办结', filters: { state: 'done' } },
]

/** Courses and supplement records about which there are disputes, those asked about last first. */
export function DisputeLessonsPage() {
  const list = useList(disputeApi.lessons)
  const rows = list.rows.map((row) => ({ ...row, key: row.lisId ?? row.liId ?? '' }))
  const [isAdding, setAdding] = useState(false)
  const add = (primary: boolean) => (
    <ActionButton to={disputeApi.add} primary={primary} icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      登记质疑
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="质疑举报课程"
        facts="公示期内由学院代为登记，逾期申诉由校级管理员登记"
        list={{ ...list, rows }}
        rowKey="key"
        keepsViews
        views={useCountedViews(list, views)}
        columns={columns}
        filters={
          <>
            <SelectFilter name="kind" label="对象" options={kindChoices} />
            <TextFilter name="liName" label="课程名称" />
            <TextFilter name="lisName" label="补录名称" />
          </>
        }
        moreFilters={{
          names: ['personName', 'collegeId', ['createStartDate', 'createEndDate']],
          filters: (
            <>
              <TextFilter name="personName" label="负责人或学生" />
              <CollegeFilter names={{ college: 'collegeId' }} under="question:list" />
              <DateRangeFilter names={['createStartDate', 'createEndDate']} label="最近登记" />
            </>
          ),
        }}
        tools={
          <>
            <ExportButton to={disputeApi.exportLessons} list={list} />
            {add(true)}
          </>
        }
        empty={{ text: '暂无质疑', hint: '公示期内收到的质疑与举报，在此登记和处理。', next: add(false) }}
      />
      {isAdding && <AddDisputeDialog onClose={() => setAdding(false)} />}
    </>
  )
}
