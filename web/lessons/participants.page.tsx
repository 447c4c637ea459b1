import { Skeleton } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import { EmptyState } from '../core/empty-state.tsx'
import { PageHead } from '../core/page-head.tsx'
import { useTabTitle } from '../core/tab.ts'
import { useCall } from '../core/use-call.ts'
import { lessonPaths } from './lesson-actions.tsx'
import { LessonStatus, periodText } from './lesson-status.part.tsx'
import { Participants } from './participants.tsx'
import '../styles/lessons.css'

/** The participants of one course as a page of their own. */
export function ParticipantsPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? ''
  const { data: lesson, isPending } = useCall(lessonApi.details, { liId })
  useTabTitle(lesson && `参与人员 · ${lesson.liName}`)
  if (isPending)
    return (
      <div className="page">
        <Skeleton active paragraph={{ rows: 10 }} />
      </div>
    )
  if (!lesson)
    return (
      <div className="page">
        <div className="card">
          <EmptyState text="该课程不存在或已删除" next={<Link to={lessonPaths.list}>回到课程列表</Link>} />
        </div>
      </div>
    )
  return (
    <div className="page">
      <PageHead
        title={
          <Link className="plain-title" to={lessonPaths.detail(lesson)}>
            {lesson.liName}
          </Link>
        }
        status={<LessonStatus lesson={lesson} />}
        facts={`参与人员 · ${periodText(lesson.startTime, lesson.endTime)} · ${lesson.placeText}`}
      />
      <div className="card participants-card">
        <Participants lesson={lesson} keep="address" />
      </div>
    </div>
  )
}
