import type { Difference } from '../../../contract/core/difference.ts'
import { labelOf, type DictionaryType } from '../../../contract/core/dictionary.ts'

/**
 * What a record says when it is submitted, field by field in words, kept with the submission: so that the next one can
 * tell its reviewers what has changed since, whatever became of the record in between. Pure.
 */

/** One thing that a submission says. `none`: how to call it where another submission does not know it. */
export interface ContentField {
  field: string
  label: string
  value: string
  none?: string
}

/** Differences a reviewer is shown one by one; of more only the number is told besides. */
const maxTold = 200

/** What two submissions say differently, in the order of the later one, then what it no longer knows. */
export function differencesBetween(before: readonly ContentField[], after: readonly ContentField[]): Difference[] {
  const earlier = new Map(before.map((one) => [one.field, one]))
  const later = new Set(after.map(({ field }) => field))
  const told = [
    ...after.map((one) => ({ now: one, was: earlier.get(one.field) })),
    ...before.filter(({ field }) => !later.has(field)).map((one) => ({ now: undefined, was: one })),
  ].flatMap(({ now, was }) => {
    const { field, label, none = '未填写' } = (now ?? was)!
    const [old, fresh] = [was?.value ?? none, now?.value ?? none]
    if (old === fresh) return []
    const [left, right] = excerpts(old, fresh)
    return [{ field, label, before: left, after: right }]
  })
  if (told.length <= maxTold) return told
  const more = { field: 'more', label: '其余', before: '', after: `另有 ${told.length - maxTold} 处不同，见完整内容` }
  return [...told.slice(0, maxTold), more]
}

/** Texts up to so many characters are told whole. */
const longest = 160
/** Characters left standing on both sides of what differs in a longer one. */
const around = 30

/** Of two long texts the part in which they differ, with what stands around it. */
function excerpts(one: string, other: string): [string, string] {
  if (one.length <= longest && other.length <= longest) return [one, other]
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const [from, left] = [Math.max(0, start - around), Math.max(0, end - around)]
  const cut = (text: string) => {
    const part = text.slice(from, text.length - left)
    const whole = part.length > 2 * longest ? `${part.slice(0, longest)}……${part.slice(-longest)}` : part
    return `${from > 0 ? '…' : ''}${whole}${left > 0 ? '…' : ''}`
  }
  return [cut(one), cut(other)]
}

/** How values of a field are told. `none`: having none; `unit` follows a number. */
interface Wording {
  none?: string | undefined
  dictionary?: DictionaryType | undefined
  unit?: string | undefined
}

/**
 * A value in words.
 * @param names what ids are called
 */
export function wordsOf(
  value: unknown,
  { none = '未填写', dictionary, unit = '' }: Wording = {},
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const word = (one: unknown): string => {
    const text = String(one)
    return dictionary ? labelOf(dictionary, text) : (names.get(text) ?? text)
  }
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return none
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) return value.map(word).join('、')
  if (typeof value === 'object') return JSON.stringify(value)
  const text = word(value)
  return `${/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? text.slice(0, 16) : text}${unit}`
}
