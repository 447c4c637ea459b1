import { useDirty } from '../service/tab.ts'

/**
 * What a dialog's `Modal` takes so that a slip loses nothing: while something is typed or chosen in it, neither a click
 * beside it nor Escape closes it (its buttons do), and its tab asks before it is left.
 */
export function useGuardedDialog(isTyped: boolean): { mask: { closable: boolean }; keyboard: boolean } {
  useDirty(isTyped)
  return { mask: { closable: !isTyped }, keyboard: !isTyped }
}
