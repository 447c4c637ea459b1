import type { z } from 'zod'
import type { DictionaryType } from '../../core/dictionary.ts'
import type { SheetColumn } from '../../core/sheets.ts'

/**
 * One field of a course that a person fills in: all that form, database, answers, approval of changes, audit trail,
 * sheets and pages have to know of it (docs/how-to/add-a-field.md).
 */
export interface LessonField {
  /** What the form takes. The label in its `meta` is the field's name wherever people read of it. */
  readonly schema: z.ZodType
  /**
   * The column of the same name and what it holds: the value as it is; `blank` or `null` where nothing was given; a
   * `flag` as `'1'` or `'0'`; `json`. A field `apart` has no column of its own.
   */
  readonly stored: 'value' | 'blank' | 'null' | 'flag' | 'json' | 'apart'
  /**
   * After approval an `approved` field changes only by another approval, a `free` one at once (docs/rules.md R4).
   */
  readonly change: 'approved' | 'free'
  /**
   * What answers tell of it: `row` in lists and with one course, `detail` with one course only. Fields that a query of
   * their own puts together have neither.
   */
  readonly row?: z.ZodType
  readonly detail?: z.ZodType
  /** It belongs to the date: a series moves it along with the start, a copy begins without it. */
  readonly isTimed?: true
  readonly dictionary?: DictionaryType
  /** What its ids are ids of. */
  readonly refersTo?:
    | 'curriculum'
    | 'level'
    | 'college'
    | 'major'
    | 'schoolClass'
    | 'department'
    | 'awardTemplate'
    | 'circle'
    | 'person'
    | 'file'
  /** `rich`: a text of the elements in contract/core/rich-text.ts; its pictures are files of the course. */
  readonly format?: 'rich'
  /** Follows the number where a change is told. */
  readonly unit?: string
  /** What having none means where a change is told; 未填写 unless given. */
  readonly none?: string
  /** The group of the course page it stands in. Facts that join several fields are written there by hand. */
  readonly fact?: {
    readonly group: 'basics' | 'place' | 'registration' | 'evaluation' | 'intro'
    readonly label?: string
    readonly isWide?: true
  }
  /** Its column in the sheet of courses to import, after those that stand there by hand. */
  readonly imported?: Omit<SheetColumn, 'key' | 'label'>
  /** Its column in the exported list of courses. */
  readonly exported?: Omit<SheetColumn, 'key' | 'label'> & { readonly label?: string }
}
