// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { localStore } from '../core/service/storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('whoever signs in while the session of another person opens gets their own', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
  const { forget, keepTokens, openSession } = await import('./session.ts')
  /** Answers that are held back until the person's turn. */
  const release: Record<string, () => void> = {}
  const held = Object.fromEntries(
    ['A', 'B'].map((token) => [token, new Promise<void>((resolve) => (release[token] = resolve))]),
  )
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const token = headers['authorization']!.replace('Bearer ', '')
    await held[token]
    const data = url.includes('/userLandLoad')
      ? { id: token, username: token, schoolId: 's', term: null, logo: '' }
      : []
    return new Response(JSON.stringify({ code: 200, msg: '', data }))
  })
  localStore.set('accessToken', 'A')
  const first = openSession()
  forget()
  keepTokens('s:b', { access_token: 'B' })
  const second = openSession()
  release['B']!()
  expect((await second).profile.id).toBe('B')
  release['A']!()
  // nobody is shown what belongs to the other one, also not where it was asked for before
  expect((await first).profile.id).toBe('B')
  expect(localStore.get('user')).toEqual({ id: 'B', username: 'B' })
  expect((await openSession()).profile.id).toBe('B')
  forget()
})
