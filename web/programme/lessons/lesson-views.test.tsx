// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { queryClient } from '../../core/service/use-call.ts'
import { draw } from '../../testing/draw.ts'
import { useLessonViews } from './lesson-views.ts'

function Counted({ named }: { named?: string[] }) {
  useLessonViews(
    { query: { liName: '讲座', liStatus: lessonStatus.published, myLesson: '1', sort: 'startTime', order: 'desc' } },
    named,
  )
  return null
}

test.each([
  ['of a list whose views name states alone', undefined, '讲座 1'],
  ['of a list one of whose views is one’s own', ['liStatus', 'myLesson'], '讲座 -'],
])('views %s count what a click on them shows', async (_, named, counted) => {
  const asked: URLSearchParams[] = []
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(new URL(url, 'http://here').searchParams)
    return Promise.resolve(new Response(JSON.stringify({ code: 200, msg: '', data: [] })))
  })
  draw(
    <QueryClientProvider client={queryClient}>
      <Counted {...(named && { named })} />
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect([asked[0]!.get('liName'), asked[0]!.get('myLesson') ?? '-'].join(' ')).toBe(counted)
  expect(['liStatus', 'sort', 'order'].some((name) => asked[0]!.has(name))).toBe(false)
})
