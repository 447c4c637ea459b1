import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startBucket } from '../../testing/s3-bucket.ts'
import { s3Store } from './s3.ts'

/**
 * The store before a server that is not ours: s3rver, another implementation of signatures, statuses and errors; or the
 * bucket that `S3_TEST_URL` names like the setting FILES_URL does (docs/operations.md).
 */
const named = process.env['S3_TEST_URL']
const about = { schoolId: 'demo', kind: 'document' }

const url = named ?? (await startBucket()).url

const changed = (change: (place: URL) => void) => {
  const place = new URL(url)
  change(place)
  return s3Store(place.href)
}
const refused = (error: unknown) => (error as Error).message

test('gives back what it was given, whatever its size', async () => {
  const store = s3Store(url)
  for (const bytes of [Buffer.alloc(0), Buffer.from('第二课堂'), Buffer.alloc(21_000_000, 7)]) {
    const keys = [await store.put(bytes, about), await store.put(Readable.from([bytes]), about)]
    for (const key of keys) {
      expect((await buffer(await store.get(key))).equals(bytes)).toBe(true)
      await store.remove(key)
    }
  }
})

test('stores under a key that was noted before, and over itself', async () => {
  const store = s3Store(url)
  const storeKey = `demo/document/0a/b1/${'0ab1'.repeat(8)}`
  await store.put(Buffer.from('一'), { storeKey })
  expect(await store.put(Buffer.from('二'), { storeKey })).toBe(storeKey)
  expect((await buffer(await store.get(storeKey))).toString()).toBe('二')
  await store.remove(storeKey)
})

test('what was removed, or never was, is not found; removing it again is no error', async () => {
  const store = s3Store(url)
  const key = await store.put(Buffer.from('x'), about)
  await store.remove(key)
  await store.remove(key)
  await expect(store.get(key)).rejects.toMatchObject({ reason: 'not-found' })
})

test('many at once do not mix', async () => {
  const store = s3Store(url)
  const contents = Array.from({ length: 120 }, (_, n) => Buffer.alloc(1000 + n * 997, n))
  const keys = await Promise.all(contents.map((content) => store.put(content, about)))
  expect(new Set(keys).size).toBe(keys.length)
  const read = await Promise.all(keys.map(async (key) => buffer(await store.get(key))))
  expect(read.every((content, at) => content.equals(contents[at]!))).toBe(true)
  // one after another: this server stumbles over folders that several requests empty at once
  for (const key of keys) await store.remove(key)
})

test('a reader who leaves half-way does not keep the others from reading', async () => {
  const store = s3Store(url)
  const key = await store.put(Buffer.alloc(5_000_000, 1), about)
  // more than there are connections
  for (let n = 0; n < 60; n++) {
    const content = await store.get(key)
    await new Promise((first) => content.once('data', first))
    content.destroy()
  }
  expect((await buffer(await store.get(key))).length).toBe(5_000_000)
  await store.remove(key)
})

test('a content that breaks off is not stored', async () => {
  const store = s3Store(url)
  const storeKey = `demo/document/0a/b2/${'0ab2'.repeat(8)}`
  // where the sweep finds it once this process is gone
  const ours = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`console-outgoing-${process.pid}-`))
  const before = ours().length
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(200_000)
      await sleep(10)
      expect(ours()).toHaveLength(before + 1)
      throw new Error('the sender left')
    })(),
  )
  await expect(store.put(broken, { storeKey })).rejects.toThrow('the sender left')
  expect(ours()).toHaveLength(before)
  await expect(store.get(storeKey)).rejects.toMatchObject({ reason: 'not-found' })
})

describe('settings that are wrong are errors with the words of the server, never files that are not there', () => {
  const wrong: [string, () => ReturnType<typeof s3Store>, RegExp][] = [
    ['a wrong secret', () => changed((place) => (place.password = 'wrong')), /403.*SignatureDoesNotMatch/s],
    [
      'an unknown key',
      () => changed((place) => (place.username = 'NOBODY')),
      /403.*(?:InvalidAccessKeyId|SignatureDoesNotMatch)/s,
    ],
    [
      'a bucket that is not there',
      () => changed((place) => (place.pathname = '/no-such-bucket')),
      /404.*NoSuchBucket/s,
    ],
  ]
  test.each(wrong)('%s', async (_, open, words) => {
    const key = await s3Store(url).put(Buffer.from('x'), about)
    const store = open()
    expect(await store.put(Buffer.from('x'), about).catch(refused)).toMatch(words)
    expect(await store.put(Buffer.alloc(21_000_000), about).catch(refused)).toMatch(words)
    expect(await store.get(key).catch(refused)).toMatch(words)
    expect(await store.remove(key).catch(refused)).toMatch(words)
    await s3Store(url).remove(key)
  })
})
