import type { ComponentType } from 'react'
import type { CaseProps } from './case-frame.tsx'
import { LessonCase } from './lesson-case.tsx'
import { SupplementCase } from './supplement-case.tsx'
import { DisputeCase } from './dispute-case.tsx'
import type { Queue } from './queues.ts'

/** How a case of each queue is shown. */
const cases: Record<Queue['kind'], ComponentType<CaseProps>> = {
  publish: LessonCase,
  result: LessonCase,
  supplement: SupplementCase,
  question: DisputeCase,
}

/** The case of whichever queue. */
export function CaseView(props: CaseProps) {
  const Case = cases[props.queue.kind]
  return <Case {...props} />
}
