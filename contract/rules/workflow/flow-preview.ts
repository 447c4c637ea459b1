import { z } from 'zod'

/** What can be done about what would stop a submission, and the way there for whoever may go it. */
const advice = z.object({
  text: z.string(),
  help: z.object({ label: z.string(), link: z.string() }).optional(),
})

/** What a form shows of who would decide. `wfName` null: no flow applies, and `missing` says what to do. */
export const flowPreviewFields = {
  wfName: z.string().nullable(),
  missing: advice.nullable(),
  nodes: z.array(
    z.object({
      nodeName: z.string(),
      steps: z.array(
        z.object({
          stepName: z.string(),
          stepType: z.string(),
          people: z.array(z.string()),
          /** What becomes of the step where it is not simply asked, such as passing by itself; else empty. */
          note: z.string(),
          /** Nobody can decide it, so that the submission would be refused: which office is empty, and what to do. */
          vacancy: advice.nullable(),
        }),
      ),
    }),
  ),
}
