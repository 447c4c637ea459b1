import { z } from 'zod'
import { id, pick } from '../core/fields.ts'

/** What can be imported from a sheet. Each kind has its own right; the calls check it. */
export const importKinds = [
  'college', 'major', 'class', 'department', 'departmentUser', 'student', 'teacher', 'roleUser', 'leagueSecretary', 'circleMember', 'lesson', 'question',
  'lessonApply', 'signIn',
] as const
export type ImportKind = (typeof importKinds)[number]
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

/** new and update are written; same needs nothing; conflict and fault are never written. */
export const verdicts = ['new', 'update', 'same', 'conflict', 'fault'] as const
export type Verdict = (typeof verdicts)[number]

export const batchStates = { waiting: '0', committed: '1', undone: '2', discarded: '3' } as const

/** An import as a whole. `successCount` and `failCount` say what was, or on commit would be, written and left out. */
export const importBatch = z.object({
  ibId: z.string(),
  ibKind: z.string(),
  ibStatus: z.enum(['0', '1', '2', '3']),
  /** Names the workbook of the faulty rows; empty when there are none. */
  errorId: z.string(),
  fileName: z.string(),
  createName: z.string(),
  createTime: z.string(),
  commitTime: z.string().nullable(),
  undoTime: z.string().nullable(),
  newCount: z.number(),
  updateCount: z.number(),
  sameCount: z.number(),
  conflictCount: z.number(),
  faultCount: z.number(),
  successCount: z.number(),
  failCount: z.number(),
  /** `commit`, `undo`, `discard`: what the caller may do to it now. */
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
  /** What an update would change; sensitive values are masked. */
  changes: z.array(z.object({ key: z.string(), label: z.string(), from: z.string(), to: z.string() })),
})
export type ImportRow = z.infer<typeof importRow>
