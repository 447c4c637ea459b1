import { useNavigate, useSearchParams } from 'react-router'
import { useTab } from '../core/tab.ts'
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
  const { path } = useTab()
  const liId = query.get('liId') ?? ''
  const ref = useCaseKeys({ onNext: () => undefined, onPrevious: () => undefined })
  return (
    <div className="page queue-page case-page" data-path={path}>
      <div className="card queue-case"><LessonCase key={liId} ref={ref} liId={liId} queue={queue} onBack={() => void navigate(queue.path)} onDecided={() => undefined} /></div>
    </div>
  )
}
