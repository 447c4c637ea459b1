import { z } from 'zod'

/** What a participant may hand in: words, and files. */
export const maxWorkText = 2000
export const maxWorkFiles = 5

/** A file that was handed in. `kind` is that of `fileKinds`. */
export const workFile = z.object({ id: z.string(), name: z.string(), kind: z.string() })

/** What a participant has handed in. */
export const work = z.object({ text: z.string(), files: z.array(workFile), time: z.string() })
export type Work = z.output<typeof work>
