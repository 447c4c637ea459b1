import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import type { Tone } from './pieces.tsx'

/** How far a record is, as a colour. */
export const supplementTone = (lisStatus: string): Tone =>
  ({
    [supplementStatus.inReview]: 'waiting' as const,
    [supplementStatus.passed]: 'published' as const,
    [supplementStatus.refused]: 'refused' as const,
    [supplementStatus.inNotice]: 'publicity' as const,
    [supplementStatus.credited]: 'finished' as const,
  })[lisStatus as typeof supplementStatus.inReview] ?? 'draft'
