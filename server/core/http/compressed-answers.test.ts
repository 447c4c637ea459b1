import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { preferenceApi } from '../../../contract/school/session/preferences.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
beforeAll(async () => {
  school = await newSchool()
})

/** What comes over the wire, as it comes. */
const ask = (call: Call, accepted?: string) =>
  new Promise<{ encoding: string | undefined; length: number; vary: string | undefined; bytes: Buffer }>(
    (done, fail) => {
      const headers = {
        authorization: `Bearer ${school.admin.token!}`,
        ...(accepted !== undefined && { 'accept-encoding': accepted }),
      }
      request(`${school.address}${fullPath(call)}?dictOf=-`, { method: call.method, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const { 'content-encoding': encoding, 'content-length': length, vary } = response.headers
          done({ encoding, length: Number(length), vary, bytes: Buffer.concat(parts) })
        })
      })
        .on('error', fail)
        .end()
    },
  )

/** The profile with all dictionaries. */
const long = sessionApi.landLoad

test('a long answer is compressed for who takes it, and is the same', async () => {
  const plain = await ask(long)
  expect(plain).toMatchObject({ encoding: undefined, length: plain.bytes.length, vary: 'Accept-Encoding' })
  const compressed = await ask(long, 'gzip, deflate, br')
  expect(compressed).toMatchObject({ encoding: 'gzip', length: compressed.bytes.length, vary: 'Accept-Encoding' })
  expect(compressed.length * 3).toBeLessThan(plain.length)
  const data = ({ bytes }: { bytes: Buffer }) =>
    (JSON.parse(bytes.toString()) as { data: { dictionaries: object } }).data.dictionaries
  expect(data({ bytes: gunzipSync(compressed.bytes) })).toEqual(data(plain))
})

test.each([
  ['gzip', 'gzip'],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip'],
  ['deflate,gzip', 'gzip'],
  ['gzip;q=0', undefined],
  ['br, gzip; q=0.000, deflate', undefined],
  ['identity', undefined],
  ['x-gzip', undefined],
])('of a caller who takes %s', async (accepted, encoding) => {
  expect((await ask(long, accepted)).encoding).toBe(encoding)
})

test('a short answer is left as it is', async () => {
  const { encoding, vary, bytes } = await ask(preferenceApi.list, 'gzip')
  expect({ encoding, vary }).toEqual({ encoding: undefined, vary: undefined })
  expect(JSON.parse(bytes.toString())).toMatchObject({ code: 200 })
})
