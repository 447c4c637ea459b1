import { randomBytes } from 'node:crypto'
import { base32crockford } from '@scure/base'
import { epochOf } from '../../core/base/clock.ts'
import { need } from '../../core/base/need.ts'

/** Seconds for which a code is shown; one before and one after the present are taken too (RFC 6238). */
const period = 30
const recoveryCount = 10

const library = () => need('otplib') as typeof import('otplib')

/** A new secret of 160 bits in Base32. */
export const newSecret = (): string => library().generateSecret()

/** What an authenticator scans: the secret, whose it is and where it belongs. */
export const keyAddress = (secret: string, label: string, issuer: string): string =>
  library().generateURI({ issuer, label, secret })

/**
 * The time step that a code of six digits belongs to.
 * @param now wall-clock text
 * @returns undefined where it is no code of this secret within a step of now
 */
export function stepOf(secret: string, code: string, now: string): number | undefined {
  if (!isTotp(code)) return undefined
  const result = library().verifySync({
    secret,
    token: code,
    epoch: epochOf(now) / 1000,
    period,
    epochTolerance: period,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/** Whether a folded code is one of an authenticator rather than a recovery code. */
export const isTotp = (code: string): boolean => /^\d{6}$/.test(code)

/** A code as it is compared: blanks, dashes, width and case make no difference. */
export const foldCode = (code: string): string => code.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()

/** Ten codes of 50 random bits, `XXXXX-XXXXX`, without letters that look like digits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCount }, () => {
    const signs = base32crockford.encode(randomBytes(10)).slice(0, 10)
    return `${signs.slice(0, 5)}-${signs.slice(5)}`
  })
