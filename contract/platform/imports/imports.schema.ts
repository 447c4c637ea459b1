import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { importType } from '../../core/codes/platform.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { id, pick, integer } from '../../core/fields.ts'

/** What can be imported from a sheet. Each kind has its own right; the calls check it. */
export const importKinds = codesOf(importType)
export type ImportKind = (typeof importKinds)[number]
/** Most rows of one file; each course is checked like one typed into the form. */
export const maxImportRows = (kind: string): number => (kind === importType.lesson ? 500 : 50_000)

export const importKind = pick('导入类型', importKinds)

/** The record that the rows are imported into, for kinds that have one. */
export const importTarget = z.object({
  liId: id('课程').optional(),
  itemId: id('场次').optional(),
  ciId: id('圈子').optional(),
  srId: id('角色').optional(),
  sdId: id('部门').optional(),
})
export type ImportTarget = z.output<typeof importTarget>

/**
 * new and update are written (update unless only new ones are wanted); same needs nothing; conflict, fault and skip are
 * never written.
 */
export const verdicts = ['new', 'update', 'same', 'conflict', 'fault', 'skip'] as const
export type Verdict = (typeof verdicts)[number]

/** An import as a whole. `successCount` and `failCount` say what was, or on commit would be, written and left out. */
export const importBatch = z.object({
  ibId: z.string(),
  ibKind: z.string(),
  ibStatus: z.enum(valuesOf('import_status')),
  /** Names the workbook of the faulty rows; empty when there are none. */
  errorId: z.string(),
  fileName: z.string(),
  createName: z.string(),
  createTime: z.string(),
  commitTime: z.string().nullable(),
  undoTime: z.string().nullable(),
  /** Rows of data in the file. */
  rowCount: z.number(),
  newCount: z.number(),
  updateCount: z.number(),
  sameCount: z.number(),
  conflictCount: z.number(),
  faultCount: z.number(),
  skipCount: z.number(),
  /** Rows to be written that deserve a look. */
  hintCount: z.number(),
  successCount: z.number(),
  failCount: z.number(),
  /** Records that exist already were or are to be left as they are. */
  newOnly: z.boolean(),
  /** The columns were matched by hand, now or for an earlier file with the same headers. */
  matched: z.boolean(),
  /** How far the work on it is, in per cent; null while nothing is being done. */
  progress: z.number().nullable(),
  /** What of the file was not read, or is imported although one does not see it. */
  notes: z.array(z.string()),
  /** Why the last check, commit or undo was not done; empty when it was. */
  fault: z.string(),
  /** `commit`, `undo`, `discard`, `match`, `cancel`: what the caller may do to it now. */
  can: z.array(z.string()),
})
export type ImportBatch = z.infer<typeof importBatch>

/** A column of the uploaded file, in the file's order. */
export const importColumn = z.object({ key: z.string(), label: z.string(), required: z.boolean() })

export const importRow = z.object({
  /** The row's number in the file, from 1. */
  rowNo: z.number(),
  verdict: z.enum(verdicts),
  /** The texts as read, by column key. */
  cells: z.record(z.string(), z.string()),
  /** Without a key, the fault concerns the whole row. */
  faults: z.array(z.object({ key: z.string().optional(), msg: z.string() })),
  /** What deserves a look although the row is written. */
  hints: z.array(z.object({ key: z.string().optional(), msg: z.string() })),
  /** What an update would change; sensitive values are masked. */
  changes: z.array(z.object({ key: z.string(), label: z.string(), from: z.string(), to: z.string() })),
})
export type ImportRow = z.infer<typeof importRow>

/**
 * Which column of a file means which field: its place from 0, and the field's key. A column that is left out is not
 * read.
 */
export const columnMatch = z.strictObject({
  at: integer('列', 0, 500),
  key: z.string('请选择字段').max(50, '字段不正确'),
})
export type ColumnMatch = z.infer<typeof columnMatch>

/** The columns of an uploaded file as they stand, and what they seem to mean. */
export const fileColumns = z.object({
  /** The row of the headers, and the rows that could be it. */
  headNo: z.number(),
  headNos: z.array(z.number()),
  columns: z.array(
    z.object({
      at: z.number(),
      /** As spreadsheet programs call it: `A`, `AB`. */
      letter: z.string(),
      head: z.string(),
      /** Some values below the header. */
      samples: z.array(z.string()),
      /** The field it is matched with or seems to mean; empty where none comes near. */
      key: z.string(),
    }),
  ),
  fields: z.array(importColumn.extend({ hint: z.string() })),
})
export type FileColumns = z.infer<typeof fileColumns>
