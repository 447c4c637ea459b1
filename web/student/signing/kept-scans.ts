import { useEffect } from 'react'
import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { send } from '../../core/service/api.ts'
import { localStore } from '../../core/service/storage.ts'
import { createStore, useStore } from '../../core/service/store.ts'
import { refreshAll } from '../../core/service/use-call.ts'
import { ApiError, mayComeLater } from '../../core/service/wire.ts'

/** For so many minutes after the scan the service takes a code that was kept for want of a network. */
const keptMinutes = 10
/** Milliseconds between tries while something waits: a phone often has a network again without saying so. */
const tryEveryMs = 10_000

/** A code that was scanned without network, and what became of it. */
export interface KeptScan {
  /** Whose it is: another student on the same phone must not hand it in. */
  suId: string
  /** Empty once it is told what became of it: then neither code nor place is needed any more. */
  code: string
  liId?: string | undefined
  lng?: number | undefined
  lat?: number | undefined
  /** Wall-clock text of Shanghai, by the phone's clock. */
  scannedAt: string
  scannedMs: number
  state: 'waiting' | 'counted' | 'expired' | 'refused'
  /** The service wants to know where it was scanned. */
  needsPlace?: boolean
  text: string
}

const key = 'keptScans'
const stored = () => localStore.get<KeptScan[]>(key) ?? []
const scans = createStore(stored())

/** Changes what is kept now, which another window of the browser may have written. */
function keep(change: (before: KeptScan[]) => KeptScan[]): void {
  const next = change(stored())
  localStore.set(key, next)
  scans.set(next)
}

window.addEventListener('storage', (event) => {
  if (event.key !== key && event.key !== null) return
  scans.set(stored())
})

/** A student scans one code at a time. */
const isSame = (one: KeptScan, other: KeptScan): boolean => one.suId === other.suId && one.scannedMs === other.scannedMs

const update = (scan: KeptScan, next: Partial<KeptScan>): void =>
  keep((before) => before.map((one) => (isSame(one, scan) ? { ...one, ...next } : one)))

/** What a student scanned without network, the latest first. */
export const useKeptScans = (suId: string): KeptScan[] => useStore(scans).filter((scan) => scan.suId === suId)

/** A moment of the phone's clock as the service writes it. */
export const wallClock = (ms: number): string =>
  new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** Only the code that changes says when it was shown, and so may arrive later. */
export const provesItsTime = (code: string): boolean => code.startsWith('EK2.')

/** How many of a student's scans have not been handed in. */
export const waitingOf = (suId: string): number =>
  scans.get().filter((scan) => scan.suId === suId && scan.state === 'waiting').length

/** Keeps a scan until the network is back. */
export function keepScan(scan: Omit<KeptScan, 'state' | 'text' | 'scannedAt'>): void {
  keep((before) =>
    before.some(({ code, suId }) => code === scan.code && suId === scan.suId)
      ? before
      : [
          { ...scan, scannedAt: wallClock(scan.scannedMs), state: 'waiting', text: '已保存，等待网络' },
          ...before.filter(({ state }) => state === 'waiting').slice(0, 20),
        ],
  )
}

/** Whether a scan is held up because nobody has said where it was made. */
export const wantsPlace = ({ state, needsPlace, lng }: KeptScan): boolean =>
  state === 'waiting' && needsPlace === true && lng === undefined

/** Adds the place where a student scanned a code that is kept, and hands it in. */
export function placeScan(suId: string, scannedMs: number, place: { lng: number; lat: number }): void {
  const scan = scans.get().find((one) => one.suId === suId && one.scannedMs === scannedMs)
  if (!scan || scan.state !== 'waiting') return
  update(scan, { ...place, text: '已保存，等待网络' })
  void handIn(suId)
}

/** Takes away what a student has been told. */
export const forgetTold = (suId: string): void =>
  keep((before) => before.filter((scan) => scan.suId !== suId || scan.state === 'waiting'))

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
    // also of who has signed out and may never come back: of what is too late neither code nor place is kept
    for (const scan of scans.get().filter((one) => one.suId !== suId && one.state === 'waiting' && isOver(one)))
      update(scan, tooLate(scan))
    for (const scan of scans.get().filter((one) => one.suId === suId && one.state === 'waiting')) {
      // only the student can tell where they are
      if (wantsPlace(scan) && !isOver(scan)) continue
      const outcome = await outcomeOf(scan)
      if (!outcome) break
      update(scan, outcome)
      if (outcome.state === 'counted') await refreshAll()
    }
  } finally {
    isHandingIn = false
  }
}

const isOver = ({ scannedMs }: KeptScan): boolean => Date.now() - scannedMs > keptMinutes * 60_000

/** What is told at the end; of a code and a place nothing is left then. */
const told = (state: 'counted' | 'expired' | 'refused', text: string): Partial<KeptScan> => ({
  state,
  text,
  code: '',
  lng: undefined,
  lat: undefined,
})

const tooLate = (scan: KeptScan): Partial<KeptScan> =>
  told(
    'expired',
    wantsPlace(scan)
      ? `已过期：${keptMinutes} 分钟内没有提供位置，请联系签到负责人登记`
      : `已过期：${keptMinutes} 分钟内没有网络，请联系签到负责人登记`,
  )

async function outcomeOf(scan: KeptScan): Promise<Partial<KeptScan> | undefined> {
  if (isOver(scan)) return tooLate(scan)
  const { code, liId, lng, lat, scannedAt } = scan
  const place = lng !== undefined && lat !== undefined ? { lng, lat } : {}
  try {
    const answer = await send(
      ownActivityApi.sign,
      { code, scannedAt, device: deviceId(), ...(liId && { liId }), ...place },
      { quiet: true, blocks: false },
    )
    return told('counted', `已计入：${answer.liName}，${answer.text}`)
  } catch (error) {
    // whose session is over hands it in when they have signed in again
    if (!(error instanceof ApiError) || error.kind === 'expired' || mayComeLater(error)) return undefined
    if (error.reason === 'position-needed') return { needsPlace: true, text: '已保存，提供位置后提交' }
    // an answer that got lost on the way back
    if (error.reason === 'signed-in-already' || error.reason === 'signed-out-already')
      return told('counted', `已计入：${error.message}`)
    if (error.reason === 'scan-expired') return told('expired', `已过期：${error.message}`)
    return told('refused', `未计入：${error.message}`)
  }
}

/** Hands in what waits as soon as there is a network, on whatever page the student is. */
export function useHandIn(suId: string | undefined): void {
  const waits = useStore(scans).some((scan) => scan.suId === suId && scan.state === 'waiting')
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
