// @vitest-environment jsdom
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { call } from '../../../contract/core/call.ts'
import { draw } from '../../testing/draw.ts'
import { StoredImage } from './stored-file.tsx'

const view = call('GET', '/view', {
  summary: '',
  permit: 'signed-in',
  input: z.object({ id: z.string() }),
  output: z.any(),
})

test('a picture is shown under its own id alone, also while the next is on its way and where that does not come', async () => {
  const waiting = new Map<string, (response: Response | Error) => void>()
  vi.stubGlobal(
    'fetch',
    (address: string | URL) =>
      new Promise<Response>((done, fail) =>
        waiting.set(new URL(address, location.href).searchParams.get('id')!, (response) =>
          response instanceof Error ? fail(response) : done(response),
        ),
      ),
  )
  let made = 0
  URL.createObjectURL = () => `blob:${++made}`
  URL.revokeObjectURL = () => undefined
  let show = (_id: string): void => undefined
  /** What stood under an id whenever it was drawn. */
  const drawn: [id: string, src: string | null | undefined][] = []
  function Shown() {
    const [id, setId] = useState('first')
    show = setId
    return <StoredImage view={view} id={id} name={id} />
  }
  const place = draw(<Shown />)
  const image = () => place.querySelector('img')
  new MutationObserver(() => {
    if (image()) drawn.push([image()!.alt, image()!.getAttribute('src')])
  }).observe(place, { subtree: true, childList: true, attributes: true })
  const answer = async (id: string, response: Response | Error) => {
    await vi.waitFor(() => expect(waiting.has(id)).toBe(true))
    waiting.get(id)!(response)
  }
  const png = () => new Response('png', { headers: { 'content-type': 'image/png' } })

  await answer('first', png())
  await vi.waitFor(() => expect(image()?.getAttribute('src')).toBe('blob:1'))
  flushSync(() => show('second'))
  expect(image()).toBeNull()
  await answer('second', png())
  await vi.waitFor(() => expect(image()?.getAttribute('src')).toBe('blob:2'))
  flushSync(() => show('lost'))
  await answer('lost', new TypeError('Failed to fetch'))
  flushSync(() => show('third'))
  await answer('third', png())
  await vi.waitFor(() => expect(image()?.getAttribute('src')).toBe('blob:3'))
  expect([...new Set(drawn.map((one) => one.join(' ')))]).toEqual(['first blob:1', 'second blob:2', 'third blob:3'])
})
