import { lazy, Suspense } from 'react'
import { Skeleton } from 'antd'
import type { CaseProps } from './case-frame.tsx'
import { LessonCase } from './lesson-case.tsx'

const SupCase = lazy(() => import('./sup-case.tsx').then((file) => ({ default: file.SupCase })))

/** A case of whatever kind its queue holds. */
export const MatterCase = (props: CaseProps) =>
  props.queue.kind === 'supplement' ? <Suspense fallback={<div className="case-body"><Skeleton active /></div>}><SupCase {...props} /></Suspense> : <LessonCase {...props} />
