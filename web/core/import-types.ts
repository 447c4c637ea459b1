import type { z } from 'zod'
import type { Call } from '../../contract/core/call.ts'

export type Verdict = 'new' | 'update' | 'same' | 'conflict' | 'fault'

export interface ImportBatch {
  ibId: string
  errorId: string
  fileName: string
  newCount: number
  updateCount: number
  sameCount: number
  conflictCount: number
  faultCount: number
  successCount: number
  failCount: number
  can: string[]
}

export interface ImportRow {
  rowNo: number
  verdict: Verdict
  cells: Record<string, string>
  faults: { key?: string | undefined; msg: string }[]
  changes: { key: string; label: string; from: string; to: string }[]
}

export interface ImportPage {
  records: ImportRow[]
  total: number
  batch: ImportBatch
  columns: { key: string; label: string; required: boolean }[]
}

type Gives<O> = Call<z.ZodType, z.ZodType<O>>

/** What the wizard needs of an import api; the compiler checks that the contract's api gives it. */
export interface ImportCalls {
  template: Call
  errors: Call
  upload: Gives<ImportBatch>
  preview: Gives<ImportPage>
  editRow: Gives<{ row: ImportRow; batch: ImportBatch }>
  commit: Gives<ImportBatch>
  undo: Gives<ImportBatch>
  discard: Gives<ImportBatch>
}

/** One import: the calls, the kind, and the record it goes into. */
export interface ImportJob {
  api: ImportCalls
  kind: string
  target?: Record<string, string>
}

export const verdictWords: Record<Verdict, string> = { fault: '错误', conflict: '冲突', new: '新增', update: '更新', same: '未变' }

export const countOf = (batch: ImportBatch, verdict: Verdict): number => batch[`${verdict}Count`]

/** What a person should look at first: what is wrong, then what would be written. */
export const worstOf = (batch: ImportBatch): Verdict =>
  (['fault', 'conflict', 'new', 'update', 'same'] as const).find((verdict) => countOf(batch, verdict) > 0) ?? 'new'
