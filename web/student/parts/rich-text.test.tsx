// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { draw } from '../../testing/draw.ts'
import { RichText } from './rich-text.tsx'

test('a picture that did not come says so, and comes when it is asked for again', async () => {
  const asked = vi.fn<() => Promise<Response>>().mockRejectedValueOnce(new TypeError('Failed to fetch'))
  asked.mockResolvedValue(new Response('png', { headers: { 'content-type': 'image/png' } }))
  vi.stubGlobal('fetch', asked)
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
  const place = draw(
    <RichText html='<p><img src="/api/schoolbase/file/view?id=0198c0de-0000-7000-8000-000000000001"></p>' />,
  )
  await vi.waitFor(() => expect(place.querySelector('button')?.textContent).toBe('图片未能加载，点按重试'))
  place.querySelector('button')!.click()
  await vi.waitFor(() => expect(place.querySelector('img')?.getAttribute('src')).toBe('blob:picture'))
  expect(place.querySelector('button')).toBeNull()
})
