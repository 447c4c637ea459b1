import type { AuditChange } from '../../../contract/school/audit/audit.schema.ts'
import { labelOf, type DictionaryType } from '../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { allPermits } from '../../../contract/index.ts'
import { nationName } from '../../../contract/school/people/nations.ts'
import { settingText } from '../../../contract/school/school/setting-values.ts'
import { rightName } from '../../../contract/school/roles/right-words.ts'
import { dictionaryOf, referenceOf, wordsFor, type FieldWord } from './field-words.ts'
import { nameKey, type Names, type RefKind } from './names.queries.ts'

/** What an audit row says changed, as it is stored. */
interface StoredChange {
  bizType: string
  action: string
  before: unknown
  after: unknown
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Longest text of one value; an introduction of thousands of characters is not read in a timeline. */
const maxLength = 300

/** What the rows refer to by id, so that all names are fetched at once. */
export function referredTo(rows: readonly StoredChange[]): Map<RefKind, Set<string>> {
  const found = new Map<RefKind, Set<string>>()
  const look = (name: string, value: unknown): void => {
    if (Array.isArray(value)) return value.forEach((one) => look(name, one))
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).forEach(([inner, one]) => look(inner, one))
    const kind = referenceOf[name]
    if (!kind || typeof value !== 'string' || !(kind === 'level' ? value !== '' : uuid.test(value))) return
    found.set(kind, (found.get(kind) ?? new Set()).add(value))
  }
  for (const { before, after } of rows) for (const side of [before, after]) look('', side)
  return found
}

/**
 * The fields that differ between before and after, in words. Fields without a Chinese name are left out, or with `all`
 * told by the name they are stored under.
 */
export function changesOf(
  { bizType, action, before, after }: StoredChange,
  names: Names,
  { all = false } = {},
): AuditChange[] {
  const words = wordsFor(bizType, action)
  const [old, now] = [fieldsIn(before), fieldsIn(after)]
  // in the order of the form; the database keeps none
  const place = new Map([...words.keys()].map((name, at) => [name, at]))
  const order = (name: string) => place.get(name) ?? place.size
  return [...new Set([...Object.keys(now), ...Object.keys(old)])]
    .toSorted((a, b) => order(a) - order(b))
    .flatMap((name) => {
      // holidays are told by their own names
      const word = bizType === 'holiday' ? { label: name } : words.get(name)
      if ((!word && !all) || JSON.stringify(old[name] ?? null) === JSON.stringify(now[name] ?? null)) return []
      const say = (value: unknown) =>
        clipped(
          bizType === 'settings'
            ? settingText(name, value, (id) => names.get(nameKey('level', id)) ?? id)
            : textOf(name, value, { words, names, action }),
        )
      const change = { label: word?.label ?? name, before: say(old[name]), after: say(now[name]) }
      return change.before === change.after && !all ? [] : [change]
    })
}

const fieldsIn = (side: unknown): Record<string, unknown> =>
  typeof side === 'object' && side !== null && !Array.isArray(side) ? (side as Record<string, unknown>) : {}
const clipped = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)

interface Book {
  words: ReadonlyMap<string, FieldWord>
  names: Names
  action: string
}

function textOf(name: string, value: unknown, book: Book): string {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value))
    return value
      .map((one) => textOf(name, one, book))
      .filter(Boolean)
      .join(value.some((one) => typeof one === 'object') ? '；' : '、')
  if (typeof value === 'object') return objectText(value as Record<string, unknown>, book)
  if (typeof value === 'boolean') return value ? '是' : '否'
  return scalarText(name, value as string | number, book)
}

/** `一等奖（学时 2.5，学分 0.1）`: what names the thing first, whatever order the database keeps. */
function objectText(value: Record<string, unknown>, book: Book): string {
  const texts = Object.entries(value)
    .map(([inner, one]) => ({ inner, text: textOf(inner, one, book) }))
    .filter(({ text }) => text !== '')
  const isName = (inner: string) => inner.endsWith('Name') || referenceOf[inner] !== undefined
  const head = texts
    .filter(({ inner }) => isName(inner))
    .map(({ text }) => text)
    .join(' ')
  const facts = texts
    .flatMap(({ inner, text }) =>
      !isName(inner) && book.words.has(inner) ? [`${book.words.get(inner)!.label} ${text}`] : [],
    )
    .join('，')
  return head && facts ? `${head}（${facts}）` : head || facts
}

function scalarText(name: string, value: string | number, { words, names, action }: Book): string {
  const reference = referenceOf[name]
  const text = String(value)
  if (reference) return names.get(nameKey(reference, text)) ?? (uuid.test(text) ? '已删除的记录' : text)
  if (name === 'suiStatus') return labelOf(action.includes('教师') ? 'teacher_status' : 'student_status', text)
  if (name === 'suiNation') return nationName(text) ?? ''
  if (name === 'permits') return permitName(text)
  if (name === 'state') return states[text] ?? text
  const dictionary: DictionaryType | undefined = dictionaryOf[name]
  if (dictionary) return labelOf(dictionary, text)
  if (typeof value === 'number') return words.get(name)?.amount ? fromHundredths(value) : text
  if (uuid.test(text)) return ''
  return /<\w+[^>]*>/.test(text)
    ? text
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : text
}

const states: Record<string, string> = { passed: '通过', refused: '驳回', running: '继续审批' }

function permitName(permit: string): string {
  const right = allPermits.get(permit)
  return right ? `${right.group}·${rightName(permit, right.acts)}` : permit
}
