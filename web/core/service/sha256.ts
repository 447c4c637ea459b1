import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/**
 * SHA-256 of a text's UTF-8 bytes as lower-case hex. Not the browser's own digest: that one is missing on pages served
 * over plain HTTP, as inside many campus networks, and the password must not leave readable there either.
 */
export const sha256Hex = (text: string): string => bytesToHex(sha256(new TextEncoder().encode(text)))

/** A password as it travels: Unicode-normalised first, so that every keyboard gives the same digest. */
export const passwordDigest = (password: string): string => sha256Hex(password.normalize('NFC'))
