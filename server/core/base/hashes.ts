import { createHash } from 'node:crypto'

/** The SHA-256 of a text (as UTF-8) or of bytes. */
export const sha256 = (content: string | Uint8Array): Buffer => createHash('sha256').update(content).digest()
