// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, test, vi } from 'vitest'
import { queryClient } from '../../core/service/use-call.ts'
import { draw } from '../../testing/draw.ts'
import { BaseValues } from './base-values.tsx'

function Address() {
  return <output>{useLocation().search}</output>
}

test('the year whose values are shown is that of the address', async () => {
  const grades = ['2024', '2023', '2022']
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    const { grade = '2024' } = JSON.parse(body) as { grade?: string }
    const data = { grade, grades, termNo: 1, isDefault: true, version: 0, updateTime: null, modules: [], rows: [] }
    return Promise.resolve(new Response(JSON.stringify({ code: 200, msg: '', data })))
  })
  const place = draw(
    <MemoryRouter initialEntries={['/?tab=bases&grade=2023']}>
      <QueryClientProvider client={queryClient}>
        <BaseValues />
      </QueryClientProvider>
      <Address />
    </MemoryRouter>,
  )
  await vi.waitFor(() => expect(place.textContent).toContain('2023 级没有单独设置'))
  place.querySelector('[aria-label=年级]')!.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  const choice = await vi.waitFor(() => {
    const found = document.querySelector<HTMLElement>('.ant-select-item-option[title="2022 级"]')
    expect(found).not.toBeNull()
    return found!
  })
  choice.click()
  await vi.waitFor(() => expect(place.textContent).toContain('2022 级没有单独设置'))
  expect(place.querySelector('output')!.textContent).toContain('grade=2022')
})
