/**
 * How the passwords are judged, set for the whole installation: by the Chinese rules of graded protection (等保), or by
 * OWASP's ASVS, which asks for length only.
 */
export const passwordProfiles = ['dengbao', 'asvs'] as const
export type PasswordProfile = (typeof passwordProfiles)[number]
export const defaultPasswordProfile: PasswordProfile = 'dengbao'

/** Fewest and most characters of a new password, counted as Unicode code points. */
const passwordLength = { min: 8, max: 128 } as const

const classes = [
  ['大写字母', /[A-Z]/],
  ['小写字母', /[a-z]/],
  ['数字', /\d/],
  ['符号', /[^A-Za-z\d]/],
] as const

/** Of how many of the classes a new password must have characters. */
const minClasses: Record<PasswordProfile, number> = { dengbao: 3, asvs: 0 }

/** What a new password must look like, as the person who chooses it reads it. */
export function passwordRule(profile: PasswordProfile): string {
  const { min, max } = passwordLength
  const length = `${min}–${max} 位`
  const count = minClasses[profile]
  return count === 0
    ? length
    : `${length}，至少含${classes.map(([name]) => name).join('、')}中的${'零一二三四'[count]}类`
}

/**
 * What is wrong with the look of a new password, as a sentence for whoever chose it; undefined where nothing is. The
 * service checks further: common words, data of the person, passwords used before.
 */
export function passwordRuleFault(password: string, profile: PasswordProfile): string | undefined {
  const length = [...password].length
  const found = classes.filter(([, pattern]) => pattern.test(password)).length
  const isKept = length >= passwordLength.min && length <= passwordLength.max && found >= minClasses[profile]
  return isKept ? undefined : `密码须 ${passwordRule(profile)}`
}
