import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { lessonKind } from '../../../contract/core/codes/programme.ts'
import { emptyText, filterCount, listInput } from './activity-filters.ts'

// a Sunday, whose week began on Monday the 16th
const today = dayjs('2026-11-22')

test.each([
  ['', { open: '1' }, 0],
  ['view=all', {}, 0],
  ['view=mine&q= 讲座 ', { mine: '1', liName: '讲座' }, 0],
  [`view=nonsense&kind=${lessonKind.volunteering}`, { open: '1', liKind: lessonKind.volunteering }, 1],
  ['view=all&when=today', { beginDate: '2026-11-22', endDate: '2026-11-22' }, 1],
  ['view=all&when=week', { beginDate: '2026-11-16', endDate: '2026-11-22' }, 1],
  ['view=all&when=month', { beginDate: '2026-11-01', endDate: '2026-11-30' }, 1],
  ['view=all&when=range&from=2026-11-25', { beginDate: '2026-11-25' }, 1],
  ['view=all&level=2&place=礼堂&credit=0.5', { liLevel: '2', placeText: '礼堂', minCredit: '0.5' }, 3],
])('the address %s asks for %o', (address, input, count) => {
  const query = new URLSearchParams(address)
  expect(listInput(query, today)).toEqual(input)
  expect(filterCount(query)).toBe(count)
})

test('an empty list says what to do about it', () => {
  const text = (address: string) => emptyText(new URLSearchParams(address))
  expect(text('kind=7&q=讲座')).toContain('清除筛选')
  expect(text('q=讲座')).toContain('换个词')
  expect(text('view=mine')).toContain('报名中')
  expect(text('')).toContain('全部')
})
