import { labelOf } from '../../../../contract/core/dictionary.ts'
import {
  fieldLabel,
  fieldsTelling,
  lessonField,
  type FieldsWith,
} from '../../../../contract/programme/lessons/lesson-fields.ts'
import type { ExportColumn } from '../../../core/export/columns.ts'
import type { CellValue } from '../../../core/sheets/cell-xml.ts'

const exported = fieldsTelling('exported')

/** The columns of the exported list that the descriptions of fields ask for. */
export const exportedColumns: readonly ExportColumn<object>[] = exported.map(
  ([key, { label = fieldLabel(key), width, kind }]) => ({
    label,
    width,
    kind,
    valueOf: (row) => cellOf(key, (row as Readonly<Record<string, unknown>>)[key]),
  }),
)

/** What the export reads for them. */
export const exportedFields = exported.map(
  ([field]) =>
    `lesson.${field as Extract<typeof field, FieldsWith<{ row: unknown }> | FieldsWith<{ detail: unknown }>>}` as const,
)

/** Codes in words, several of them parted by 、; everything else as it is. */
function cellOf(key: string, value: unknown): CellValue {
  const { stored, dictionary } = lessonField(key) ?? {}
  const type = stored === 'flag' ? 'yes_no' : dictionary
  if (!type || value === null || value === undefined) return value as CellValue
  return [value]
    .flat()
    .map((one) => labelOf(type, String(one)))
    .join('、')
}
