import { personType } from '../../contract/core/codes/school.ts'
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

/** Whether the console has nothing for somebody: a student without an office, for whom there are pages of their own. */
export const belongsOnPhone = ({ suType, roles }: Pick<Profile, 'suType' | 'roles'>): boolean =>
  suType === personType.student && roles.length === 0
