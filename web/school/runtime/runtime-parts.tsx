import type { ReactNode } from 'react'
import '../../core/parts/small-table.css'

/** Milliseconds between two looks. */
export const refreshMs = 10_000

/** A part of the screen with its heading. */
export function Section({
  title,
  note,
  tools,
  children,
}: {
  title: string
  note?: string
  tools?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card runtime-section" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note && <p>{note}</p>}
        {tools}
      </header>
      {children}
    </section>
  )
}

/** Rows that nothing is done to; wider than the screen they scroll by themselves. */
export function SmallTable({
  heads,
  rows,
  numbers = [],
  empty = '没有',
}: {
  heads: readonly string[]
  rows: readonly (readonly ReactNode[])[]
  /** Columns of figures, aligned at the right. */
  numbers?: readonly number[]
  empty?: string
}) {
  if (rows.length === 0) return <p className="runtime-empty">{empty}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls it by the keys
    <div className="table-scroll" tabIndex={0} role="group" aria-label={heads.join('、')}>
      <table className="small-table">
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" className={numbers.includes(at) ? 'figures' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} className={numbers.includes(column) ? 'figures' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
