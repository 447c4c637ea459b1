import type { z } from 'zod'
import { lessonForm } from '../../../../contract/programme/lessons/lessons.schema.ts'

/** What the form says of a course, without the words about the request itself. */
export type GivenValues = Omit<z.output<typeof lessonForm>, 'liId' | 'version' | 'submit'>

/** The same with everything the school's settings fill in. */
export type LessonValues = Omit<GivenValues, 'lateMinutes' | 'publictyDays'> & {
  lateMinutes: number
  publictyDays: number
}
