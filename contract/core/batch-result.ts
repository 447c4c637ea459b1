import { z } from 'zod'
import { done } from './fields.ts'

/** A record that a write on several ones left as it was: its name, and why in a sentence. */
const refusedItem = z.object({ id: z.string(), name: z.string(), msg: z.string() })
export type RefusedItem = z.output<typeof refusedItem>

/** The answer of a write on several records: how many it changed, and what became of every other one. */
export const batchResult = done.extend({ failed: z.array(refusedItem) })
export type BatchResult = z.output<typeof batchResult>
