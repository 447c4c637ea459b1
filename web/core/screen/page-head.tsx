import type { ReactNode } from 'react'

interface PageHeadProps {
  title: ReactNode
  /** One sentence of facts under the title. */
  facts?: ReactNode
  /** The status beside the title. */
  status?: ReactNode
  /** At most one primary button and two or three others. */
  tools?: ReactNode
}

/** The first line of every screen: what it is, one sentence of facts, and what can be done. */
export function PageHead({ title, facts, status, tools }: PageHeadProps) {
  return (
    <div className="page-head">
      <div className="page-head-text">
        <h1>
          {title}
          {status}
        </h1>
        {facts && <p className="page-facts">{facts}</p>}
      </div>
      {tools && <div className="page-tools">{tools}</div>}
    </div>
  )
}
