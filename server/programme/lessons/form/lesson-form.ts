import type { z } from 'zod'
import { fieldsTelling } from '../../../../contract/programme/lessons/lesson-fields.ts'
import type { lessonForm } from '../../../../contract/programme/lessons/lessons.schema.ts'
import { cleanRichText } from '../../../core/base/clean-html.ts'

/** What the form says of a course, without the words about the request itself. */
export type GivenValues = Omit<z.output<typeof lessonForm>, 'liId' | 'version' | 'submit'>

/** The same with everything the school's settings fill in. */
export type LessonValues = Omit<GivenValues, 'lateMinutes' | 'publictyDays'> & {
  lateMinutes: number
  publictyDays: number
}

/** The names of the fields that hold rich texts. */
export const richFields = fieldsTelling('format').map(([field]) => field)

/**
 * What the form says, on every way in, as the service goes on with it: rich texts cleaned, and what is left open as
 * `open` has it.
 */
export const lessonValuesFrom = (
  given: GivenValues,
  open: Pick<LessonValues, 'lateMinutes' | 'publictyDays'>,
): LessonValues => ({
  ...given,
  ...Object.fromEntries(richFields.map((field) => [field, cleanRichText(given[field])])),
  lateMinutes: given.lateMinutes ?? open.lateMinutes,
  publictyDays: given.publictyDays ?? open.publictyDays,
})
