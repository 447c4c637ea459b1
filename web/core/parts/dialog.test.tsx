// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { draw } from '../../testing/draw.ts'
import { Dialog } from './dialog.tsx'

test('the button of a dialog carries its right and cannot be clicked twice within a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const onOk = vi.fn()
  draw(<Dialog open title="停用" okText="停用圈子" cancelText="取消" to={{ permit: 'circle:disable' }} onOk={onOk} />)
  const button = () => document.querySelector<HTMLButtonElement>('[authority-type="circle:disable"]')
  await vi.waitFor(() => expect(button()?.textContent).toBe('停用圈子'))
  const isLocked = () => button()!.getAttribute('aria-disabled') === 'true'
  button()!.click()
  await vi.waitFor(() => expect(isLocked()).toBe(true))
  // a disabled button could not be given the focus back
  expect(button()!.disabled).toBe(false)
  button()!.click()
  expect(onOk).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1000)
  await vi.waitFor(() => expect(isLocked()).toBe(false))
  button()!.click()
  expect(onOk).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
