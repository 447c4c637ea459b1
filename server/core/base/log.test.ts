import { mkdtempSync, readFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { fullPath } from '../../../contract/core/call.ts'
import { buildApp } from '../../app.ts'
import { Client } from '../../testing/client.ts'
import { newSchool } from '../../testing/school.ts'
import { openLog } from './log.ts'

/** A log in a file of its own, and its lines so far. */
function logInFile(instance?: string) {
  const logFile = join(mkdtempSync(join(tmpdir(), 'log-')), 'service.log')
  const log = openLog({ logLevel: 'info', logFile, instance })
  const lines = () =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log, lines, text: () => readFileSync(logFile, 'utf8') }
}

test.each([
  [undefined, `${hostname()}:${process.pid}`],
  ['east-1', `east-1:${process.pid}`],
])('a line tells its level in a word, the instance (INSTANCE %s) and the version', async (given, instance) => {
  const { log, lines } = logInFile(given)
  log.warn('something')
  await expect
    .poll(lines)
    .toMatchObject([{ level: 'warn', instance, version: expect.stringMatching(/^\d+\.\d+\.\d+/) }])
})

test('values of secret fields never reach the log, however deep they stand', async () => {
  const { log, text } = logInFile()
  const secret = 'Geheim-123'
  log.info({ password: secret, body: { list: [{ suiIdCard: secret, suiPhone: secret }], totp: secret } }, 'one')
  log.child({ authorization: secret }).info({ access_token: secret }, 'two')
  log.error({ err: Object.assign(new Error('broken'), { detail: secret, constraint: 'person_pkey' }) }, 'three')
  await expect.poll(text).toContain('person_pkey')
  expect(text()).toContain('"msg":"two"')
  // what a child is made with is told as it is: the program gives it ids only
  expect(text().replace(`"authorization":"${secret}"`, '')).not.toContain(secret)
})

test('the line of a request tells school and person by id and the call, and no name', async () => {
  const school = await newSchool()
  const { log, lines, text } = logInFile()
  const app = await buildApp({ ...school.services, log })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const { client, suId, suiName, suiNumber } = await school.person('SCHOOL_ADMIN')
  await new Client(`http://127.0.0.1:${port}`, client.token, suId).send(collegeApi.list, {})
  await expect.poll(lines).toContainEqual(
    expect.objectContaining({
      msg: 'request',
      level: 'info',
      route: fullPath(collegeApi.list),
      schoolId: school.schoolId,
      suId,
      status: 200,
      ms: expect.any(Number) as number,
    }),
  )
  for (const name of [suiName, suiNumber]) expect(text()).not.toContain(name)
  await app.close()
})
