import { grantable } from '../roles/grants.service.ts'

/**
 * Rights that no key has, whatever its role: to give rights and keys, to set passwords, to seal and to sign, and to
 * decide in a person's place.
 */
const never = [
  /^role:(edit|delete|grant)$/,
  /^(integration|identity):/,
  // a source runs with the rights of the person who saved it
  /^source:(edit|run)$/,
  /^[^:]+:resetPwd$/,
  /^signkey:/,
  /^school:seal$/,
  /^approval:/,
]

/** What of a role's rights a key of that role has. */
export const permitsOfKey = (permits: readonly string[]): string[] =>
  grantable(permits).filter((permit) => !never.some((pattern) => pattern.test(permit)))
