import type { Config } from '../core/base/config.ts'
import { passwordFault } from '../core/secrets/passwords.ts'

/** Why a password given for a first administrator is refused, in Chinese; undefined when it is taken. */
export function firstPasswordFault(
  password: string,
  { passwordProfile }: Pick<Config, 'passwordProfile'>,
  words: string[],
): string | undefined {
  return passwordFault(password, passwordProfile, words)?.msg
}
