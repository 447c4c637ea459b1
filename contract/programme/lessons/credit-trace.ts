import { z } from 'zod'

/**
 * The way from a registration to credit: its gates in order, and what was granted. `failed` marks the first gate that
 * kept the credit away; later ones were never reached. `pending`: that gate waits for the course as a whole, not for
 * the student.
 */
export const creditTrace = z.object({
  liName: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  gates: z.array(
    z.object({
      name: z.string(),
      passed: z.boolean(),
      failed: z.boolean(),
      pending: z.boolean(),
      note: z.string(),
      /** What to do about a gate that failed; empty where nothing can be done. */ hint: z.string(),
    }),
  ),
  /**
   * What the ledger says of it, or, before, what it will come to (`expected`). `steps` lead from the base to the value.
   */
  expected: z.boolean(),
  entries: z.array(
    z.object({
      clType: z.string(),
      value: z.string(),
      explain: z.string(),
      steps: z.array(z.object({ label: z.string(), value: z.string() })),
      /** When it was granted; null while it is only expected. */
      grantedAt: z.string().nullable(),
      /** It takes back or corrects an earlier entry. */
      corrects: z.boolean(),
    }),
  ),
})
export type CreditTrace = z.infer<typeof creditTrace>
