import { bareAddress, networkOf } from '../base/address.ts'

/**
 * How facts about people look to those who may not know them whole: one wording for every screen, file and public page
 * (docs/security.md S12).
 */

/** The first and the last character of a name, never all of it: `张三` -> `张*`, `欧阳小明` -> `欧**明`. */
export function maskedName(name: string): string {
  const signs = Array.from(name)
  if (signs.length < 2) return '*'
  return signs.length === 2 ? `${signs[0]}*` : `${signs[0]}${'*'.repeat(signs.length - 2)}${signs.at(-1)}`
}

/**
 * The last four characters of a student's or teacher's number, of a short one all but two: `2023010123` ->
 * `******0123`, enough to find oneself.
 */
export function maskedNumber(number: string): string {
  const hidden = Math.max(number.length - 4, Math.min(2, number.length))
  return '*'.repeat(hidden) + number.slice(hidden)
}

/** Three signs at the beginning and four at the end of a phone or identity number: `13812345678` -> `138****5678`. */
export const maskedContact = (value: string): string =>
  value.length <= 7 ? '*'.repeat(value.length) : value.slice(0, 3) + '*'.repeat(value.length - 7) + value.slice(-4)

/** `wang@example.edu.cn` -> `w***@example.edu.cn` */
export const maskedEmail = (email: string): string => `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`

/**
 * An address without the part that tells one machine from another: `10.1.2.3` -> `10.1.*.*`. What is no address is not
 * shown.
 */
export function maskedAddress(source: string): string {
  const address = bareAddress(source)
  if (!address) return ''
  return address.includes(':') ? `${networkOf(address, 2, 3)}*` : `${networkOf(address, 2)}.*.*`
}
