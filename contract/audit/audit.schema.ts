import { z } from 'zod'

/** One field that an act changed, in words: `学院` from `文学院` to `理学院`. Of something new, `before` is empty. */
export const auditChange = z.object({ label: z.string(), before: z.string(), after: z.string() })
export type AuditChange = z.infer<typeof auditChange>

/** One point of a record's timeline. */
export const timelineEntry = z.object({
  logId: z.string(),
  logTime: z.string(),
  actorName: z.string(),
  action: z.string(),
  /** `refused` for an attempt that was turned away. */
  result: z.string(),
  reason: z.string(),
  changes: z.array(auditChange),
})
export type TimelineEntry = z.infer<typeof timelineEntry>
