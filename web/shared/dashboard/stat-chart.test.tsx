// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { textOf } from '../../core/chart/chart-text.ts'
import { queryClient } from '../../core/service/use-call.ts'
import { draw } from '../../testing/draw.ts'
import { StatFigure } from './stat-chart.tsx'

// asked for as soon as what is drawn is read
vi.hoisted(() => {
  const listen = () => undefined
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: listen, removeEventListener: listen }))
})

const withQueries = (children: ReactNode) => (
  <QueryClientProvider client={queryClient}>
    <MemoryRouter>{children}</MemoryRouter>
  </QueryClientProvider>
)

test('the table of a chart tells its numbers as they are read, with and without a way to what they count', async () => {
  const place = draw(
    withQueries(
      <StatFigure
        title="各学院课程"
        label="各学院课程"
        kind="bars"
        rows={[{ name: '文学院', people: 12_345, hours: 1234.5 }]}
        columns={[
          { title: '学院', value: ({ name }) => name },
          { title: '人数', value: ({ people }) => people, to: ({ name }) => ({ name }) },
          { title: '学时', value: ({ hours }) => hours },
        ]}
      />,
    ),
  )
  ;[...place.querySelectorAll('button')].find(({ textContent }) => textContent === '表格')!.click()
  const cells = () => [...place.querySelectorAll('tbody td')]
  await vi.waitFor(() => expect(cells().map(({ textContent }) => textContent)).toEqual(['12,345', '1,234.5']))
  expect(cells()[0]!.querySelector('a')).not.toBeNull()
})

test('the words of the figures are explained beside the table too, what is about the drawing is not', async () => {
  const place = draw(
    withQueries(
      <StatFigure
        title="各标签得分"
        label="各标签得分"
        kind="bars"
        note="取前十名。"
        terms="P25 是分位数。"
        rows={[{ name: '创新创造', p25: 3 }]}
        columns={[
          { title: '能力', value: ({ name }) => name },
          { title: 'P25', value: ({ p25 }) => p25 },
        ]}
      />,
    ),
  )
  const notes = () => [...place.querySelectorAll('.chart-note')].map(({ textContent }) => textContent)
  expect(notes()).toEqual(['取前十名。', 'P25 是分位数。'])
  ;[...place.querySelectorAll('button')].find(({ textContent }) => textContent === '表格')!.click()
  await vi.waitFor(() => expect(notes()).toEqual(['P25 是分位数。']))
})

test('a number with a way is a number to the sheet', () => {
  expect(textOf(<a href="/list">{12_345}</a>)).toBe(12_345)
})
