import { useNavigate, useSearchParams } from 'react-router'
import { lessonCaseApi } from '../../contract/approvals/approvals.calls.ts'
import { useTabTitle } from '../core/tab.ts'
import { useCall } from '../core/use-call.ts'
import { LessonCase } from './lesson-case.tsx'
import { queues, type Queue } from './queues.ts'
import { useCaseKeys } from './use-case-keys.ts'
import '../styles/lessons.css'
import '../styles/approvals.css'

export const PublishDetailPage = () => <ApplicationPage queue={queues.publish} />
export const ResultDetailPage = () => <ApplicationPage queue={queues.result} />

/** One case as a page of its own: reached from messages, the home page and links. */
function ApplicationPage({ queue }: { queue: Queue }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const liId = query.get('liId') ?? ''
  const { data } = useCall(lessonCaseApi.lessonResult, { liId })
  useTabTitle(data && `${queue.title} · ${data.lesson.liName}`)
  const ref = useCaseKeys({ onNext: () => undefined, onPrevious: () => undefined })
  return (
    <div className="page queue-page case-page">
      <div className="card queue-case"><LessonCase key={liId} ref={ref} liId={liId} queue={queue} onBack={() => void navigate(queue.path)} onDecided={() => undefined} /></div>
    </div>
  )
}
