import { useNavigate, useSearchParams } from 'react-router'
import { useTabTitle } from '../core/tab.ts'
import { useCall } from '../core/use-call.ts'
import { lessonCaseApi } from '../../contract/approvals/approvals.calls.ts'
import { supCaseApi } from '../../contract/supplements/supplements.calls.ts'
import { MatterCase } from './matter-case.tsx'
import { queues, type Queue } from './queues.ts'
import { useCaseKeys } from './use-case-keys.ts'
import '../styles/lessons.css'
import '../styles/approvals.css'

export const PublishDetailPage = () => <ApplicationPage queue={queues.publish} />
export const ResultDetailPage = () => <ApplicationPage queue={queues.result} />
export const SupDetailPage = () => <ApplicationPage queue={queues.supplement} />

/** One case as a page of its own: reached from messages, the home page and links. */
function ApplicationPage({ queue }: { queue: Queue }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isSup = queue.kind === 'supplement'
  const bizId = query.get(isSup ? 'lisId' : 'liId') ?? ''
  const { data: lesson } = useCall(lessonCaseApi.lessonResult, { liId: bizId }, { enabled: !isSup })
  const { data: sup } = useCall(supCaseApi.supCase, { lisId: bizId }, { enabled: isSup })
  const name = lesson?.lesson.liName ?? sup?.sup.lisName
  useTabTitle(name && `${queue.title} · ${name}`)
  const ref = useCaseKeys({ onNext: () => undefined, onPrevious: () => undefined })
  return (
    <div className="page queue-page case-page">
      <div className="card queue-case"><MatterCase key={bizId} ref={ref} bizId={bizId} queue={queue} onBack={() => void navigate(queue.path)} onDecided={() => undefined} /></div>
    </div>
  )
}
