// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { ListContext } from '../../core/list/list-context.ts'
import { useList, type List } from '../../core/list/use-list.ts'
import { queryClient } from '../../core/service/use-call.ts'
import { draw } from '../../testing/draw.ts'
import { GradeFilter } from './places.tsx'

const [major, of] = ['0197c1a0-0000-7000-8000-000000000001', '0197c1a0-0000-7000-8000-000000000002']

function Students() {
  const list = useList(studentApi.list, {
    keep: 'memory',
    initial: { majorId: major, scClassId: of, suiGrade: '2023' },
  })
  return (
    <ListContext value={list as List<unknown>}>
      <GradeFilter name="suiGrade" clears={['scClassId']} />
      <output>{JSON.stringify(list.state.filters)}</output>
    </ListContext>
  )
}

test('another year drops the class, which is of one year, and leaves the major', async () => {
  vi.stubGlobal('fetch', (url: string) => {
    const data = url.includes(regionApi.grades.path)
      ? ['2024', '2023'].map((id) => ({ id, name: `${id}级` }))
      : { records: [], total: 0, size: 10, current: 1, pages: 0 }
    return Promise.resolve(new Response(JSON.stringify({ code: 200, msg: '', data })))
  })
  const place = draw(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <Students />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const filters = () => JSON.parse(place.querySelector('output')!.textContent) as Record<string, string>
  expect(filters()).toEqual({ majorId: major, scClassId: of, suiGrade: '2023' })
  place.querySelector('[role=combobox]')!.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  const choice = await vi.waitFor(() => {
    const found = document.querySelector<HTMLElement>('.ant-select-item-option[title="2024级"]')
    expect(found).not.toBeNull()
    return found!
  })
  choice.click()
  await vi.waitFor(() => expect(filters()).toEqual({ majorId: major, suiGrade: '2024' }))
})
