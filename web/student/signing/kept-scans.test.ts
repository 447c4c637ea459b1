// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { localStore } from '../../core/service/storage.ts'
import { ApiError, mayComeLater } from '../../core/service/wire.ts'
import { forgetTold, keepScan, placeScan, waitingOf, type KeptScan } from './kept-scans.ts'

const stored = () => localStore.get<KeptScan[]>('keptScans') ?? []
const scan = (code: string, suId = 'a', scannedMs = Date.now()) => ({ suId, code, scannedMs })
/** What the service gets, and what it answers. */
const asked: Record<string, unknown>[] = []
function answer(status: number, body: object): void {
  vi.stubGlobal('fetch', (_: string, { body: sent }: { body: string }) => {
    asked.push(JSON.parse(sent) as Record<string, unknown>)
    return Promise.resolve(new Response(JSON.stringify(body), { status }))
  })
}
const refused = (reason: string) => ({ code: 300, msg: reason, reason })

beforeEach(() => {
  localStorage.clear()
  // as another window tells that it has cleared it
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  asked.length = 0
})
afterEach(() => vi.unstubAllGlobals())

test('what another window of the browser keeps is neither lost nor overlooked', () => {
  keepScan(scan('one', 'a', Date.now() - 1))
  localStore.set('keptScans', [...stored(), { ...scan('two', 'a', Date.now() - 2), state: 'waiting', text: '' }])
  keepScan(scan('three'))
  expect(stored().map(({ code }) => code)).toEqual(['three', 'one', 'two'])
  localStore.set('keptScans', stored().slice(1))
  expect(waitingOf('a')).toBe(3)
  window.dispatchEvent(new StorageEvent('storage', { key: 'keptScans' }))
  expect([waitingOf('a'), waitingOf('b')]).toEqual([2, 0])
})

test('a scan goes with its place once that is known, and nothing of code and place is left when it is told', async () => {
  const at = Date.now()
  keepScan(scan('EK2.x', 'a', at))
  answer(200, { code: 200, msg: '', data: { liId: '1', liName: '讲座', text: '签到成功' } })
  placeScan('a', at, { lng: 117.2272, lat: 31.8206 })
  await vi.waitFor(() => expect(stored()[0]!.state).toBe('counted'))
  expect(asked).toMatchObject([{ code: 'EK2.x', lng: 117.2272, lat: 31.8206 }])
  expect(JSON.stringify(stored())).not.toMatch(/EK2|117\.2272|31\.8206/)
  forgetTold('b')
  expect(stored()).toHaveLength(1)
  forgetTold('a')
  expect(stored()).toEqual([])
})

test('where the place counts and is not known, the scan waits for it instead of being refused', async () => {
  const [first, second] = [Date.now() - 1, Date.now()]
  keepScan(scan('EK2.second', 'a', second))
  keepScan(scan('EK2.first', 'a', first))
  answer(200, refused('position-needed'))
  placeScan('a', second, { lng: 1, lat: 2 })
  await vi.waitFor(() =>
    expect(stored().find(({ scannedMs }) => scannedMs === first)).toMatchObject({ needsPlace: true }),
  )
  expect(waitingOf('a')).toBe(2)
})

test('of a scan that is too late nothing of code and place is left, also where its student has signed out', async () => {
  keepScan({ ...scan('EK2.other', 'b', Date.now() - 11 * 60_000), lng: 117.2272, lat: 31.8206 })
  const at = Date.now()
  keepScan(scan('EK2.own', 'a', at))
  answer(200, { code: 200, msg: '', data: { liId: '1', liName: '讲座', text: '签到成功' } })
  placeScan('a', at, { lng: 1, lat: 2 })
  await vi.waitFor(() => expect(waitingOf('b')).toBe(0))
  expect(JSON.stringify(stored())).not.toMatch(/EK2\.other|117\.2272|31\.8206/)
})

test.each<[string, ApiError, boolean]>([
  ['no network', new ApiError('silent', 0, ''), true],
  ['a gateway without a service', new ApiError('failed', 502, ''), true],
  ['a service that is starting', new ApiError('failed', 503, ''), true],
  ['too many at once', new ApiError('failed', 429, ''), true],
  ['a course that is not there', new ApiError('failed', 404, ''), false],
  ['a refusal', new ApiError('refused', 300, ''), false],
  ['a session that is over', new ApiError('expired', 401, ''), false],
])('%s: the same may be taken later is %s', (_, error, may) => expect(mayComeLater(error)).toBe(may))
