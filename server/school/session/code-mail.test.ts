import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { startJobs } from '../../core/jobs/job-runner.ts'
import { jobHandlers } from '../../setup/job-handlers.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { codeMailJob, keptCodes } from './delivery.ts'

await useOwnDatabase()
let app: TestApp
let school: TestSchool
let refuses = false
const mails: { to: string[]; text: string }[] = []
const sink = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, callback) =>
    username === 'dekt@school' && password === 'p:1'
      ? callback(null, { user: username })
      : callback(new Error('wrong password')),
  onRcptTo: (_address, _session, callback) =>
    callback(refuses ? Object.assign(new Error('try later'), { responseCode: 451 }) : null),
  onData: (stream, { envelope }, callback) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
    stream.on('end', () => {
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
      callback()
    })
  },
})

beforeAll(async () => {
  app = await testApp()
  school = await newSchool()
  await new Promise<void>((done) => sink.listen(0, '127.0.0.1', done))
  const { port } = sink.server.address() as AddressInfo
  app.services.config.mail = { url: `smtp://dekt%40school:p%3A1@127.0.0.1:${port}`, from: 'dekt@example.edu.cn' }
})
afterAll(async () => {
  app.services.config.mail = undefined
  await new Promise<void>((done) => sink.close(done))
})

/** Asks for a code and waits for the job that mails it. */
async function askFor(person: { suId: string; suiNumber: string }, email: string | null) {
  await app.ctx.db.updateTable('person').set({ suiEmail: email }).where('suId', '=', person.suId).execute()
  await school.nobody.send(sessionApi.retrievePwd, { schoolId: school.schoolId, username: person.suiNumber })
}
const jobs = () =>
  app.ctx.db.selectFrom('job').select(['jobStatus', 'payload']).where('jobKind', '=', codeMailJob).execute()
async function runDue(seconds = 0) {
  const clock = { now: () => addSeconds(app.clock.now(), seconds) }
  const handler = jobHandlers({ ...app.services, clock })[codeMailJob]!
  const runner = await startJobs({ ...app.services, clock, handlers: { [codeMailJob]: handler } })
  await runner.idle()
  await runner.stop()
}
const kept = async (suId: string): Promise<number> =>
  (await keptCodes(app.services, app.clock.now())).codes.filter((message) => message.suId === suId).length
const bodyOf = (mail: string): string => {
  const [, encoded = ''] = mail.split(/\r\n\r\n/)
  return /base64/i.test(mail) ? Buffer.from(encoded, 'base64').toString() : encoded
}

test('a code goes to the address of the account once, sealed until then, and works', async () => {
  const person = await school.person('GUIDE_TEACHER')
  await askFor(person, 'teacher@example.edu.cn')
  await expect.poll(jobs).toHaveLength(1)
  await runDue()
  await runDue(3)
  expect(mails.map(({ to }) => to)).toEqual([['teacher@example.edu.cn']])
  const code = /验证码是 (\w{8})/.exec(bodyOf(mails[0]!.text))?.[1]
  expect(code).toBeTruthy()
  expect(JSON.stringify(await jobs())).not.toContain(code)
  expect(await kept(person.suId)).toBe(0)
  const input = { schoolId: school.schoolId, username: person.suiNumber, code: code!, newPassword: 'Neues-Passw0rt-2' }
  expect((await school.nobody.ask(sessionApi.retrievePwd, input)).code).toBe(200)
})

test('what the mail server refuses is tried again, and is kept after the last try', async () => {
  const person = await school.person('GUIDE_TEACHER')
  refuses = true
  await askFor(person, 'refused@example.edu.cn')
  await expect.poll(jobs).toHaveLength(2)
  for (const seconds of [0, 10, 40]) await runDue(seconds)
  expect(await kept(person.suId)).toBe(0)
  await runDue(200)
  expect(await kept(person.suId)).toBe(1)
  refuses = false
  await runDue(590)
  expect(mails.flatMap(({ to }) => to)).not.toContain('refused@example.edu.cn')
})

test('a code that has run out is not sent, and one for an account without address is kept', async () => {
  const [late, without] = [await school.person('GUIDE_TEACHER'), await school.person('GUIDE_TEACHER')]
  await askFor(late, 'late@example.edu.cn')
  await expect.poll(jobs).toHaveLength(3)
  await runDue(601)
  expect(mails.flatMap(({ to }) => to)).not.toContain('late@example.edu.cn')
  await askFor(without, null)
  await expect.poll(() => kept(without.suId)).toBe(1)
  expect(await jobs()).toHaveLength(3)
})
