import { z } from 'zod'

/** One field of a record that differs, in words. */
export const difference = z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() })
export type Difference = z.infer<typeof difference>

/**
 * One that a reviewer is shown. `since`: it differs from what had been approved, or from what was last returned to its
 * initiator, refused or withdrawn.
 */
export const submittedDifference = difference.extend({ since: z.enum(['approved', 'returned']) })
export type SubmittedDifference = z.infer<typeof submittedDifference>
