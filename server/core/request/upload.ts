import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../../contract/core/failure.ts'
import { makeTemporaryFolder } from '../base/temporary-folder.ts'
import type { Upload } from './context.ts'

/** Receives the one file of an upload call into a private folder; `remove` takes it away again, whatever happened. */
export async function receiveUpload(request: FastifyRequest, limit: number) {
  if (!request.isMultipart()) throw new Failure('wrong-type')
  const folder = makeTemporaryFolder('upload')
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  const sender = departureOf(request)
  try {
    const fields: Record<string, unknown> = {}
    let upload: Upload | undefined
    const read = async () => {
      for await (const part of request.parts({
        limits: { fileSize: limit, files: 1, fields: 20, fieldSize: 10_000, parts: 22 },
      })) {
        if (part.type === 'field') {
          if (part.fieldname !== '__proto__') fields[part.fieldname] = part.value
          continue
        }
        const path = join(folder, 'content')
        await pipeline(part.file, createWriteStream(path, { flags: 'wx' }), { signal: sender.signal })
        if (part.file.truncated) throw new Failure('file-too-large', { limit: `${Math.round(limit / 1_048_576)} MB` })
        upload = { path, name: cleanName(part.filename), size: part.file.bytesRead }
      }
    }
    await Promise.race([read(), sender.left])
    if (!upload) throw new Failure('file-missing')
    if ((upload as Upload).size === 0) throw new Failure('file-empty')
    return { upload: upload as Upload, fields, remove }
  } catch (error) {
    await remove()
    const { statusCode, syscall } = error as { statusCode?: number; syscall?: string }
    // what is neither ours nor the disk's is a body that is no multipart or breaks off, and the parser's errors carry
    // no code
    if (error instanceof Failure || statusCode || syscall) throw error
    throw new Failure('bad-request')
  }
}

/** Tells when the sender goes away before the body is whole: a parser that has seen half of it would wait for ever. */
function departureOf({ raw }: FastifyRequest) {
  const leaving = new AbortController()
  const left = new Promise<never>((_, refuse) => {
    leaving.signal.addEventListener('abort', () => refuse(new Failure('bad-request')), { once: true })
  })
  left.catch(() => {})
  const look = () => {
    if (!raw.complete) leaving.abort()
  }
  if (raw.destroyed) look()
  else raw.once('close', look)
  return { left, signal: leaving.signal }
}

/**
 * The name as shown to people: the last part of the path, without characters that a file system or a header would read.
 */
const cleanName = (name: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is being removed
  (name.split(/[\\/]/).at(-1) ?? '').replace(/[\u0000-\u001f"<>|:*?]/g, '').slice(-120) || '未命名文件'
