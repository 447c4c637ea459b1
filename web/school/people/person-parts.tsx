import { accountStatus, teacherStatus, studentStatus } from '../../../contract/core/codes/school.ts'
import { isMasked } from '../../../contract/school/people/people.fields.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { DictionaryChip, StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'

/** Tones of a student's standing. */
export const studentTones: Record<string, ChipTone> = {
  [studentStatus.enrolled]: 'published',
  [studentStatus.suspended]: 'waiting',
  [studentStatus.withdrawn]: 'refused',
  [studentStatus.graduated]: 'finished',
  [studentStatus.delayed]: 'waiting',
  [studentStatus.retained]: 'waiting',
  [studentStatus.military]: 'publicity',
}
export const teacherTones: Record<string, ChipTone> = { [teacherStatus.employed]: 'published' }

/** An account's state: one without a password that nobody has signed in to has yet to be activated. */
export function AccountChip({ suStatus, activated }: { suStatus: string; activated: boolean }) {
  if (suStatus === accountStatus.active && !activated) return <StatusChip tone="waiting">未激活</StatusChip>
  return (
    <DictionaryChip
      type="account_status"
      value={suStatus}
      tones={{ [accountStatus.active]: 'finished', [accountStatus.locked]: 'refused' }}
    />
  )
}

/** `2024` -> `2024级` */
export const gradeText = (grade: string | null): string => (grade ? `${grade}级` : '')

/** The political status, for those who may see it. */
export function Political({ value }: { value: string | null }) {
  if (!value) return <span className="nothing">—</span>
  return isMasked(value) ? <span title="您没有查看敏感信息的权限">{value}</span> : <>{labelOf('political', value)}</>
}
