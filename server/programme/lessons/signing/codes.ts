import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a sign-in code says: which session of which course of which school, coming or going, and until when. */
interface SignCode {
  schoolId: string
  liId: string
  lseNo: number
  direction: 'in' | 'out'
  /** Wall-clock moment after which the code is void. */
  expires: string
}

const header = 'EK1'

/** The text of a QR code. Anyone may read it; only the holder of the session's secret can have written it. */
export function signCode(secret: Buffer, { schoolId, liId, lseNo, direction, expires }: SignCode): string {
  const body = Buffer.from(JSON.stringify([schoolId, liId, lseNo, direction, expires])).toString('base64url')
  return `${header}.${body}.${seal(secret, body)}`
}

/** What a scanned text claims to be; null for texts that are no code of ours. Not to be believed before `codeHolds`. */
export function readCode(text: string): SignCode | null {
  const [first, body] = text.split('.')
  if (first !== header || !body) return null
  try {
    const [schoolId, liId, lseNo, direction, expires] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
      string,
      string,
      number,
      'in' | 'out',
      string,
    ]
    return { schoolId, liId, lseNo, direction, expires }
  } catch {
    return null
  }
}

/** True for a text sealed with the secret of its session and not expired. */
export function codeHolds(text: string, secret: Buffer, now: string): boolean {
  const [, body, given] = text.split('.')
  const code = readCode(text)
  if (!code || !body || !given) return false
  const wanted = seal(secret, body)
  return (
    given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted)) && now <= code.expires
  )
}

const seal = (secret: Buffer, body: string): string =>
  createHmac('sha256', secret).update(`${header}.${body}`).digest('base64url')

/**
 * A code on a screen that changes every so many seconds: which session, coming or going, and the number of its time
 * step.
 */
type MovingCode = Omit<SignCode, 'expires'> & { step: number }

const movingHead = 'EK2'

/** The text of a changing code. */
export function movingCode(secret: Buffer, { schoolId, liId, lseNo, direction, step }: MovingCode): string {
  const body = Buffer.from(JSON.stringify([schoolId, liId, lseNo, direction, step])).toString('base64url')
  return `${movingHead}.${body}.${shortSeal(secret, movingHead, body)}`
}

/**
 * What a scanned text claims to be; null for texts that are no changing code. Not to be believed before
 * `movingSealed`.
 */
export function readMoving(text: string): MovingCode | null {
  const [first, body] = text.split('.')
  if (first !== movingHead || !body) return null
  try {
    const [schoolId, liId, lseNo, direction, step] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
      string,
      string,
      number,
      'in' | 'out',
      number,
    ]
    return { schoolId, liId, lseNo, direction, step }
  } catch {
    return null
  }
}

/** True for a changing code sealed with the secret of its session; when it counts says `scanMoment`. */
export const movingSealed = (text: string, secret: Buffer): boolean =>
  readMoving(text) !== null && isSealed(text, movingHead, secret)

function isSealed(text: string, head: string, secret: Buffer): boolean {
  const [first, body, given] = text.split('.')
  if (first !== head || !body || !given) return false
  const wanted = shortSeal(secret, head, body)
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
}

/** The code that a student shows on their own phone: whose it is, and the number of its time step. */
interface PersonCode {
  schoolId: string
  suId: string
  step: number
}

const personHead = 'EK3'

/** Seconds after which the code of a student changes; it counts in its step and the next. */
export const personSeconds = 30

/** The text of a student's own changing code. */
export function personCode(secret: Buffer, { schoolId, suId, step }: PersonCode): string {
  const body = Buffer.from(JSON.stringify([schoolId, suId, step])).toString('base64url')
  return `${personHead}.${body}.${shortSeal(secret, personHead, body)}`
}

/** Whose code it is, where this service made it lately: in this time step or the one before it. */
export function personOfCode(text: string, secret: Buffer, now: number): PersonCode | null {
  if (!isSealed(text, personHead, secret)) return null
  const [schoolId, suId, step] = JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString()) as [
    string,
    string,
    number,
  ]
  return step === now || step === now - 1 ? { schoolId, suId, step } : null
}

/**
 * Seconds that a typed code is shown; it counts in its step and the next, so for 300 seconds at most (docs/rules.md
 * R12).
 */
export const typedSeconds = 150

/** Six digits to be typed in place of a picture. */
export function typedCode(
  secret: Buffer,
  { lseNo, direction, step }: Pick<MovingCode, 'lseNo' | 'direction' | 'step'>,
): string {
  const number = createHmac('sha256', secret).update(`typed.${lseNo}.${direction}.${step}`).digest().readUInt32BE(0)
  return String(number % 1_000_000).padStart(6, '0')
}

/** Whether a text is meant as a typed code. */
export const isTyped = (text: string): boolean => /^\d{6}$/.test(text)

/** True for the digits of this step or the one before it. */
export const typedHolds = (
  text: string,
  secret: Buffer,
  of: Pick<MovingCode, 'lseNo' | 'direction'>,
  now: number,
): boolean => [now, now - 1].some((step) => typedCode(secret, { ...of, step }) === text)

/** 16 bytes are plenty for a code of a minute, and keep the picture coarse enough to be read from the last row. */
const shortSeal = (secret: Buffer, head: string, body: string): string =>
  createHmac('sha256', secret).update(`${head}.${body}`).digest().subarray(0, 16).toString('base64url')
