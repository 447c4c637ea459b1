import { fullPath, type Output } from '../../contract/core/call.ts'
import { identityApi, type SignInPage } from '../../contract/school/identity/identity.calls.ts'
import { providerRefusals } from '../../contract/core/provider-refusals.ts'
import { send } from '../core/service/api.ts'
import { sha256Hex } from '../core/service/sha256.ts'
import { localStore, sessionStore } from '../core/service/storage.ts'
import { deviceKey, keepTokens, knownDevice, type Proof } from './session.ts'

/** A button of the sign-in page that leads to a service of the campus. */
export type IdentityButton = Output<typeof identityApi.buttons>[number]

/** What this window keeps to itself while somebody is at the provider's page. */
interface Begun {
  verifier: string
  schoolId: string
  target: string
}
const key = 'identityBegun'

/**
 * Leaves for a provider's page. Only this window can make a session of what comes back.
 * @param page the sign-in page that is left, and come back to
 */
export function leaveFor(
  { providerId }: IdentityButton,
  { schoolId, target, page }: { schoolId: string; target: string; page: SignInPage },
): void {
  const verifier = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  sessionStore.set(key, { verifier, schoolId, target } satisfies Begun)
  localStore.set(page === 'student' ? 'studentSchool' : 'school', schoolId)
  window.location.assign(
    `${fullPath({ ...identityApi.buttons, path: `/identity/start/${providerId}` })}?challenge=${sha256Hex(verifier)}&page=${page}`,
  )
}

/** What the window began before it left; undefined where it began nothing. */
export const begunHere = (): Begun | undefined => sessionStore.get<Begun>(key)

/** Forgets what the window began: what came back of it is good once. */
export const forgetBegun = (): void => sessionStore.remove(key)

/** Makes a session of what came back. Rejects without any message shown, also where a code is asked for. */
export async function enterWith(code: string, { verifier, schoolId }: Begun, proof?: Proof): Promise<void> {
  const device = deviceKey(schoolId, 'identity')
  const known = knownDevice(device)
  keepTokens(
    device,
    await send(
      identityApi.exchange,
      {
        code,
        verifier,
        ...(known && { device_token: known }),
        ...(proof && { totp: proof.totp, remember_device: proof.remembers }),
      },
      { quiet: true, blocks: false },
    ),
  )
}

/** Signs in by a name and a password that a directory of the campus knows. */
export async function enterBy(
  { providerId }: IdentityButton,
  { schoolId, username, password }: { schoolId: string; username: string; password: string },
  proof?: Proof,
): Promise<void> {
  const device = deviceKey(schoolId, `${providerId}:${username}`)
  const known = knownDevice(device)
  keepTokens(
    device,
    await send(
      identityApi.enter,
      {
        providerId,
        username,
        password,
        ...(known && { device_token: known }),
        ...(proof && { totp: proof.totp, remember_device: proof.remembers }),
      },
      { quiet: true, blocks: false },
    ),
  )
}

/** What the service says it refused, by the name that the address carries. */
export const faultText = (name: string): string =>
  Object.hasOwn(providerRefusals, name) ? providerRefusals[name as keyof typeof providerRefusals] : '登录未成功，请重试'
