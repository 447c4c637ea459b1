import type { Checked } from '../../../contract/core/call.ts'
import type { schoolApi } from '../../../contract/school/school/school.calls.ts'
import type { Db } from '../../core/database/pool.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { need } from '../../core/base/need.ts'

/** What is public of a school, with how its name is read: whole, and the first letters of its syllables. */
export interface FoundSchool {
  schoolId: string
  schName: string
  signInHost: string | null
  whole: string
  initials: string
}

/** Schools that one answer tells. */
const maxFound = 10
/** Milliseconds for which a process keeps the list: one short statement, however many people type. */
const keptMs = 2000

const kept = new WeakMap<Db, { at: number; schools: Promise<FoundSchool[]> }>()
const readings = new Map<string, Pick<FoundSchool, 'whole' | 'initials'>>()

/** How a name is read: `qinghuadaxue` and `qhdx`. Letters and digits stand for themselves. */
export function readingOf(name: string): Pick<FoundSchool, 'whole' | 'initials'> {
  const known = readings.get(name)
  if (known) return known
  const { pinyin } = need('pinyin-pro') as typeof import('pinyin-pro')
  const syllables = pinyin(name.toLowerCase(), { toneType: 'none', type: 'array', v: true })
  const reading = { whole: syllables.join(''), initials: syllables.map((one) => one[0] ?? '').join('') }
  if (readings.size > 20_000) readings.clear()
  readings.set(name, reading)
  return reading
}

/**
 * How well a school is meant by what somebody typed; 0 for not at all. Its code or whole name first, then how its name
 * begins, then what is in it; the same of its reading after that.
 */
export function fitOf({ schoolId, schName, whole, initials }: FoundSchool, typed: string): number {
  const name = schName.toLowerCase()
  if (schoolId.toLowerCase() === typed || name === typed) return 7
  if (name.startsWith(typed)) return 6
  if (name.includes(typed)) return 5
  if (schoolId.toLowerCase().startsWith(typed)) return 4
  if (!/^[a-z0-9]+$/.test(typed)) return 0
  if (initials.startsWith(typed)) return 3
  if (whole.startsWith(typed)) return 2
  // one letter is in nearly every name
  return typed.length > 1 && (initials.includes(typed) || whole.includes(typed)) ? 1 : 0
}

/**
 * The schools that somebody may mean who has not signed in: by what they typed, or by the host that they came to.
 * Nothing is told but names and codes, and nothing of suspended schools.
 */
export async function searchSchools(ctx: PublicContext, { words, host }: Checked<typeof schoolApi.search>) {
  const schools = await publicSchools(ctx)
  const typed = words.toLowerCase().replace(/\s+/g, '')
  const own = typed === '' ? schools.filter(({ signInHost }) => signInHost !== null && signInHost === host) : []
  const found = own.length > 0 ? own : typed === '' ? schools : ranked(schools, typed)
  const records = found.slice(0, maxFound).map(({ schoolId, schName }) => ({ schoolId, schName }))
  return { schools: records, isByHost: own.length > 0, isMore: found.length > maxFound }
}

function ranked(schools: readonly FoundSchool[], typed: string): FoundSchool[] {
  return schools
    .map((school) => ({ school, fit: fitOf(school, typed) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit || a.school.schName.length - b.school.schName.length)
    .map(({ school }) => school)
}

function publicSchools({ db }: Pick<PublicContext, 'db'>): Promise<FoundSchool[]> {
  const known = kept.get(db)
  const now = performance.now()
  if (known && now - known.at < keptMs) return known.schools
  const schools = db
    .selectFrom('school')
    .select(['schoolId', 'schName', 'signInHost'])
    .where('suspendedTime', 'is', null)
    .orderBy('createTime')
    .orderBy('schoolId')
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, ...readingOf(row.schName) })))
  // what failed is not kept
  schools.catch(() => kept.delete(db))
  kept.set(db, { at: now, schools })
  return schools
}
