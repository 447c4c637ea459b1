import type { Profile } from '../../contract/school/session/session.calls.ts'

/** The screen of what somebody has to do before anything else works; undefined where nothing is left to do. */
export function heldPath({
  mustAcceptNotice,
  mustChangePwd,
  mustEnrol,
}: Pick<Profile, 'mustAcceptNotice' | 'mustChangePwd' | 'mustEnrol'>) {
  if (mustAcceptNotice) return '/personalCenter/privacyNotice'
  if (mustChangePwd) return '/personalCenter/modifyPwd'
  return mustEnrol ? '/personalCenter/secondFactor' : undefined
}
