import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import { ExportButton } from '../../core/action/export.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { batchActions, lessonPaths, useLessonActions } from './lesson-actions.tsx'
import { statusChoices } from '../../shared/lessons/lesson-status.tsx'
import '../../shared/lessons/lessons.css'
import { firstColumns } from './lesson-columns.tsx'
import { useLessonViews } from './lesson-views.ts'

const own = { myLesson: '1' }
const columns: Column<LessonRow>[] = [
  ...firstColumns(({ liId }) => `/personalCenter/course/detail?liId=${liId}`),
  { title: '课程体系', dataIndex: 'lsName', width: 108 },
  { title: '级别', dataIndex: 'liLevelName', width: 96 },
  { title: '负责人', dataIndex: 'liPrincipalName', width: 76 },
  { title: '学时', dataIndex: 'liHours', width: 76, number: true, sorter: true },
  { title: '地点', dataIndex: 'placeText', width: 160, hiddenAtFirst: true },
]

/** The courses a person made, leads, guides or signs for, and what they may do to each now. */
export function OwnLessonsPage() {
  const list = useList(lessonApi.view, { fixed: own })
  const { acts, dialogs } = useLessonActions('list')
  const { all, view } = useLessonViews(list)
  return (
    <>
      <ListPage
        title="我指导的课程"
        facts="我创建、负责、指导或负责签到的课程"
        list={list}
        rowKey="liId"
        views={[
          all,
          view('草稿', lessonStatus.draft, lessonStatus.publishRefused),
          view('审批中', lessonStatus.publishInReview, lessonStatus.resultInReview),
          view('已发布', lessonStatus.published),
          view('公示', lessonStatus.resultPassed, lessonStatus.inNotice, lessonStatus.questioned),
          view('已完成', lessonStatus.completed, lessonStatus.archived),
        ]}
        filters={
          <>
            <TextFilter name="liName" label="课程名称" />
            <SelectFilter name="liStatus" label="状态" options={statusChoices()} multiple />
            <DateRangeFilter names={['startTime', 'endTime']} label="活动时间" />
            <DateRangeFilter names={['createStartDate', 'createEndDate']} label="创建日期" />
          </>
        }
        tools={<ExportButton to={lessonApi.export} list={list} />}
        columns={columns}
        rowActions={acts}
        batchActions={batchActions}
        keepsViews
        empty={{
          text: '暂无课程',
          hint: '您创建、负责、指导或负责签到的课程会出现在这里。',
          next: (
            <ActionButton to={lessonApi.save} href={lessonPaths.add}>
              新增课程
            </ActionButton>
          ),
        }}
      />
      {dialogs}
    </>
  )
}
