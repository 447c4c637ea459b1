// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { changesOf, clearDraft, keepDraft, readDraft } from './draft.ts'
import { localStore } from './storage.ts'

type Values = Record<string, unknown>
const record: Values = { version: 3, ciName: '合唱团', ccId: 'a', closeDate: '2026-09-01', tags: ['歌'], other: null }

test.each<[string, Values, Values | undefined]>([
  ['of what was not touched nothing', { ...record }, undefined],
  ['nothing of what was typed back', { ...record, other: undefined }, undefined],
  ['what was typed, and over which version', { ...record, ciName: '乐团' }, { version: 3, ciName: '乐团' }],
  [
    'what was emptied, as null',
    { ...record, ccId: undefined, closeDate: null, tags: [] },
    { version: 3, ccId: null, closeDate: null, tags: [] },
  ],
])('a draft keeps %s', (_, values, kept) => expect(changesOf(values, record)).toEqual(kept))

test('a draft of a new record keeps what was filled in', () =>
  expect(changesOf({ ciName: '乐团', ciDesc: '', ccId: undefined }, { ciDesc: '' })).toEqual({ ciName: '乐团' }))

test('what was typed a moment ago is kept for who opens the form anew or leaves the page', () => {
  localStore.set('user', { id: 'me' })
  const kept = () => localStore.get('draft:me:circle:new')
  keepDraft('circle:new', () => ({ ciName: '乐团' }))
  expect(kept()).toBeUndefined()
  expect(readDraft('circle:new')?.values).toEqual({ ciName: '乐团' })
  keepDraft('circle:new', () => ({ ciName: '合唱团' }))
  window.dispatchEvent(new Event('pagehide'))
  expect(kept()).toEqual({ ciName: '合唱团' })
  keepDraft('circle:new', () => ({ ciName: '舞团' }))
  clearDraft('circle:new')
  window.dispatchEvent(new Event('pagehide'))
  expect([kept(), readDraft('circle:new')]).toEqual([undefined, undefined])
})
