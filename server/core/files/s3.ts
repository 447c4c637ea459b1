import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent as SafeAgent, request as safeRequest } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileStore } from './files.ts'
import { streamToFile } from '../base/stream-to-file.ts'
import { makeTemporaryFolder } from '../base/temporary-folder.ts'
import { checkedKey, keyFor } from './store-key.ts'

/**
 * Keeps contents in a bucket of an S3-compatible service, for installations of several machines.
 * @param url `https://KEY:SECRET@host/bucket?region=…`; the bucket is named by path, the region is us-east-1 unless
 *   given
 * @param silentMs milliseconds that the service may keep whoever waits for it waiting
 */
export function s3Store(url: string, silentMs = 30_000): FileStore {
  const place = new URL(url)
  const signedBy = {
    accessKeyId: decodeURIComponent(place.username),
    secretAccessKey: decodeURIComponent(place.password),
    region: place.searchParams.get('region') ?? 'us-east-1',
    service: 's3',
    // keeps the key that is derived for a day
    cache: new Map<string, ArrayBuffer>(),
  }
  const safe = place.protocol === 'https:'
  const agent = safe
    ? new SafeAgent({ keepAlive: true, maxSockets: 50 })
    : new PlainAgent({ keepAlive: true, maxSockets: 50 })

  /** Sent by `node:http` and not by fetch, because the service wants the length of a stream before its first byte. */
  async function send(
    method: string,
    storeKey: string,
    sha256: string,
    body?: { size: number; open: () => Readable },
  ): Promise<IncomingMessage> {
    const path = `${place.pathname.replace(/\/$/, '')}/${checkedKey(storeKey)}`
    const signer = new AwsV4Signer({
      ...signedBy,
      method,
      url: `${place.protocol}//${place.host}${path}`,
      headers: { 'x-amz-content-sha256': sha256 },
    })
    const headers = {
      host: place.host,
      ...Object.fromEntries((await signer.sign()).headers),
      ...(body ? { 'content-length': body.size } : {}),
    }
    return new Promise((resolve, reject) => {
      let received: IncomingMessage | undefined
      const request = (safe ? safeRequest : plainRequest)(
        {
          method,
          path,
          headers,
          agent,
          protocol: place.protocol,
          hostname: place.hostname,
          port: place.port,
          timeout: silentMs,
        },
        (answer) => {
          received = answer
          resolve(answer)
        },
      )
      request.on('timeout', () => {
        // it is the reader who takes their time where something that has come, or its end, is still to be taken
        if (received && (received.readableLength > 0 || received.complete)) return void request.setTimeout(silentMs)
        const late = new Error('the file service did not answer in time')
        ;(received ?? request).destroy(late)
      })
      request.on('error', reject)
      if (body) pipeline(body.open(), request).catch(reject)
      else request.end()
    })
  }

  return {
    async put(content, about) {
      const key = keyFor(about)
      // the service wants length and checksum before the first byte, so a stream is first laid down beside us
      const folder = makeTemporaryFolder('outgoing')
      const draft = join(folder, 'content')
      try {
        const { size, sha256 } = await layDown(content, draft)
        await settle(await send('PUT', key, sha256, { size, open: () => createReadStream(draft) }), [200])
        return key
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async get(storeKey) {
      const answer = await send('GET', storeKey, emptyHash)
      if (answer.statusCode === 200) return answer
      await settle(answer, [404])
      throw new Failure('not-found')
    },
    async remove(storeKey) {
      await settle(await send('DELETE', storeKey, emptyHash), [200, 204, 404])
    },
    tidy: async () => {},
  }
}

const emptyHash = createHash('sha256').digest('hex')

async function layDown(content: Readable | Uint8Array, path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  const measured = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  await streamToFile(path, { flags: 'wx', mode: 0o600 }, (file) =>
    pipeline(content instanceof Readable ? content : Readable.from([content]), measured, file),
  )
  return { size, sha256: hash.digest('hex') }
}

/**
 * Reads an answer to its end; one that is not as expected is an error with the service's own words for the log. That a
 * bucket is not there says nothing of what it should hold.
 */
async function settle(answer: IncomingMessage, expected: number[]): Promise<void> {
  let text = ''
  for await (const chunk of answer) if (text.length < 2000) text += String(chunk)
  if (expected.includes(answer.statusCode ?? 0) && !text.includes('NoSuchBucket')) return
  if (answer.statusCode === 507 || text.includes('XMinioStorageFull')) throw new Failure('disk-full')
  throw new Error(`the file service answered ${answer.statusCode}: ${text.slice(0, 500)}`)
}
