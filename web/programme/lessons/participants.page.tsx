import { Link, useSearchParams } from 'react-router'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { ReadFailurePage } from '../../core/screen/read-failure.tsx'
import { useTabTitle } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { lessonPaths } from './lesson-actions.tsx'
import { LessonStatus, periodText } from '../../shared/lessons/lesson-status.tsx'
import { Participants, useParticipants } from './participants.tsx'
import '../../shared/lessons/lessons.css'

/** The participants of one course as a page of their own. */
export function ParticipantsPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? ''
  const { data: lesson, isPending, error, refetch } = useCall(lessonApi.details, { liId })
  useParticipants(liId)
  useTabTitle(lesson && `参与人员 · ${lesson.liName}`)
  if (isPending)
    return (
      <div className="page">
        <ReadSkeleton paragraph={{ rows: 10 }} />
      </div>
    )
  if (!lesson) return <ReadFailurePage reading={{ error, refetch }} noun="课程" list={lessonPaths.list} />
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
        <Participants lesson={lesson} />
      </div>
    </div>
  )
}
