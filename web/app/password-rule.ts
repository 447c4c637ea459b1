/**
 * What a new password must look like, as the person reads it; the service checks it further (common words, own data,
 * used before).
 */
export const passwordRule = '8–20 位，至少含大写字母、小写字母、数字、符号中的三类'

/** The first thing wrong with a new password; undefined when nothing is. */
export function passwordFault(password: string): string | undefined {
  if (!password) return '请输入新密码'
  const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length
  return password.length < 8 || password.length > 20 || kinds < 3 ? `密码须 ${passwordRule}` : undefined
}
