import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyState, NotRead } from '../parts/empty-state.tsx'
import { isRefused } from '../service/wire.ts'

/** How the reading of a record ended, and how to read it again; what `useCall` and `useInitialData` tell. */
export interface Reading {
  error: Error | null
  refetch: () => unknown
}

interface ReadFailureProps {
  /** Left out where there was nothing to ask for. */
  reading?: Reading | undefined
  /** What the record is called: 课程. */
  noun?: string
  /** The list in which the records are found: its address, or what leads back to it. */
  list?: string | (() => void) | undefined
}

/**
 * Stands in the place of a record that was not read. Only the service knows that it is not there or not for this
 * person; after anything else it may be there, and can be read again.
 */
export function ReadFailure({ reading, noun = '记录', list }: ReadFailureProps) {
  if (reading?.error && !isRefused(reading.error)) return <NotRead onRetry={() => void reading.refetch()} />
  return <EmptyState text={`该${noun}不存在或无权查看`} next={list && wayBack(list)} />
}

/** The same as a page of its own. */
export const ReadFailurePage = ({ head, ...props }: ReadFailureProps & { head?: ReactNode }) => (
  <div className="page">
    {head}
    <div className="card">
      <ReadFailure {...props} />
    </div>
  </div>
)

const wayBack = (list: string | (() => void)) =>
  typeof list === 'string' ? (
    <Link to={list}>返回列表</Link>
  ) : (
    <button type="button" className="plain-button" onClick={list}>
      返回列表
    </button>
  )
