import { newReadableCode } from '../../core/secrets/readable-code.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { sealedKey } from '../../core/secrets/field-crypto.ts'

/** A code of a slip: twelve characters, sixty random bits. */
export const newActivationCode = (): string => newReadableCode(12)

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
