import type { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import type {
  ImportBatch,
  ImportKind,
  ImportTarget,
  Verdict,
} from '../../../contract/platform/imports/imports.schema.ts'
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

/** The states of a batch as the wizard goes through them; codes of the dictionary `import_status`. */
export const state = {
  waiting: '0',
  committed: '1',
  undone: '2',
  discarded: '3',
  checking: '4',
  matching: '5',
  committing: '6',
  undoing: '7',
  failed: '8',
} as const
export const stateTones: Record<string, ChipTone> = {
  '0': 'waiting',
  '1': 'finished',
  '2': 'draft',
  '3': 'draft',
  '4': 'published',
  '5': 'waiting',
  '6': 'published',
  '7': 'published',
  '8': 'refused',
}

/** Whether work goes on that can be watched. */
export const isBusy = ({ ibStatus }: ImportBatch): boolean =>
  ibStatus === state.checking || ibStatus === state.committing || ibStatus === state.undoing

/** Whether the person still has something to decide. */
export const isOpen = (batch: ImportBatch): boolean =>
  isBusy(batch) || batch.can.some((act) => act === 'commit' || act === 'match')

/** `1,234` */
export const figure = (count: number): string => count.toLocaleString('zh-CN')
