import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
let person: TestPerson
let temporary: string
const usual = process.env['TMPDIR']

beforeAll(async () => {
  // uploads are received in a place of this test's own, so that what they leave behind can be counted
  process.env['TMPDIR'] = temporary = await mkdtemp(join(tmpdir(), 'upload-test-'))
  school = await newSchool()
  person = await school.person('GUIDE_TEACHER')
})
afterAll(async () => {
  if (usual === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = usual
  await rm(temporary, { recursive: true, force: true })
})

describe('uploads that go wrong on the way', () => {
  const head = (length: number) =>
    `POST ${fullPath(fileApi.upload)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.client.token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n`
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
  const send = (bytes: string) =>
    new Promise<void>((done) => {
      const { port } = new URL(school.address)
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(bytes, () => setTimeout(() => socket.destroy(), 5)),
      )
      socket.on('error', () => {})
      socket.on('close', () => done())
    })

  test('leave no temporary file behind when the sender drops', async () => {
    for (let n = 0; n < 60; n++) await send(head(1_000_000) + part + 'x'.repeat([0, 100_000, 900_000][n % 3]!))
    let left = ['?']
    for (const deadline = Date.now() + 10_000; left.length > 0 && Date.now() < deadline; await sleep(100))
      left = (await readdir(temporary)).filter((name) => name.startsWith('console-upload-'))
    expect(left).toEqual([])
    expect(
      (
        await person.client.upload(
          fileApi.upload,
          { name: 'a.pdf', bytes: Buffer.from('%PDF-1.7\n') },
          { kind: 'document' },
        )
      ).code,
    ).toBe(200)
  })

  test.each([
    ['a missing boundary', 'multipart/form-data', 'xx'],
    ['a boundary that never comes', 'multipart/form-data; boundary=b', 'rubbish'],
    ['a body of another type', 'application/json', '{}'],
  ])('are refused for %s', async (_, type, body) => {
    const answer = await fetch(school.address + fullPath(fileApi.upload), {
      method: 'POST',
      headers: { authorization: `Bearer ${person.client.token}`, 'content-type': type },
      body,
    })
    expect(answer.status === 200 ? ((await answer.json()) as { code: number }).code : answer.status).toSatisfy(
      (code: number) => code >= 300 && code < 500,
    )
  })
})
