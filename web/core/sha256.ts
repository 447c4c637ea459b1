/**
 * SHA-256 of a text's UTF-8 bytes as lower-case hex. Written out because the browser's own digest is missing on pages
 * served over plain HTTP, as inside many campus networks, and the password must not leave readable there either.
 */
export function sha256Hex(text: string): string {
  const words = padded(new TextEncoder().encode(text))
  const state = new Uint32Array(initial)
  const w = new Uint32Array(64)
  for (let block = 0; block < words.length; block += 16) {
    for (let i = 0; i < 64; i++) {
      w[i] = i < 16 ? words[block + i]! : small1(w[i - 2]!) + w[i - 7]! + small0(w[i - 15]!) + w[i - 16]!
    }
    compress(state, w)
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** A password as it travels: Unicode-normalised first, so that every keyboard gives the same digest. */
export const passwordDigest = (password: string): string => sha256Hex(password.normalize('NFC'))

function padded(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array((((bytes.length + 8) >> 6) + 1) << 4)
  bytes.forEach((byte, at) => {
    words[at >> 2]! |= byte << (24 - (at & 3) * 8)
  })
  words[bytes.length >> 2]! |= 0x80 << (24 - (bytes.length & 3) * 8)
  words[words.length - 1] = bytes.length * 8
  return words
}

function compress(state: Uint32Array, w: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const t1 = (h + big1(e) + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) >>> 0
    const t2 = (big0(a) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((value, at) => {
    state[at]! += value
  })
}

const turn = (value: number, by: number) => (value >>> by) | (value << (32 - by))
const big0 = (x: number) => (turn(x, 2) ^ turn(x, 13) ^ turn(x, 22)) >>> 0
const big1 = (x: number) => (turn(x, 6) ^ turn(x, 11) ^ turn(x, 25)) >>> 0
const small0 = (x: number) => (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) >>> 0
const small1 = (x: number) => (turn(x, 17) ^ turn(x, 19) ^ (x >>> 10)) >>> 0

/** The first 32 bits of the fractional parts of the roots of the first primes, as the standard defines both tables. */
const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n)
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32)
const initial = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)))
const constants = primes.map((p) => fraction(Math.cbrt(p)))
