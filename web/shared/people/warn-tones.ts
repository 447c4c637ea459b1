import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import type { ChipTone } from '../../core/parts/status-chip.tsx'

/** Tones of the warning levels of students. */
export const warnTones: Record<string, ChipTone> = {
  [warnLevel.normal]: 'finished',
  [warnLevel.mild]: 'waiting',
  [warnLevel.moderate]: 'publicity',
  [warnLevel.severe]: 'refused',
}
