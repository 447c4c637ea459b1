import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { streamToFile } from '../base/stream-to-file.ts'
import { StartFault } from '../base/start-fault.ts'
import type { DecryptionKey, Recipients } from './keys.ts'

/** A file of a backup as it lies there: bytes, and their SHA-256 in hexadecimal digits. */
export interface Part {
  size: number
  sha256: string
}

/** Passes everything on and keeps count of it. */
export class Meter {
  bytes = 0
  /** Ends of lines, which in the text format of COPY are the rows: those inside values are escaped. */
  lines = 0
  readonly #hash = createHash('sha256')
  readonly #onBytes: (bytes: number) => void

  constructor(onBytes: (bytes: number) => void = () => {}) {
    this.#onBytes = onBytes
  }

  /** For bytes whose digest is wanted. */
  readonly through = async function* (this: Meter, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.bytes += chunk.length
      this.#hash.update(chunk)
      this.#onBytes(chunk.length)
      yield chunk
    }
  }.bind(this)

  /** For text whose lines are wanted. */
  readonly counting = async function* (this: Meter, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.bytes += chunk.length
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.lines++
      this.#onBytes(chunk.length)
      yield chunk
    }
  }.bind(this)

  digest(): string {
    return this.#hash.digest('hex')
  }
}

/**
 * Compresses (unless told not to) and encrypts into a file, which is there whole or not at all.
 * @param draft beside it, on the same disk
 * @param path where it goes, or what tells it from the part
 */
export async function writePart(
  draft: string,
  path: string | ((part: Part) => Promise<string>),
  source: Readable,
  recipients: Recipients,
  options: { isPacked?: boolean; onBytes?: (bytes: number) => void } = {},
): Promise<Part & { plain: number; rows: number }> {
  const plain = new Meter(options.onBytes)
  const sealed = new Meter()
  const packed = options.isPacked ? new PassThrough() : createGzip({ level: 4 })
  const feeding = pipeline(source, plain.counting, packed)
  try {
    await Promise.all([
      feeding,
      streamToFile(draft, { mode: 0o600, flush: true }, async (file) =>
        pipeline(await recipients.encrypt(packed), sealed.through, file),
      ),
    ])
    const part = { size: sealed.bytes, sha256: sealed.digest() }
    await rename(draft, typeof path === 'string' ? path : await path(part))
    return { ...part, plain: plain.bytes, rows: plain.lines }
  } catch (error) {
    source.destroy()
    packed.destroy()
    await feeding.catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}

/** The content of a part, decrypted (and unpacked); a failure of reading or decrypting is one of the stream. */
export async function readPart(
  path: string,
  identity: DecryptionKey,
  { isPacked = false, onBytes }: { isPacked?: boolean; onBytes?: (bytes: number) => void } = {},
): Promise<Readable> {
  const sealed = createReadStream(path)
  if (onBytes) sealed.on('data', (chunk) => onBytes(chunk.length))
  sealed.pause()
  const opened = await identity.decrypt(sealed).catch((error: unknown) => {
    sealed.destroy()
    throw error
  })
  if (isPacked) return opened
  const plain = createGunzip()
  pipeline(opened, plain).catch(() => {})
  return plain
}

/**
 * Compares a part with what the manifest says of it.
 * @throws StartFault where it is missing, cut or altered
 */
export async function checkPart(
  path: string,
  name: string,
  part: Part,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new StartFault(`备份不完整：缺少 ${name}。`)
  if (found.size !== part.size)
    throw new StartFault(`备份已损坏：${name} 应为 ${part.size} 字节，实为 ${found.size} 字节。`)
  const meter = new Meter(onBytes)
  for await (const _ of meter.through(createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>));
  if (meter.digest() !== part.sha256) throw new StartFault(`备份已损坏：${name} 的内容与清单中的校验值不符。`)
}
