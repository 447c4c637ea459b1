import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { isOpenOn, type SupplementWindow } from '../../../contract/rules/curriculum/supplement-window.ts'

/** What a node itself says about supplements. */
export interface RecordingNode {
  lsId: string
  lsPath: string[]
  lsType: string
  enable: string
  allowSup: string
  supWindow: SupplementWindow | null
  supProofs: string[]
  supNote: string
}

/** What holds for a node once those above it have been asked; a null window is the whole year. */
export interface Recording {
  isOpen: boolean
  window: SupplementWindow | null
  supProofs: string[]
  supNote: string
}

/**
 * Whether and how a node takes supplements on a day: it and all above it must be enabled and allow them; window, proofs
 * and note are the nearest ones on the way up. Null where it takes none at any time.
 * @param usual the window where no node on the way says one
 */
export function recordingOf(
  node: RecordingNode,
  byId: ReadonlyMap<string, RecordingNode>,
  today: string,
  usual: SupplementWindow | null = null,
): Recording | null {
  const path = node.lsPath.flatMap((lsId) => byId.get(lsId) ?? []).toReversed()
  if (
    path.some(
      ({ enable, allowSup, lsType }) =>
        enable !== enableStatus.enabled || allowSup !== yesNo.yes || lsType === curriculumType.lessons,
    )
  )
    return null
  const window = path.find(({ supWindow }) => supWindow !== null)?.supWindow ?? usual
  return {
    isOpen: isOpenOn(window, today),
    window,
    supProofs: path.find(({ supProofs }) => supProofs.length > 0)?.supProofs ?? [],
    supNote: path.find(({ supNote }) => supNote !== '')?.supNote ?? '',
  }
}
