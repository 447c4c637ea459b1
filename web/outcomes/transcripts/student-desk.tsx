import { ModuleTable } from './module-table.tsx'
import { RecordTable } from './record-table.tsx'
import type { TranscriptHeader, TranscriptRecord } from './use-transcript.ts'
import { YearTable } from './year-table.tsx'
import './transcripts.css'

interface DeskProps {
  header: TranscriptHeader
  rows: readonly TranscriptRecord[]
  ticked?: readonly string[]
  onTick?: (recIds: string[]) => void
}

/**
 * What whoever looks after a student wants to know beyond the paper: what is missing, what the years were worth, and
 * how each value came about.
 */
export function StudentDesk({ header, rows, ticked, onTick }: DeskProps) {
  return (
    <article className="card sheet desk" aria-label={`${header.student.suiName}的记录与进度`}>
      <p className="desk-note">供日常管理查看，不印在成绩单上。</p>
      <section>
        <h3>模块进度</h3>
        <ModuleTable modules={header.modules} />
      </section>
      {header.years.length > 0 && (
        <section>
          <h3>学年评定</h3>
          <YearTable years={header.years} />
        </section>
      )}
      <section>
        <h3>
          全部记录<small>{rows.length} 项</small>
        </h3>
        <RecordTable header={header} rows={rows} ticked={ticked} onTick={onTick} />
      </section>
    </article>
  )
}
