// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { draw } from '../../testing/draw.ts'
import { ResultTable } from './case-parts.tsx'

test('the results of a course are told and summed as people read numbers', () => {
  const place = draw(
    <ResultTable
      results={[
        { awardName: '合格', count: 1200, hours: '2400.1', credit: '0.2' },
        { awardName: '一等奖', count: 3, hours: '9', credit: '0.1' },
      ]}
    />,
  )
  const rows = [...place.querySelectorAll('tr')].map((row) => [...row.children].map(({ textContent }) => textContent))
  expect(rows.slice(1)).toEqual([
    ['合格', '1,200', '2,400.1', '0.2'],
    ['一等奖', '3', '9', '0.1'],
    ['合计', '1,203', '2,409.1', '0.3'],
  ])
})
