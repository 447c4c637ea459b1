import { useSyncExternalStore } from 'react'
import type { SignInPage } from '../../contract/school/identity/identity.calls.ts'
import { sessionApi, type MenuGroup, type Profile } from '../../contract/school/session/session.calls.ts'
import { send } from '../core/service/api.ts'
import { setBrand } from '../core/service/brand.ts'
import { dictionaryVersion, storeDictionary } from '../core/service/dictionary-store.ts'
import { clearOwnDrafts } from '../core/service/draft.ts'
import { setOpenScreens } from '../core/service/open-screens.ts'
import { askPrefs, keepPrefs } from '../core/service/prefs.ts'
import { passwordDigest } from '../core/service/sha256.ts'
import { localStore, sessionStore } from '../core/service/storage.ts'
import { setTerm } from '../core/service/term.ts'
import { ApiError } from '../core/service/wire.ts'
import { chooseTheme, isTheme } from './theme.ts'

/** Who is signed in and what they may open. */
export interface Session {
  profile: Profile
  menu: MenuGroup[]
}

let session: Session | undefined
let opening: Promise<Session> | undefined
const listeners = new Set<() => void>()

/** A code of the second factor, and whether this browser is not to be asked for one for a while. */
export interface Proof {
  totp: string
  remembers: boolean
}

/**
 * Exchanges school, account and password for a token and keeps it. A wrong password rejects without any message shown,
 * and so does a code that is missing ({@link isCodeAsked}).
 */
export async function signIn(schoolId: string, username: string, password: string, proof?: Proof): Promise<void> {
  const device = deviceKey(schoolId, username)
  const known = knownDevice(device)
  const answer = await send(
    sessionApi.token,
    {
      schoolId,
      username,
      password: passwordDigest(password),
      grant_type: 'password',
      ...(known && { device_token: known }),
      ...(proof && { totp: proof.totp, remember_device: proof.remembers }),
    },
    { quiet: true, blocks: false },
  )
  keepTokens(device, answer)
}

/** Keeps what a sign-in gave; the token of a device under the account's key. */
export function keepTokens(device: string, answer: { access_token: string; device_token?: string | undefined }): void {
  localStore.set('accessToken', answer.access_token)
  if (answer.device_token) localStore.set('devices', { ...devices(), [device]: answer.device_token })
}

/** Whether a sign-in was refused for want of a code of the second factor. */
export const isCodeAsked = (error: unknown): boolean => error instanceof ApiError && error.reason === 'totp-needed'

/** The tokens by which the service knows this browser, by account; they stay when somebody signs out. */
const devices = () => localStore.get<Record<string, string>>('devices') ?? {}
/** The token by which the service knows this browser for an account, by its key. */
export const knownDevice = (device: string): string | undefined => devices()[device]
/** The key of an account among the tokens of this browser. */
export const deviceKey = (schoolId: string, username: string): string => `${schoolId}:${username.trim().toLowerCase()}`

/**
 * Loads profile, menu and, where the stored one is out of date, the dictionaries; once per sign-in.
 * @param quiet whether a failure is not told: whoever opens the session says in its place what has happened
 */
export function openSession({ quiet = false }: { quiet?: boolean } = {}): Promise<Session> {
  if (opening) return opening
  const asked = load(quiet).catch((error: unknown) => {
    // not that of whoever has signed in meanwhile
    if (opening === asked) opening = undefined
    throw error
  })
  opening = asked
  return asked
}

/** Asks for profile and menu anew, after a password change for instance. */
export function reopenSession(): Promise<Session> {
  opening = undefined
  return openSession()
}

/**
 * Ends the session at the service and forgets it here, with unsent work; works without a network too.
 * @param page the sign-in page to come back to
 * @returns the address that leads to the provider's page of signing out, where that is to be left as well
 */
export async function signOut(page: SignInPage): Promise<string | undefined> {
  const answer = localStore.get('accessToken')
    ? await send(sessionApi.logout, {}, { quiet: true }).catch(() => undefined)
    : undefined
  clearOwnDrafts()
  forget()
  return answer?.leave && `/api/schoolbase/identity/leave/${answer.leave}?page=${page}`
}

/**
 * Forgets everything of the person that this browser holds, except what is no secret (dictionaries, column settings),
 * the tokens of remembered devices, which without a password open nothing, and unsent work: a session that has merely
 * ended is gone on with.
 */
export function forget(): void {
  localStore.remove('accessToken')
  localStore.remove('user')
  sessionStore.clear()
  session = undefined
  opening = undefined
}

/** The open session; undefined until it has been loaded. */
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => session)

/** Asks for what belongs to the present credential; where another one is kept when it comes, it is not theirs. */
async function load(quiet: boolean): Promise<Session> {
  const token = localStore.get<string>('accessToken')
  const [{ dictionaries, ...profile }, menu, prefs] = await Promise.all([
    send(sessionApi.landLoad, { dictOf: dictionaryVersion() ?? '-' }, { quiet }),
    send(sessionApi.menuTree, {}, { quiet }),
    askPrefs(),
  ])
  const kept = localStore.get<string>('accessToken')
  if (kept === undefined) throw new ApiError('expired', 401, '登录凭证已过期，请重新登录')
  if (kept !== token) return load(quiet)
  setTerm(profile.term)
  setBrand(profile.logo)
  setOpenScreens(menu.flatMap(({ pages }) => pages.map(({ path }) => path)))
  localStore.set('user', { id: profile.id, username: profile.username })
  const { theme } = keepPrefs(profile.id, prefs)
  if (isTheme(theme)) chooseTheme(theme)
  if (dictionaries) storeDictionary({ version: `${profile.schoolId}:${profile.dictVersion}`, types: dictionaries })
  session = { profile, menu }
  for (const listener of listeners) listener()
  return session
}

// The windows of a browser share one credential: when somebody else signs in beside this window, what it shows is no
// longer theirs.
window.addEventListener('storage', ({ key }) => {
  const user = key === 'user' && localStore.get<{ id: string }>('user')
  if (session && user && user.id !== session.profile.id) window.location.reload()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
