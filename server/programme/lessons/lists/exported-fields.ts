import { labelOf } from '../../../../contract/core/dictionary.ts'
import type { SheetColumn } from '../../../../contract/core/sheets.ts'
import {
  fieldLabel,
  fieldsTelling,
  lessonField,
  type FieldsWith,
} from '../../../../contract/programme/lessons/lesson-fields.ts'

const exported = fieldsTelling('exported')

/** The columns of the exported list that the descriptions of fields ask for. */
export const exportedColumns: readonly SheetColumn[] = exported.map(([key, column]) => ({
  key,
  label: fieldLabel(key),
  ...column,
}))

/** What the export reads for them. */
export const exportedFields = exported.map(
  ([field]) =>
    `lesson.${field as Extract<typeof field, FieldsWith<{ row: unknown }> | FieldsWith<{ detail: unknown }>>}` as const,
)

/** The fields of a row that are codes, in words. */
export const wordsOfFields = (row: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const { stored, dictionary } = lessonField(name) ?? {}
      const type = stored === 'flag' ? 'yes_no' : dictionary
      if (!type) return []
      const words = [value].flat().map((one) => labelOf(type, String(one)))
      return [[name, words.join('、')]]
    }),
  )
