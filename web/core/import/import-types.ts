import type { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import type {
  ImportBatch,
  ImportKind,
  ImportTarget,
  Verdict,
} from '../../../contract/platform/imports/imports.schema.ts'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import type { ChipTone } from '../parts/status-chip.tsx'

export type { FileColumns, ImportBatch, ImportRow, Verdict } from '../../../contract/platform/imports/imports.schema.ts'

/** One import: the calls, the kind, and the record it goes into. */
export interface ImportJob {
  api: typeof importApi
  kind: ImportKind
  target?: ImportTarget
}

export const verdictWords: Record<Verdict, string> = {
  fault: '错误',
  conflict: '冲突',
  new: '新增',
  update: '更新',
  same: '未变',
  skip: '跳过',
}
export const verdictTones: Record<Verdict, ChipTone> = {
  fault: 'refused',
  conflict: 'waiting',
  new: 'finished',
  update: 'published',
  same: 'draft',
  skip: 'draft',
}
/** What is wrong first, then what would be written. */
export const verdictOrder = ['fault', 'conflict', 'new', 'update', 'same', 'skip'] as const satisfies readonly Verdict[]

export const countOf = (batch: ImportBatch, verdict: Verdict): number => batch[`${verdict}Count`]

/** What a person should look at first. */
export const worstOf = (batch: ImportBatch): Verdict =>
  verdictOrder.find((verdict) => countOf(batch, verdict) > 0) ?? 'new'

export const stateTones: Record<string, ChipTone> = {
  [importStatus.ready]: 'waiting',
  [importStatus.imported]: 'finished',
  [importStatus.undone]: 'draft',
  [importStatus.discarded]: 'draft',
  [importStatus.checking]: 'published',
  [importStatus.awaitingColumns]: 'waiting',
  [importStatus.importing]: 'published',
  [importStatus.undoing]: 'published',
  [importStatus.checkFailed]: 'refused',
}

/** Whether work goes on that can be watched. */
export const isBusy = ({ ibStatus }: ImportBatch): boolean =>
  ibStatus === importStatus.checking || ibStatus === importStatus.importing || ibStatus === importStatus.undoing

/** Whether the person still has something to decide. */
export const isOpen = (batch: ImportBatch): boolean =>
  isBusy(batch) || batch.can.some((act) => act === 'commit' || act === 'match')
