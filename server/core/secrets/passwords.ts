import { createHash, createHmac, randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Failure } from '../../../contract/core/failure.ts'
import { passwordRuleFault, type PasswordProfile } from '../../../contract/core/password-rule.ts'
import { withSemaphore } from '../base/semaphore.ts'
import { sealBytes, unsealBytes } from './field-crypto.ts'
import type { Secrets } from './secrets.ts'

/** Argon2id parameters (OWASP's first choice): 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Stands where an account has no password yet; no password verifies against it. */
export const noPassword = '!'

/**
 * The lower-case hex SHA-256 of the NFC password: what the console sends at sign-in. 64 hex digits are taken to be it
 * already.
 */
export const clientHash = (password: string): string =>
  isClientHash(password)
    ? password.toLowerCase()
    : createHash('sha256').update(password.normalize('NFC'), 'utf8').digest('hex')

const isClientHash = (password: string): boolean => /^[0-9a-fA-F]{64}$/.test(password)

/**
 * What is stored for a password (plain or client hash): Argon2id over the peppered client hash, so a stolen table signs
 * nobody in.
 */
export const storedHash = (password: string, pepper: Buffer): Promise<string> =>
  hashingSlot(() => hash(peppered(password, pepper), cost))

/**
 * Whether a password fits a stored hash. Always takes the time of one Argon2 run, also for accounts that do not exist.
 */
export async function matchesHash(password: string, stored: string | undefined, secrets: Secrets): Promise<boolean> {
  const real = stored !== undefined && stored !== noPassword
  const { hashed, pepper } = real ? readStored(stored, secrets) : { hashed: decoy, pepper: secrets.pepper }
  const right = await hashingSlot(() => verify(hashed, peppered(password, pepper)))
  return real && right
}

/**
 * A hash that another installation has made, with the pepper that it was made with, sealed: passwords of a school that
 * moved keep working until they are changed.
 */
const movedHash = /^moved\.([A-Za-z0-9+/=]+)\.(.*)$/

function readStored(stored: string, secrets: Secrets): { hashed: string; pepper: Buffer } {
  const [, pepper, hashed] = movedHash.exec(stored) ?? []
  return pepper && hashed
    ? { hashed, pepper: unsealBytes(Buffer.from(pepper, 'base64'), secrets) }
    : { hashed: stored, pepper: secrets.pepper }
}

/** A stored hash as it works under other secrets. */
export function movedToSecrets(stored: string, from: Secrets, to: Secrets): string {
  if (stored === noPassword) return stored
  const { hashed, pepper } = readStored(stored, from)
  return pepper.equals(to.pepper) ? hashed : `moved.${sealBytes(pepper, to).toString('base64')}.${hashed}`
}

const peppered = (password: string, pepper: Buffer): string =>
  createHmac('sha256', pepper).update(clientHash(password)).digest('base64')

/** A real Argon2id hash of random bytes nobody kept. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$5Y0m0b0w0wKJ2xkSOmJ1V3Qn9yq6c7mC9lqkKJ9y0nE'

/** Argon2 is heavy by design: a few at a time, the rest in a queue, beyond that the caller is asked to come back. */
const hashingSlot = withSemaphore({
  maxConcurrent: availableParallelism() * 2,
  maxQueued: 1000,
  onFull: () => new Failure('unavailable', {}, { retryAfter: 5 }),
})

/** A random one-time password of 12 signs without look-alikes, with all four classes. */
export function oneTimePassword(): string {
  const classes = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '-+=*#']
  const signs = Array.from({ length: 12 }, (_, at) => {
    const from = classes[at % 3 === 2 ? (at === 11 ? 3 : 2) : at % 3]!
    return from[randomInt(from.length)]!
  })
  return signs.join('')
}

/**
 * Passwords that are tried first by everybody; the whole list matters less than the words of the person and the school.
 */
const common = [
  'password',
  'passw0rd',
  'qwerty',
  'admin',
  '123456',
  '12345678',
  '1q2w3e4r',
  'abc123',
  'iloveyou',
  'welcome',
  'letmein',
  'asdfgh',
  'zxcvbn',
  '5201314',
  'woaini',
  'aa123456',
  'a123456',
]

/**
 * Why a new plain password is refused; undefined when it is taken. It has to look as `contract/core/password-rule.ts`
 * says, and must not be common nor contain a word of the person (names, number, birth).
 */
export function passwordFault(password: string, profile: PasswordProfile, words: string[]): Failure | undefined {
  if (isClientHash(password)) return new Failure('password-hash-refused')
  const fault = passwordRuleFault(password, profile)
  if (fault) return new Failure('password-too-weak', { fault })
  return isGuessable(password, words) ? new Failure('password-guessable') : undefined
}

function isGuessable(password: string, words: string[]): boolean {
  const folded = password.normalize('NFKC').toLowerCase()
  const letters = folded.replace(/[^a-z0-9\u4e00-\u9fff]/g, '')
  if (common.includes(letters) || common.some((word) => letters.length - word.length < 3 && letters.includes(word)))
    return true
  if (/^(.)\1+$/.test(folded)) return true
  return words.some((word) => word.length >= 4 && folded.includes(word.toLowerCase()))
}
