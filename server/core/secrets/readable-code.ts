import { randomBytes } from 'node:crypto'

/** Letters and digits that nobody takes for another one; 32 of them, so that each is five random bits. */
const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A random code for people to read and type, of so many characters. */
export const newReadableCode = (length: number): string =>
  Array.from(randomBytes(length), (byte) => characters[byte % characters.length]).join('')
