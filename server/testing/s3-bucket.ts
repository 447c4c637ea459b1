import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atFileEnd } from './file-end.ts'

/** What goes wrong with requests for contents: they break off half-way, or are told to come again later. */
type BucketFault = 'breaks off' | 'is away'

/** A bucket of s3rver, another implementation of signatures, statuses and errors. Ends with the test file. */
export async function startBucket() {
  const folder = await mkdtemp(join(tmpdir(), 's3-'))
  const { default: S3rver } = await import('@20minutes/s3rver')
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    vhostBuckets: false,
    configureBuckets: [{ name: 'console', configs: [] }],
  })
  const { port } = await server.run()
  atFileEnd(async () => {
    server.httpServer.closeAllConnections()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { url: addressAt(port), port }
}

const addressAt = (port: number): string => `http://S3RVER:S3RVER@127.0.0.1:${port}/console`

/** The same, reached through something that goes wrong when it is told to. */
export async function startFaultyBucket() {
  const { port } = await startBucket()
  let fault: BucketFault | undefined
  const front = createServer((request, answer) => {
    if (fault === 'is away')
      return void answer
        .writeHead(503)
        .end('<Error><Code>SlowDown</Code><Message>Please reduce your rate.</Message></Error>')
    const { method, url, headers } = request
    const passed = ask({ host: '127.0.0.1', port, method, path: url, headers }, (told) => {
      answer.writeHead(told.statusCode!, told.headers)
      if (fault !== 'breaks off') return void told.pipe(answer)
      told.once('data', (chunk: Buffer) => answer.write(chunk.subarray(0, 20), () => answer.destroy()))
    })
    passed.on('error', () => answer.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((ready) => front.listen(0, '127.0.0.1', ready))
  atFileEnd(async () => {
    front.closeAllConnections()
    front.close()
  })
  return {
    url: addressAt((front.address() as AddressInfo).port),
    /** From now on; undefined ends it. */
    fail: (how: BucketFault | undefined) => void (fault = how),
  }
}
