import { expect } from 'vitest'
import { labelOf } from '../../contract/core/dictionary.ts'
import type { studentStatApi } from '../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { teacherStatApi } from '../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import type { CallInput } from './statistics-asked.ts'
import { by, grouped, total } from './statistics-numbers.ts'
import type { Wanted } from './statistics-oracle.ts'
import type { Person } from './statistics-raw.ts'

/**
 * Whether somebody may see the political status of each person counted under a right: `pii:view` through the same
 * roles.
 */
const seesEach = ({ asker: { roles } }: CallInput, permit: string): boolean => {
  const [open, counted] = ['pii:view', permit].map((right) => roles.filter(({ permits }) => permits.includes(right)))
  return (
    open!.some(({ area }) => area === 'whole') ||
    (open!.length > 0 && open!.length === counted!.length && open!.every((role) => counted!.includes(role)))
  )
}

/**
 * Whom the few of another part must not be told of by what is left of the whole: the smallest of the parts that show a
 * group hides it, where fewer than five of it are hidden elsewhere.
 */
function hiddenOf(part: string, parts: ReadonlyMap<string, readonly Person[]>): Set<string> {
  const sizes = [...parts].flatMap(([id, people]) =>
    [...grouped(people, (p) => p.suiPolitical ?? '')].map(([key, own]) => ({ id, key, size: own.length })),
  )
  return new Set(
    [...grouped(sizes, ({ key }) => key)].flatMap(([key, own]) => {
      const few = total(own.filter(({ size }) => size < 5).map(({ size }) => size))
      const [smallest] = own
        .filter(({ size }) => size >= 5)
        .toSorted(
          by(
            ({ size }) => size,
            ({ id }) => id,
          ),
        )
      return few > 0 && few < 5 && smallest?.id === part ? [key] : []
    }),
  )
}

/**
 * Groups under five are put together, and the next smallest joins them while they are under five together (decision
 * 022). Which of several as small joins is not told, so groups are taken as they were answered and their sizes
 * compared. Who may not see it of each person is told it of their area, of one college or of one grade.
 * @param area all people of the area @param among those the filter leaves
 */
export async function politicalStatus(
  asked: CallInput,
  call: typeof studentStatApi.political | typeof teacherStatApi.political,
  wanted: Wanted,
  area: readonly Person[],
  among: readonly Person[],
  more: (own: readonly Person[]) => object,
): Promise<void> {
  const isOpen = seesEach(asked, call.permit)
  const { collegeId, grade } = wanted
  if (
    !isOpen &&
    call.path.startsWith('/studentStatistics') &&
    (wanted.majorId || wanted.scClassId || wanted.everybody || (collegeId && grade))
  ) {
    await asked.same(call, wanted, [
      { key: 'coarse', name: '政治面貌只按学院或年级之一统计在读学生', value: null, avgHours: null },
    ])
    return
  }
  const parts = grouped(area, (p) => (collegeId ? p.suiCollegeId : p.suiGrade) ?? '')
  const part = isOpen ? undefined : (collegeId ?? grade)
  const people = part === undefined ? among : (parts.get(part) ?? [])
  const hidden = part === undefined ? new Set<string>() : hiddenOf(part, parts)
  const what = `${asked.asker.name} ${call.path} ${JSON.stringify(wanted)}`
  const groups = grouped(people, (p) => p.suiPolitical ?? '')
  const isFew = ([key, own]: [string, readonly Person[]]) => own.length < 5 || hidden.has(key)
  const few = [...groups].filter(isFew).map(([, own]) => own.length)
  const shown = [...groups]
    .filter((group) => !isFew(group))
    .map(([, own]) => own.length)
    .toSorted((a, b) => b - a)
  // a group that is hidden for another part's sake would be told by its size where it stood alone
  while (few.length > 0 && shown.length > 0 && (total(few) < 5 || (few.length === 1 && few[0]! >= 5)))
    few.push(shown.pop()!)
  const answer = await asked.send(call, wanted)
  const named = answer.filter(({ key }) => key !== 'other')
  expect(
    named.map(({ value }) => value),
    what,
  ).toEqual(shown)
  expect(
    named.filter(({ key }) => hidden.has(key)),
    what,
  ).toEqual([])
  const rest = people.filter((p) => !named.some(({ key }) => key === (p.suiPolitical ?? '')))
  const isTold = rest.length >= 5
  const expected = [
    ...named.map(({ key }) => ({
      key,
      name: key === '' ? '未登记' : labelOf('political', key),
      value: groups.get(key)?.length,
      ...more(groups.get(key) ?? []),
    })),
    ...(few.length > 0
      ? [
          {
            key: 'other',
            name: '其他（不足 5 人的合并）',
            value: isTold ? rest.length : null,
            ...Object.fromEntries(Object.entries(more(rest)).map(([key, value]) => [key, isTold ? value : null])),
          },
        ]
      : []),
  ]
  asked.seen.note(call.path, expected, answer)
  expect(answer, what).toEqual(expected)
}
