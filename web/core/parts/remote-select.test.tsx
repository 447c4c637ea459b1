// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { call } from '../../../contract/core/call.ts'
import { draw } from '../../testing/draw.ts'
import { queryClient } from '../service/use-call.ts'
import { RemoteSelect } from './remote-select.tsx'

const names = ['/twenty', '/fifty'].map((path) =>
  call('GET', path, { summary: '', permit: 'signed-in', input: z.object({}), output: z.array(z.string()) }),
)

test.each([
  ['of a call that gives twenty', 0, undefined, 20, true],
  ['of a call that gives twenty, and found fewer', 0, undefined, 19, false],
  ['of a call that gives fifty', 1, 50, 50, true],
  ['of a call that gives fifty, and found fewer', 1, 50, 30, false],
] as const)(
  'choices %s: whether there are more is said by what the call gives',
  async (_, at, maxFound, found, isCut) => {
    queryClient.clear()
    const data = Array.from({ length: found }, (_each, n) => `班级 ${n}`)
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ code: 200, msg: '', data }))))
    const place = draw(
      <QueryClientProvider client={queryClient}>
        <RemoteSelect
          call={names[at]!}
          input={() => ({})}
          options={(answer) => answer.map((label) => ({ value: label, label }))}
          {...(maxFound && { maxFound })}
        />
      </QueryClientProvider>,
    )
    place.querySelector('[role=combobox]')!.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
    await vi.waitFor(() => expect(document.querySelector('.ant-select-item-option')).not.toBeNull())
    const notes = [...document.querySelectorAll('.remote-note')].map(({ textContent }) => textContent)
    expect(notes).toEqual(isCut ? [`仅列出前 ${found} 项，继续输入以缩小范围`] : [])
  },
)
