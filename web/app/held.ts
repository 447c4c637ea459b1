import { personType } from '../../contract/core/codes/school.ts'
import type { Profile } from '../../contract/school/session/session.calls.ts'

type Holding = Pick<Profile, 'mustAcceptNotice' | 'mustChangePwd' | 'mustEnrol'>

/** What somebody has to do before anything else works, in this order. */
export type Held = 'notice' | 'password' | 'factor'

/** What somebody has to do first; undefined where nothing is left to do. */
export function heldBy({ mustAcceptNotice, mustChangePwd, mustEnrol }: Holding): Held | undefined {
  if (mustAcceptNotice) return 'notice'
  if (mustChangePwd) return 'password'
  return mustEnrol ? 'factor' : undefined
}

const paths: Record<Held, string> = {
  notice: '/personalCenter/privacyNotice',
  password: '/personalCenter/modifyPwd',
  factor: '/personalCenter/secondFactor',
}

/** The screen of what somebody has to do before anything else works; undefined where nothing is left to do. */
export function heldPath(profile: Holding): string | undefined {
  const held = heldBy(profile)
  return held && paths[held]
}

/** Whether the console has nothing for somebody: a student without an office, for whom there are pages of their own. */
export const belongsOnPhone = ({ suType, roles }: Pick<Profile, 'suType' | 'roles'>): boolean =>
  suType === personType.student && roles.length === 0
