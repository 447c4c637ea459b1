import { randomBytes } from 'node:crypto'
import type { PublicContext } from '../../core/request/context.ts'
import { sealedKey } from '../../core/secrets/field-crypto.ts'

/** Signs without look-alikes; 32 of them, so that each is five random bits. */
const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A code of a slip: twelve signs, sixty random bits. */
export const newActivationCode = (): string => Array.from(randomBytes(12), (byte) => signs[byte % 32]).join('')

/** A code as it is printed: `ABCD-EFGH-JKLM`. */
export const printedCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')

/** What is kept of a person's code: a keyed hash, whatever case, blanks and hyphens it was typed with. */
export const activationCodeHash = ({ secrets }: Pick<PublicContext, 'secrets'>, suId: string, code: string): Buffer =>
  sealedKey(
    `activation:${suId}:${code
      .normalize('NFKC')
      .replace(/[^A-Za-z0-9]/g, '')
      .toUpperCase()}`,
    secrets,
  )!
