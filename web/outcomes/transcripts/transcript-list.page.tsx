import { ApplicationList } from './application-list.tsx'
import { IssueList } from './issue-list.tsx'
import { usePart } from './list-header.tsx'
import { ScoreList } from './score-list.tsx'
import { StudentList } from './student-list.tsx'
import './transcripts.css'

/**
 * Transcripts of the students the person may see, what they got record by record, what was issued to them and what they
 * apply for.
 */
export function TranscriptListPage() {
  const [part] = usePart()
  return (
    <div className="page list-page">
      {part === 'scores' ? (
        <ScoreList />
      ) : part === 'issues' ? (
        <IssueList />
      ) : part === 'applications' ? (
        <ApplicationList />
      ) : (
        <StudentList />
      )}
    </div>
  )
}
