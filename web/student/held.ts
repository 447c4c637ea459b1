import { personType } from '../../contract/core/codes/school.ts'
import type { Profile } from '../../contract/school/session/session.calls.ts'
import { heldBy, type Held } from '../app/held.ts'

const paths: Record<Held, string> = { notice: '/me/privacy', password: '/me/password', factor: '/me/second-factor' }

/** The page of what somebody has to do before anything else works; undefined where nothing is left to do. */
export function heldPage(
  profile: Pick<Profile, 'mustAcceptNotice' | 'mustChangePwd' | 'mustEnrol'>,
): string | undefined {
  const held = heldBy(profile)
  return held && paths[held]
}

/** Whether somebody is no student: they look after sign-ins here, and do everything else in the console. */
export const isStaff = ({ suType }: Pick<Profile, 'suType'>): boolean => suType !== personType.student

/**
 * Where somebody begins: what has to be done first, else the activities; for staff the sign-ins that are theirs, and
 * for graduates what was counted.
 */
export const homeOf = (profile: Profile): string =>
  heldPage(profile) ?? (isStaff(profile) ? '/signing' : profile.isGraduate ? '/record' : '/activities')

const staffPages = /^\/signing(\/|$)/
/** Pages on which something is done that the service refuses to graduates, who read (decision 128). */
const closedToGraduates = /^\/(sign|signing|notices\/ask|supplements\/new|supplements\/[^/]+\/edit)(\/|$)/

/** Whether somebody has a page of this side, told by its path. */
export const opensTo = (profile: Pick<Profile, 'suType' | 'isGraduate'>, path: string): boolean =>
  isStaff(profile) ? staffPages.test(path) : !(profile.isGraduate && closedToGraduates.test(path))
