import type { ReactNode } from 'react'

export interface TimelineEntry {
  key: string
  title: ReactNode
  /** Who and when. */
  note?: ReactNode
  /** What was said. */
  text?: ReactNode
  tone?: 'done' | 'now' | 'refused' | 'waiting'
}

/** Everything that happened, or where something stands: one point a step. */
export function Timeline({ entries, title }: { entries: readonly TimelineEntry[]; title?: string }) {
  return (
    <section className="timeline">
      {title && <h2>{title}</h2>}
      <ol>
        {entries.map(({ key, title: what, note, text, tone = 'done' }) => (
          <li key={key} className={`timeline-${tone}`}>
            <b>{what}</b>
            {note && <p className="timeline-note">{note}</p>}
            {text && <p className="timeline-text">{text}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
