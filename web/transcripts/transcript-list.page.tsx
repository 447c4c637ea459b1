import { usePart } from './list-head.tsx'
import { ScoreList } from './score-list.tsx'
import { StudentList } from './student-list.tsx'
import './transcripts.css'

/** Transcripts of the students the person may see, and what they got record by record. */
export function TranscriptListPage() {
  const [part] = usePart()
  return <div className="page list-page">{part === 'scores' ? <ScoreList /> : <StudentList />}</div>
}
