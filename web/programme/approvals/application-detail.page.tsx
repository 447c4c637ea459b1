import { useNavigate, useSearchParams } from 'react-router'
import { CaseView } from './case-view.tsx'
import { queues, type Queue } from './queues.ts'
import { useCaseKeys } from './use-case-keys.ts'
import { useOpinions } from './use-opinions.ts'
import '../../shared/lessons/lessons.css'
import '../../shared/approvals/approvals.css'

export const PublishDetailPage = () => <ApplicationPage queue={queues.publish} />
export const ResultDetailPage = () => <ApplicationPage queue={queues.result} />
export const SupplementDetailPage = () => <ApplicationPage queue={queues.supplement} />
export const DisputeCasePage = () => <ApplicationPage queue={queues.question} />

/** One case as a page of its own: reached from messages, the home page and links. */
function ApplicationPage({ queue }: { queue: Queue }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const bizId = query.get('liId') ?? query.get('lisId') ?? query.get('qId') ?? ''
  const opinions = useOpinions()
  const ref = useCaseKeys({ onNext: () => undefined, onPrevious: () => undefined })
  return (
    <div className="page queue-page case-page">
      <h1 className="visually-hidden">{queue.title}</h1>
      <div className="card queue-case">
        <CaseView
          key={bizId}
          ref={ref}
          bizId={bizId}
          queue={queue}
          namesTab
          onBack={() => void navigate(queue.path)}
          opinion={opinions.of(bizId)}
          onOpinion={(opinion) => opinions.write(bizId, opinion)}
          onDecided={() => opinions.forget([bizId])}
        />
      </div>
    </div>
  )
}
