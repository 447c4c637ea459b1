import { entriesOf, labelOf, type DictEntry } from './dictionary.ts'

/** The entries of a dictionary, ready to be offered: `useDict('lesson_status')`. */
export const useDict = (type: string): DictEntry[] => entriesOf(type)

/** A stored value in words. */
export function DictText({ type, value }: { type: string; value: string | number | null | undefined }) {
  return <>{labelOf(type, value)}</>
}
