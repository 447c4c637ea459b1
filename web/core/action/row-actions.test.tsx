// @vitest-environment jsdom
import { MemoryRouter, useLocation } from 'react-router'
import { expect, test, vi } from 'vitest'
import { draw } from '../../testing/draw.ts'
import { actionOn } from './action.tsx'
import { RowActions } from './row-actions.tsx'

const call = { permit: 'signed-in' } as never
const action = actionOn<object>()
const links = ['/a', '/b', '/c', '/d'].map((to) => action.link({ label: to, call, href: () => to }))

function Address() {
  return <output>{useLocation().pathname}</output>
}

test.each<[string, (item: Element) => void]>([
  [
    'the keyboard',
    (item) => item.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, bubbles: true })),
  ],
  ['a click beside its words', (item) => item.dispatchEvent(new MouseEvent('click', { bubbles: true }))],
  ['a click on its words', (item) => item.querySelector('a')!.click()],
])('%s opens a link behind 更多', async (_, choose) => {
  const place = draw(
    <MemoryRouter>
      <RowActions row={{}} actions={links} nameOf={() => '甲'} />
      <Address />
    </MemoryRouter>,
  )
  place.querySelector<HTMLElement>('[aria-label=甲的更多操作]')!.click()
  const item = await vi.waitFor(() => {
    const found = [...document.querySelectorAll('[role=menuitem]')].find(({ textContent }) => textContent === '/d')
    expect(found).toBeDefined()
    return found!
  })
  choose(item)
  await vi.waitFor(() => expect(place.querySelector('output')?.textContent).toBe('/d'))
})
