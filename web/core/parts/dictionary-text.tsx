import { entriesOf, labelOf, type DictionaryEntry } from '../service/dictionary-store.ts'

/** The entries of a dictionary, ready to be offered: `useDictionary('lesson_status')`. */
export const useDictionary = (type: string): DictionaryEntry[] => entriesOf(type)

/** A stored value in words. */
export function DictionaryText({ type, value }: { type: string; value: string | number | null | undefined }) {
  return <>{labelOf(type, value)}</>
}
