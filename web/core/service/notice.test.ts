import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notices, notify } from './notice-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

const texts = () => notices.get().map(({ text }) => text)

test('a message goes by itself; the same text is not shown twice', () => {
  notify('success', '保存成功')
  notify('success', '保存成功')
  expect(texts()).toEqual(['保存成功'])
  vi.advanceTimersByTime(3000)
  expect(texts()).toEqual([])
})

test('said again just before it goes, it stays as if it had only come now', () => {
  notify('success', '保存成功')
  vi.advanceTimersByTime(2900)
  notify('success', '保存成功')
  vi.advanceTimersByTime(2900)
  expect(texts()).toEqual(['保存成功'])
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual([])
})

test('an offer to undo keeps its time, whatever is said beside it', () => {
  notify('success', '已通过', { label: '撤销', run: () => undefined })
  vi.advanceTimersByTime(6000)
  notify('success', '已通过')
  vi.advanceTimersByTime(1900)
  expect(texts()).toEqual(['已通过'])
  vi.advanceTimersByTime(100)
  expect(texts()).toEqual([])
})
