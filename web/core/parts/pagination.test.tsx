// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { draw } from '../../testing/draw.ts'
import { PaginationBar } from './pagination.tsx'

const many = { current: 1480, pageSize: 10, total: 294_140 }
const itemsOf = (place: HTMLElement) =>
  [...place.querySelectorAll('.ant-pagination-item')].map(({ textContent }) => textContent)

test('the numbers of pages are written with separators', () => {
  const place = draw(<PaginationBar {...many} onChange={() => undefined} />)
  expect(itemsOf(place)).toEqual(['1', '1,479', '1,480', '1,481', '29,414'])
})

test('where there is little room, the page is told among all of them, and another one can be typed', () => {
  const onChange = vi.fn()
  const place = draw(<PaginationBar {...many} isNarrow onChange={onChange} />)
  expect(itemsOf(place)).toEqual(['1,480 / 29,414'])
  expect(place.querySelector('[aria-label="下一页"]')).not.toBeNull()
  expect(place.querySelector('.ant-pagination-options input')).not.toBeNull()
  place.querySelector<HTMLElement>('.ant-pagination-next')!.click()
  expect(onChange).toHaveBeenCalledWith(1481, 10)
})

test('among a few pages none is typed', () => {
  const place = draw(<PaginationBar current={2} pageSize={10} total={50} isNarrow onChange={() => undefined} />)
  expect(itemsOf(place)).toEqual(['2 / 5'])
  expect(place.querySelector('input')).toBeNull()
})
