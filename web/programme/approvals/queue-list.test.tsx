// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { useList, type List } from '../../core/list/use-list.ts'
import { queryClient } from '../../core/service/use-call.ts'
import { draw } from '../../testing/draw.ts'
import { QueueList } from './queue-list.tsx'
import { queues } from './queues.ts'

// asked for as soon as what is drawn is read
vi.hoisted(() => {
  const listen = () => undefined
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: listen, removeEventListener: listen }))
})

function Published() {
  const list = useList(queues.publish.list, {
    keep: 'memory',
    initial: { tab: 'done', bizName: '讲座', startName: '王', sort: 'startName', order: 'asc' },
  })
  return (
    <>
      <QueueList
        queue={queues.publish}
        list={list as List<TaskRow>}
        views={[]}
        shown={undefined}
        onOpen={() => undefined}
        onDecided={() => undefined}
        onGo={() => undefined}
      />
      <output>{JSON.stringify(list.query)}</output>
    </>
  )
}

test('重置 takes back what a queue is searched by, in the tab that is open', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      new Response(
        JSON.stringify({ code: 200, msg: '', data: { records: [], total: 0, size: 10, current: 1, pages: 0 } }),
      ),
    ),
  )
  const place = draw(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <Published />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const reset = () => [...place.querySelectorAll('button')].find(({ textContent }) => textContent === '重置')
  const query = () => JSON.parse(place.querySelector('output')!.textContent) as Record<string, string>
  expect(query()).toMatchObject({ bizName: '讲座', startName: '王' })
  reset()!.click()
  await vi.waitFor(() => expect(query()).toEqual({ tab: 'done' }))
  expect(reset()).toBeUndefined()
})
