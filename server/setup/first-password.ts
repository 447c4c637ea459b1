import { Failure } from '../../contract/core/failure.ts'
import type { Config } from '../core/base/config.ts'
import { passwordFault } from '../core/secrets/passwords.ts'

/** Why a password given for a first administrator is refused, in Chinese, or null. */
export function firstPasswordFault(
  password: string,
  { passwordProfile }: Pick<Config, 'passwordProfile'>,
  words: string[],
): string | null {
  const fault = passwordFault(password, passwordProfile, words)
  return fault && new Failure(fault).msg
}
