import dayjs from 'dayjs'
import { publictyStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import type { SupplementHint, SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { HintList } from '../../core/parts/hint-list.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { Link } from 'react-router'

/** Tones of the states of supplements. */
export const supplementTones: Record<string, ChipTone> = {
  [supplementStatus.inReview]: 'waiting',
  [supplementStatus.passed]: 'waiting',
  [supplementStatus.refused]: 'refused',
  [supplementStatus.inNotice]: 'publicity',
  [supplementStatus.credited]: 'finished',
}

/** Where the pages of records are. */
export const supplementPaths = {
  list: '/courseManagement/RecordingCourse',
  publicList: '/courseManagement/RecordingCourse/publicty',
  add: '/courseManagement/RecordingCourse/add',
  edit: (lisId: string) => `/courseManagement/RecordingCourse/edit?lisId=${lisId}`,
  detail: (lisId: string) => `/courseManagement/RecordingCourse/detail?lisId=${lisId}`,
}

/** Where a record stands, and whether its notice is questioned; the reason of a refusal on hover. */
export function SupplementStatus({
  sup: { lisStatus, lisPublictyStatus, refuseReason },
}: {
  sup: Pick<SupplementRow, 'lisStatus'> & Partial<Pick<SupplementRow, 'lisPublictyStatus' | 'refuseReason'>>
}) {
  if (lisStatus === supplementStatus.inNotice && lisPublictyStatus === publictyStatus.questioned)
    return <StatusChip tone="waiting">{labelOf('publicty_status', lisPublictyStatus)}</StatusChip>
  return (
    <span title={lisStatus === supplementStatus.refused ? refuseReason : undefined}>
      <StatusChip tone={supplementTones[lisStatus] ?? 'draft'}>{labelOf('sup_status', lisStatus)}</StatusChip>
    </span>
  )
}

/** `11-20 至 11-25，剩 3 天`; nothing while no period is set. */
export function publicityText(
  {
    lisStatus,
    lisPublictySdate,
    lisPublictyEdate,
  }: Pick<SupplementRow, 'lisStatus' | 'lisPublictySdate' | 'lisPublictyEdate'>,
  now: dayjs.Dayjs = dayjs(),
): string {
  if (!lisPublictySdate || !lisPublictyEdate) return ''
  const period = `${lisPublictySdate.slice(5, 10)} 至 ${lisPublictyEdate.slice(5, 10)}`
  if (lisStatus === supplementStatus.draft || lisStatus === supplementStatus.inReview) return `${period}（拟定）`
  if (lisStatus !== supplementStatus.inNotice) return period
  const days = dayjs(lisPublictyEdate.slice(0, 10)).diff(now.startOf('day'), 'day')
  return days < 0 ? `${period}，已到期` : days === 0 ? `${period}，今天截止` : `${period}，剩 ${days} 天`
}

/** Other records that look like this one, and what else is worth a second look. */
export function SupplementHints({ hints }: { hints: readonly SupplementHint[] }) {
  return (
    <HintList
      hints={hints}
      more={({ lisId }) =>
        lisId && (
          <>
            {' '}
            <Link to={supplementPaths.detail(lisId)}>查看</Link>
          </>
        )
      }
    />
  )
}
