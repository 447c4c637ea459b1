import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorization } from '../../testing/s3-signature.ts'
import { folderStore, openFiles, type FileStore } from './files.ts'
import { s3Store } from './s3.ts'

const signer = {
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const about = { schoolId: 'demo', kind: 'image' }

let root: string
let bucket: Server
const objects = new Map<string, Buffer>()
let url: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'store-'))
  bucket = createServer(async (request, answer) => {
    const body = await buffer(request)
    const { authorization: given, ...headers } = request.headers
    if (
      given !== authorization(signer, request.method!, request.url!, signedOf(headers, given)) ||
      headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')
    )
      return void answer.writeHead(403).end('SignatureDoesNotMatch')
    if (request.method === 'PUT') objects.set(request.url!, body)
    const found = objects.get(request.url!)
    if (request.method === 'DELETE') objects.delete(request.url!)
    if (request.method === 'GET' && !found) return void answer.writeHead(404).end('NoSuchKey')
    answer.writeHead(request.method === 'DELETE' ? 204 : 200).end(request.method === 'GET' ? found : undefined)
  })
  await new Promise<void>((ready) => bucket.listen(0, '127.0.0.1', ready))
  url = `http://${signer.keyId}:${encodeURIComponent(signer.secret)}@127.0.0.1:${(bucket.address() as AddressInfo).port}/console`
})
afterAll(async () => {
  bucket.closeAllConnections()
  bucket.close()
  await rm(root, { recursive: true, force: true })
})

const signedOf = (headers: IncomingHttpHeaders, given = '') =>
  Object.fromEntries(
    (/SignedHeaders=([^,]*)/.exec(given)?.[1] ?? '').split(';').map((name) => [name, String(headers[name])]),
  )

describe.each<[string, () => FileStore]>([
  ['a folder', () => folderStore(join(root, 'files'))],
  ['an S3-compatible bucket', () => s3Store(url)],
])('%s', (_, open) => {
  test('gives back what it was given, under names of its own', async () => {
    const store = open()
    const bytes = Buffer.from('第二课堂'.repeat(50_000))
    const [one, two] = [
      await store.put(bytes, about),
      await store.put(Readable.from([bytes, Buffer.from('尾')]), about),
    ]
    expect(one).toMatch(/^demo\/image\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{32}$/)
    expect(two).not.toBe(one)
    expect((await buffer(await store.get(one))).equals(bytes)).toBe(true)
    expect((await buffer(await store.get(two))).length).toBe(bytes.length + 3)
    await store.remove(one)
    await store.remove(one)
    await expect(store.get(one)).rejects.toMatchObject({ reason: 'not-found' })
    expect((await buffer(await store.get(two))).length).toBe(bytes.length + 3)
  })

  test.each([
    '../../etc/passwd',
    '/etc/passwd',
    'demo/image/00/00/../../../../etc/passwd',
    `demo/image/00/00/${'0'.repeat(32)}\0.png`,
    '',
  ])('a key that is none of ours is not found: %j', async (key) => {
    await expect(open().get(key)).rejects.toMatchObject({ reason: 'not-found' })
  })
})

describe('a folder', () => {
  test('keeps nothing of a write that failed, and tells a full disk', async () => {
    const store = folderStore(join(root, 'broken'))
    const ending = (error: Error) =>
      Readable.from(
        (function* () {
          yield Buffer.from('half')
          throw error
        })(),
      )
    // again and again: whether the file is there already when its content breaks off is a matter of luck
    for (let n = 0; n < 200; n++)
      await expect(store.put(ending(new Error('dropped')), about)).rejects.toThrow('dropped')
    await expect(store.put(ending(Object.assign(new Error('full'), { code: 'ENOSPC' })), about)).rejects.toMatchObject({
      reason: 'disk-full',
    })
    expect(
      (await readdir(join(root, 'broken'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
    ).toEqual([])
  })

  test('is readable by its owner only, and tidies what an interrupted write left', async () => {
    const store = folderStore(join(root, 'tidy'))
    const key = await store.put(Buffer.from('x'), about)
    expect((await stat(join(root, 'tidy', key))).mode & 0o077).toBe(0)
    expect((await stat(join(root, 'tidy'))).mode & 0o077).toBe(0)
    const [old, fresh] = ['old', 'fresh'].map((name) => join(root, 'tidy', '.incoming', name)) as [string, string]
    await writeFile(old, 'x')
    await writeFile(fresh, 'x')
    await utimes(old, 0, 0)
    await store.tidy()
    expect(await readdir(join(root, 'tidy', '.incoming'))).toEqual(['fresh'])
    expect((await buffer(await store.get(key))).toString()).toBe('x')
  })

  test('is where files go unless the settings name a bucket', async () => {
    const dataDir = join(root, 'data')
    const key = await openFiles({ dataDir }).put(Buffer.from('x'), about)
    expect((await stat(join(dataDir, 'files', key))).size).toBe(1)
    const remote = await openFiles({ dataDir, filesUrl: url }).put(Buffer.from('y'), about)
    expect(objects.get(`/console/${remote}`)?.toString()).toBe('y')
  })
})

describe('an S3-compatible bucket', () => {
  test('whose content stops half-way keeps nobody waiting, and one that is read slowly comes whole', async () => {
    const half = createServer((_request, answer) => {
      answer.writeHead(200, { 'content-length': 1_000_000 }).write(Buffer.alloc(500_000))
    })
    await new Promise<void>((ready) => half.listen(0, '127.0.0.1', ready))
    const { port } = half.address() as AddressInfo
    const key = `demo/image/00/00/${'0'.repeat(32)}`
    const stuck = await s3Store(`http://key:secret@127.0.0.1:${port}/console`, 200).get(key)
    await expect(buffer(stuck)).rejects.toThrow('the file service did not answer in time')
    half.closeAllConnections()
    half.close()
    const bytes = Buffer.alloc(20_000_000, '二课')
    const whole = await s3Store(url, 1000).get(await s3Store(url).put(bytes, about))
    await sleep(3000)
    expect((await buffer(whole)).equals(bytes)).toBe(true)
    // who has everything and takes their time over the end is not kept waiting by the service
    const short = await s3Store(url, 300).get(await s3Store(url).put(Buffer.alloc(1_000_000), about))
    let taken = 0
    const slowAtLast = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        taken += chunk.length
        if (taken < 1_000_000) done()
        else setTimeout(done, 1500)
      },
    })
    await pipeline(short, slowAtLast)
    expect(taken).toBe(1_000_000)
  })

  test('a wrong secret is an error of ours, with the words of the service', async () => {
    await expect(s3Store(url.replace(/:[^:]*@/, ':wrong@')).put(Buffer.from('x'), about)).rejects.toThrow(
      '403: SignatureDoesNotMatch',
    )
  })

  test('signs for the region that its address names', async () => {
    await expect(s3Store(`${url}?region=us-east-1`).put(Buffer.from('x'), about)).resolves.toMatch(/^demo/)
    await expect(s3Store(`${url}?region=cn-north-1`).put(Buffer.from('x'), about)).rejects.toThrow('403')
  })

  // what the bucket of these tests calculates with: the two examples of Amazon's documentation of Signature Version 4
  test.each([
    [
      'GET',
      '/test.txt',
      {
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'PUT',
      '/test%24file.text',
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
  ])('signs the documented %s example as documented', (method, path, headers, signature) => {
    const all = {
      ...headers,
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-date': '20130524T000000Z',
    } as unknown as Record<string, string>
    expect(authorization(signer, method, path, all)).toMatch(
      new RegExp(`Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, .*Signature=${signature}$`),
    )
  })
})
