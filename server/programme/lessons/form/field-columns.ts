import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  fieldsTelling,
  type FieldsWith,
  type LessonFieldName,
} from '../../../../contract/programme/lessons/lesson-fields.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import type { LessonValues } from './lesson-form.ts'

/** Fields kept in other tables, which are written and read on their own. */
type Apart = FieldsWith<{ stored: 'apart' }>
type Stored = Exclude<LessonFieldName, Apart>

/** The columns of `lesson` that the form fills, as they are written. */
type FormColumns = {
  [K in Stored]: K extends FieldsWith<{ stored: 'flag' }>
    ? string
    : K extends FieldsWith<{ stored: 'json' }>
      ? string
      : K extends FieldsWith<{ stored: 'blank' }>
        ? string
        : K extends FieldsWith<{ stored: 'null' }>
          ? NonNullable<LessonValues[K]> | null
          : LessonValues[K]
}

const storedFields = fieldsTelling('stored').flatMap(([field, stored]) =>
  stored === 'apart' ? [] : [[field as Stored, stored] as const],
)

/** What the form says, as columns. */
export const columnsFrom = (values: LessonValues): FormColumns =>
  Object.fromEntries(
    storedFields.map(([field, stored]) => {
      const value = values[field]
      if (stored === 'flag') return [field, value ? yesNo.yes : yesNo.no]
      if (stored === 'json') return [field, JSON.stringify(value)]
      if (stored === 'blank') return [field, value ?? '']
      return [field, stored === 'null' ? (value ?? null) : value]
    }),
  ) as FormColumns

/** What the form would say of the columns of a stored course. */
export const valuesFrom = (lesson: ReachedLesson): Omit<LessonValues, Apart> =>
  Object.fromEntries(
    storedFields.map(([field, stored]) => {
      const value = lesson[field]
      if (stored === 'flag') return [field, value === yesNo.yes]
      return [field, (stored === 'null' || stored === 'blank') && (value === null || value === '') ? undefined : value]
    }),
  ) as unknown as Omit<LessonValues, Apart>

type Told = Exclude<FieldsWith<{ row: unknown }> | FieldsWith<{ detail: unknown }>, Apart>

/** The columns that answers show as they are: in lists (`row`), or with one course beyond those (`detail`). */
export const columnsTelling = <P extends 'row' | 'detail'>(part: P) =>
  fieldsTelling(part)
    .map(([field]) => field as Told & FieldsWith<Record<P, unknown>>)
    .map((field) => `lesson.${field}` as const)
