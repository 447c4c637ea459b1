import { useEffect, useSyncExternalStore } from 'react'
import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { send } from '../../core/service/api.ts'
import { localStore } from '../../core/service/storage.ts'
import { refreshAll } from '../../core/service/use-call.ts'
import { ApiError } from '../../core/service/wire.ts'

/** For so many minutes after the scan the service takes a code that was kept for want of a network. */
const keptMinutes = 10
/** Milliseconds between tries while something waits: a phone often has a network again without saying so. */
const tryEveryMs = 10_000

/** A code that was scanned without network, and what became of it. */
export interface KeptScan {
  /** Whose it is: another student on the same phone must not hand it in. */
  suId: string
  code: string
  liId?: string | undefined
  lng?: number | undefined
  lat?: number | undefined
  /** Wall-clock text of Shanghai, by the phone's clock. */
  scannedAt: string
  scannedMs: number
  state: 'waiting' | 'counted' | 'expired' | 'refused'
  text: string
}

const key = 'keptScans'
const listeners = new Set<() => void>()
let scans = localStore.get<KeptScan[]>(key) ?? []

function keep(next: KeptScan[]): void {
  scans = next
  localStore.set(key, next)
  for (const tell of listeners) tell()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What a student scanned without network, the latest first. */
export const useKeptScans = (suId: string): KeptScan[] =>
  useSyncExternalStore(subscribe, () => scans).filter((scan) => scan.suId === suId)

/** A moment of the phone's clock as the service writes it. */
export const wallClock = (ms: number): string =>
  new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** Only the code that changes says when it was shown, and so may arrive later. */
export const provesItsTime = (code: string): boolean => code.startsWith('EK2.')

/** Keeps a scan until the network is back. */
export function keepScan(scan: Omit<KeptScan, 'state' | 'text' | 'scannedAt'>): void {
  if (scans.some(({ code, suId }) => code === scan.code && suId === scan.suId)) return
  keep([
    { ...scan, scannedAt: wallClock(scan.scannedMs), state: 'waiting', text: '已保存，等待网络' },
    ...scans.filter(({ state }) => state === 'waiting').slice(0, 20),
  ])
}

/** Takes away what has been told. */
export const forgetTold = (): void => keep(scans.filter(({ state }) => state === 'waiting'))

/** A random id of this browser, by which a sign-in for others is noticed; it says nothing else of it. */
export function deviceId(): string {
  const known = localStore.get<string>('signDevice')
  if (known) return known
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const made = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  localStore.set('signDevice', made)
  return made
}

let isHandingIn = false

/** Hands in what waits and tells what became of it; what finds no network stays until its time is over. */
async function handIn(suId: string): Promise<void> {
  if (isHandingIn) return
  isHandingIn = true
  try {
    for (const scan of scans.filter((one) => one.suId === suId && one.state === 'waiting')) {
      const told = await outcomeOf(scan)
      if (!told) break
      keep(scans.map((one) => (one === scan ? { ...scan, ...told } : one)))
      if (told.state === 'counted') await refreshAll()
    }
  } finally {
    isHandingIn = false
  }
}

async function outcomeOf(scan: KeptScan): Promise<Pick<KeptScan, 'state' | 'text'> | undefined> {
  if (Date.now() - scan.scannedMs > keptMinutes * 60_000)
    return { state: 'expired', text: `已过期：${keptMinutes} 分钟内没有网络，请联系签到负责人登记` }
  const { code, liId, lng, lat, scannedAt } = scan
  const place = lng !== undefined && lat !== undefined ? { lng, lat } : {}
  try {
    const answer = await send(
      ownActivityApi.sign,
      { code, scannedAt, device: deviceId(), ...(liId && { liId }), ...place },
      { quiet: true, blocks: false },
    )
    return { state: 'counted', text: `已计入：${answer.liName}，${answer.text}` }
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'refused') return undefined
    // an answer that got lost on the way back
    if (error.reason === 'signed-in-already' || error.reason === 'signed-out-already')
      return { state: 'counted', text: `已计入：${error.message}` }
    if (error.reason === 'scan-expired') return { state: 'expired', text: `已过期：${error.message}` }
    return { state: 'refused', text: `未计入：${error.message}` }
  }
}

/** Hands in what waits as soon as there is a network, on whatever page the student is. */
export function useHandIn(suId: string | undefined): void {
  const waits = useSyncExternalStore(subscribe, () =>
    scans.some((scan) => scan.suId === suId && scan.state === 'waiting'),
  )
  useEffect(() => {
    if (!suId || !waits) return
    const now = () => void handIn(suId)
    now()
    const timer = setInterval(now, tryEveryMs)
    addEventListener('online', now)
    return () => {
      clearInterval(timer)
      removeEventListener('online', now)
    }
  }, [suId, waits])
}
