import type { Profile } from '../../contract/school/session/session.calls.ts'
import { heldBy, type Held } from '../app/held.ts'

const paths: Record<Held, string> = { notice: '/me/privacy', password: '/me/password', factor: '/me/second-factor' }

/** The page of what a student has to do before anything else works; undefined where nothing is left to do. */
export function heldPage(
  profile: Pick<Profile, 'mustAcceptNotice' | 'mustChangePwd' | 'mustEnrol'>,
): string | undefined {
  const held = heldBy(profile)
  return held && paths[held]
}
