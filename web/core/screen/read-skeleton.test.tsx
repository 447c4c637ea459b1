// @vitest-environment jsdom
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { call } from '../../../contract/core/call.ts'
import { draw } from '../../testing/draw.ts'
import { queryClient, queryOf, useCall } from '../service/use-call.ts'
import { ReadSkeleton } from './read-skeleton.tsx'

const names = ['/first', '/second', '/third'].map((path) =>
  call('GET', path, { summary: '', permit: 'signed-in', input: z.object({}), output: z.string() }),
)

/** One of the two parts of a page, each with a read of its own. */
function Part({ at }: { at: number }) {
  const { data } = useCall(names[at]!, {})
  return data === undefined ? <ReadSkeleton /> : <p>{data}</p>
}

function OwnPart() {
  const { data, ...reading } = useCall(names[0]!, {})
  return data === undefined ? <ReadSkeleton reading={reading} /> : <p>{data}</p>
}

test('bones give way to a failure once nothing more comes, and come back while it is read again', async () => {
  const answers = new Map<string, (is: Response | Error) => void>()
  vi.stubGlobal(
    'fetch',
    (url: string) =>
      new Promise((resolve, reject) =>
        answers.set(url.replace(/^.*base|\?.*$/g, ''), (answer) =>
          answer instanceof Error ? reject(answer) : resolve(answer),
        ),
      ),
  )
  const done = (data: string) => new Response(JSON.stringify({ code: 200, msg: '', data }))
  const place = draw(
    <QueryClientProvider client={queryClient}>
      <Part at={0} />
      <Part at={1} />
    </QueryClientProvider>,
  )
  const bones = () => place.querySelectorAll('.ant-skeleton').length
  const retry = () => place.querySelector('button')
  await vi.waitFor(() => expect([answers.size, bones()]).toEqual([2, 2]))
  answers.get('/first')!(new TypeError('Failed to fetch'))
  await vi.waitFor(() => expect(queryClient.getQueryState([names[0]!.path, {}])?.status).toBe('error'))
  expect([retry(), bones()]).toEqual([null, 2])
  answers.get('/second')!(done('乙'))
  await vi.waitFor(() => expect(place.textContent).toBe('未能取得数据可能是网络暂时中断，请重试。重试乙'))

  // what else is asked for meanwhile does not take the button away
  const leave = new QueryObserver(queryClient, queryOf(names[2]!, {})).subscribe(() => undefined)
  await vi.waitFor(() => expect(answers.has('/third')).toBe(true))
  expect([queryClient.getQueryState([names[2]!.path, {}])?.fetchStatus, bones()]).toEqual(['fetching', 0])
  expect(retry()).not.toBeNull()
  leave()

  answers.clear()
  retry()!.click()
  await vi.waitFor(() => expect([[...answers.keys()], bones()]).toEqual([['/first'], 1]))
  answers.get('/first')!(done('甲'))
  await vi.waitFor(() => expect(place.textContent).toBe('甲乙'))
})

test('a part that says what it stands for tells its failure while others are still awaited', async () => {
  queryClient.clear()
  vi.stubGlobal('fetch', (url: string) =>
    url.includes('/first') ? Promise.reject(new TypeError('Failed to fetch')) : new Promise(() => undefined),
  )
  const place = draw(
    <QueryClientProvider client={queryClient}>
      <OwnPart />
      <Part at={1} />
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(place.querySelectorAll('button')).toHaveLength(1))
  expect(place.querySelectorAll('.ant-skeleton')).toHaveLength(1)
})
