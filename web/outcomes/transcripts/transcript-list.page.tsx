import { ApplicationList } from './application-list.tsx'
import { IssueList } from './issue-list.tsx'
import { useOpenList } from './list-header.tsx'
import { ScoreList } from './score-list.tsx'
import { StudentList } from './student-list.tsx'
import './transcripts.css'

/**
 * Transcripts of the students the person may see, what they got record by record, what was issued to them and what they
 * apply for.
 */
export function TranscriptListPage() {
  const { open } = useOpenList()
  return (
    <div className="page list-page">
      {open === 'scores' ? (
        <ScoreList />
      ) : open === 'issues' ? (
        <IssueList />
      ) : open === 'applications' ? (
        <ApplicationList />
      ) : (
        <StudentList />
      )}
    </div>
  )
}
