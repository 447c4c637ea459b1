import { sourceRunStatus, type SourceRunStatus } from '../../../contract/core/codes/school.ts'
import type { ChipTone } from '../../core/parts/status-chip.tsx'

/** How each outcome of a run is coloured. */
export const runTones: Record<SourceRunStatus, ChipTone> = {
  [sourceRunStatus.running]: 'publicity',
  [sourceRunStatus.unchanged]: 'finished',
  [sourceRunStatus.done]: 'finished',
  [sourceRunStatus.waiting]: 'waiting',
  [sourceRunStatus.failed]: 'refused',
  [sourceRunStatus.discarded]: 'draft',
  [sourceRunStatus.undone]: 'draft',
}
