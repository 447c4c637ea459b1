import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputedLesson } from '../../../contract/programme/disputes/disputes.schema.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { LessonStatus } from '../../shared/lessons/lesson-status.tsx'
import { AddDisputeDialog } from './add-dispute.tsx'
import { disputePaths } from './dispute-paths.ts'

const columns: Column<DisputedLesson>[] = [
  { title: '课程名称', dataIndex: 'liName', fixed: 'left', to: ({ liId }) => disputePaths.people(liId) },
  {
    title: '状态',
    dataIndex: 'liStatus',
    width: 120,
    render: (liStatus: string) => <LessonStatus lesson={{ liStatus, liPhase: null }} />,
  },
  {
    title: '待受理',
    dataIndex: 'waiting',
    width: 90,
    number: true,
    render: (n: number) => (n > 0 ? <b className="hint-warning">{n}</b> : 0),
  },
  { title: '处理中', dataIndex: 'approving', width: 90, number: true },
  { title: '成立', dataIndex: 'upheld', width: 80, number: true },
  { title: '不成立', dataIndex: 'refused', width: 90, number: true },
  { title: '合计', dataIndex: 'total', width: 80, number: true },
  {
    title: '公示截止',
    dataIndex: 'liPublictyEdate',
    width: 120,
    render: (end: string | null) => end?.slice(0, 10) ?? <span className="nothing">—</span>,
  },
  { title: '学院', dataIndex: 'collegeName', width: 180 },
  { title: '负责人', dataIndex: 'liPrincipalName', width: 100 },
  { title: '最近登记', dataIndex: 'lastTime', width: 150, render: (time: string) => time.slice(0, 16) },
]

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '待受理', filters: { state: 'waiting' } },
  { title: '处理中', filters: { state: 'approving' } },
  { title: '已办结', filters: { state: 'done' } },
]

/** Courses about whose result there are disputes, those asked about last first. */
export function DisputeLessonsPage() {
  const list = useList(disputeApi.lessons)
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
        list={list}
        rowKey="liId"
        views={views}
        columns={columns}
        filters={<TextFilter name="liName" label="课程名称" />}
        tools={add(true)}
        empty={{ text: '暂无质疑', hint: '公示期内收到的质疑与举报，在此登记和处理。', next: add(false) }}
      />
      {isAdding && <AddDisputeDialog onClose={() => setAdding(false)} />}
    </>
  )
}
