import type { Output } from '../../../contract/core/call.ts'
import { circleLessonApi } from '../../../contract/programme/lessons/circle-lessons.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList } from '../../core/list/use-list.ts'
import { LessonStatus, shortPeriod } from '../../shared/lessons/lesson-status.tsx'

type Row = Output<typeof circleLessonApi.ofCircle>['records'][number]
const columns: Column<Row>[] = [
  {
    title: '课程',
    dataIndex: 'liName',
    fixed: 'left',
    to: ({ liId, opens }) => opens && `/courseManagement/detailCurriculumList?liId=${liId}`,
  },
  { title: '状态', dataIndex: 'liStatus', width: 130, render: (_, row) => <LessonStatus lesson={row} /> },
  {
    title: '活动时间',
    dataIndex: 'startTime',
    width: 164,
    sorter: true,
    render: (_, { startTime, endTime }) => <span className="figures">{shortPeriod(startTime, endTime)}</span>,
  },
  { title: '课程体系', dataIndex: 'lsName', width: 168 },
  { title: '级别', dataIndex: 'liLevelName', width: 104 },
  { title: '录取', dataIndex: 'passCount', width: 72, number: true },
  { title: '学时', dataIndex: 'liHours', width: 68, number: true },
]

/** The courses a circle holds or held. */
export function CircleActivities({ ciId }: { ciId: string }) {
  const list = useList(circleLessonApi.ofCircle, { fixed: { ciId }, under: 'activities' })
  return (
    <ListTable
      name="circle-lessons"
      list={list}
      rowKey="liId"
      columns={columns}
      filters={<TextFilter name="liName" label="课程名称" />}
      empty={{ text: '还没有活动', hint: '在新增课程时选择“所属圈子”，审批通过后会显示在这里。' }}
    />
  )
}
