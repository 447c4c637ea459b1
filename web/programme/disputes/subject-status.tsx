import type { DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import { LessonStatus } from '../../shared/lessons/lesson-status.tsx'
import { SupplementStatus } from '../../shared/supplements/supplement-status.tsx'

/** Whether courses or supplement records are questioned, for filters. */
export const kindChoices = [
  { value: 'lesson', label: '课程' },
  { value: 'supplement', label: '补录' },
]

/** What kind of thing is questioned. */
export const kindOf = ({ lisId }: Pick<DisputeRow, 'lisId'>): string => (lisId ? '补录' : '课程')

/** Where the questioned course or supplement record stands. */
export function SubjectStatus({
  subject: { lisId, liStatus, ...record },
}: {
  subject: Pick<DisputeRow, 'lisId' | 'liStatus' | 'lisStatus' | 'lisPublictyStatus'>
}) {
  return lisId ? <SupplementStatus sup={record} /> : <LessonStatus lesson={{ liStatus, liPhase: null }} />
}
