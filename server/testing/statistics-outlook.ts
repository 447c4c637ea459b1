import { expect } from 'vitest'
import { labelOf } from '../../contract/core/dictionary.ts'
import type { studentStatApi } from '../../contract/statistics/student-statistics.calls.ts'
import type { teacherStatApi } from '../../contract/statistics/teacher-statistics.calls.ts'
import type { Asked } from './statistics-asked.ts'
import { grouped, total } from './statistics-numbers.ts'
import type { Wanted } from './statistics-oracle.ts'
import type { Person } from './statistics-raw.ts'

/** Whether somebody may see the outlook of each person counted under a right: `pii:view` through the same roles. */
const seesEach = ({ asker: { roles } }: Asked, permit: string): boolean => {
  const [open, counted] = ['pii:view', permit].map((right) => roles.filter(({ permits }) => permits.includes(right)))
  return open!.some(({ area }) => area === 'whole') || (open!.length > 0 && open!.length === counted!.length && open!.every((role) => counted!.includes(role)))
}

/**
 * Groups under five are put together, and the next smallest joins them while they are under five together (decision 022). Which of several as
 * small joins is not told, so groups are taken as they were answered and their sizes compared.
 */
export async function outlook(asked: Asked, call: typeof studentStatApi.political | typeof teacherStatApi.political, wanted: Wanted, people: readonly Person[], more: (own: readonly Person[]) => object): Promise<void> {
  if (!seesEach(asked, call.permit)) return
  const what = `${asked.asker.name} ${call.path} ${JSON.stringify(wanted)}`
  const groups = grouped(people, (p) => p.suiPolitical ?? '')
  const sizes = [...groups.values()].map((own) => own.length).toSorted((a, b) => b - a)
  const few = sizes.filter((size) => size < 5)
  const shown = sizes.filter((size) => size >= 5)
  while (few.length > 0 && total(few) < 5 && shown.length > 0) few.push(shown.pop()!)
  const answer = await asked.send(call, wanted)
  const named = answer.filter(({ key }) => key !== 'other')
  expect(named.map(({ value }) => value), what).toEqual(shown)
  const rest = people.filter((p) => !named.some(({ key }) => key === (p.suiPolitical ?? '')))
  const isTold = rest.length >= 5
  const expected = [
    ...named.map(({ key }) => ({ key, name: key === '' ? '未登记' : labelOf('political', key), value: groups.get(key)?.length, ...more(groups.get(key) ?? []) })),
    ...(few.length > 0 ? [{ key: 'other', name: '其他（不足 5 人的合并）', value: isTold ? rest.length : null, ...Object.fromEntries(Object.entries(more(rest)).map(([key, value]) => [key, isTold ? value : null])) }] : []),
  ]
  asked.seen.note(call.path, expected, answer)
  expect(answer, what).toEqual(expected)
}
