import { localStore } from './storage.ts'

/** One value of a dictionary as it is offered and shown. */
export interface DictionaryEntry {
  value: string
  label: string
  sort: number
}

/** All dictionaries of a school by type, with the version they were fetched at. */
interface Dictionary {
  version: string
  types: Record<string, DictionaryEntry[]>
}

let kept: Dictionary | undefined

/** The version of the stored dictionaries; undefined where none are stored. */
export const dictionaryVersion = (): string | undefined => dictionary()?.version

/** Stores the dictionaries for the next starts. */
export function storeDictionary(next: Dictionary): void {
  kept = next
  localStore.set('dictionary', next)
}

const none: DictionaryEntry[] = []

/** The entries of a dictionary in their order; an unknown type has none. */
export const entriesOf = (type: string): DictionaryEntry[] => dictionary()?.types[type] ?? none

/** The label of a stored value; the value itself where the dictionary does not know it. */
export function labelOf(type: string, value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return ''
  return entriesOf(type).find((entry) => entry.value === String(value))?.label ?? String(value)
}

function dictionary(): Dictionary | undefined {
  kept ??= localStore.get<Dictionary>('dictionary')
  return kept
}
