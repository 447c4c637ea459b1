import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { labelOf } from '../service/dictionary-store.ts'

/** The tones a status may have; colour is never alone, the words say the same. */
export type ChipTone = 'draft' | 'waiting' | 'published' | 'publicity' | 'finished' | 'refused'

/** A status: a dot and words. */
export function StatusChip({ tone, children }: { tone: ChipTone; children: string }) {
  return <span className={`chip chip-${tone}`}>{children}</span>
}

/**
 * A dictionary status with the tone the screen gives each value; the rest are drafts:
 * `tones={{ [lessonStatus.published]: 'published' }}`.
 */
export function DictionaryChip({
  type,
  value,
  tones,
}: {
  type: string
  value: string | null | undefined
  tones: Record<string, ChipTone>
}) {
  const label = labelOf(type, value)
  return label ? <StatusChip tone={tones[value ?? ''] ?? 'draft'}>{label}</StatusChip> : null
}

/** 启用 and 停用, the status most records have. */
export const enableTones: Record<string, ChipTone> = {
  [enableStatus.enabled]: 'finished',
  [enableStatus.disabled]: 'draft',
}
