import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { serviceKeyApi } from '../../../contract/school/integration/keys.calls.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { startJobs, type Job } from '../../core/jobs/job-runner.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import { clientHash } from '../../core/secrets/passwords.ts'
import { setPassword } from '../../school/people/accounts.service.ts'
import { casServer } from '../../testing/cas-server.ts'
import { Client, signIn } from '../../testing/client.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { grantRecord, oneClass, recordPlans } from '../../testing/ledger.ts'
import { deliver, receiver } from '../../testing/receiver.ts'
import { newSchool, testPassword } from '../../testing/school.ts'
import { withOwnerDatabase } from '../school-archive/owner.ts'
import { resumeSchool, suspendSchool } from './schools.ts'

await useOwnDatabase()
const { owner } = await testDatabase()

test('keys, events, campus sign-in, students and jobs stop with a school, papers stay open, and all comes back', async () => {
  const school = await newSchool()
  const { schoolId, admin, nobody, services, ctx } = school
  services.config.outboundPrivate = ['127.0.0.0/8']
  // the command is another process to the one that answers here
  const suspend = async () => {
    await withOwnerDatabase(owner, (db) => suspendSchool(db, schoolId, '欠费'))
    await sleep(actorLifetime)
  }
  const resume = () => withOwnerDatabase(owner, (db) => resumeSchool(db, schoolId))

  const { key } = await admin.send(serviceKeyApi.add, {
    keyName: '教务',
    srId: school.roles['SCHOOL_AUDIT']!,
    endDate: addDays(dayOf(school.clock.now()), 1),
  })
  const program = new Client(school.address, key)

  const [student] = await (await oneClass(school)).students(1)
  await setPassword(ctx, schoolId, student!.suId, clientHash(testPassword))
  const enter = () => signIn(school.address, schoolId, student!.suiNumber, testPassword)
  const own = await enter()
  await grantRecord(school, student!, recordPlans[0]!)
  await admin.download(transcriptApi.export, { suIds: [student!.suId] })
  const { serial } = (await admin.send(issueApi.list, { suId: student!.suId })).records[0]!

  const other = await receiver()
  await admin.send(webhookApi.add, { odName: '教务', address: `${other.address}/in`, eventKinds: ['person.added'] })
  await school.person('COUNSELOR')

  const cas = await casServer()
  const provider = {
    kind: 'cas' as const,
    name: '统一身份认证',
    settings: { address: cas.address, attribute: '' },
    audience: ['student' as const],
    enabled: true,
  }
  const { providerId } = await admin.send(identityApi.save, provider)
  const verifier = randomBytes(32).toString('hex')
  const challenge = createHash('sha256').update(verifier).digest('hex')
  const go = async (address: string) =>
    (await fetch(new URL(address, school.address), { redirect: 'manual' })).headers.get('location') ?? ''
  const start = `/api/schoolbase/identity/start/${providerId}?challenge=${challenge}`
  cas.state.person = { user: student!.suiNumber }
  // one browser is on its way when the school is suspended
  const callback = await go(await go(start))

  const signals: Job['signal'][] = []
  const handlers = {
    long: {
      run: async (job: Job) => {
        signals.push(job.signal)
        // the first run goes on until it is stopped, the second has come back
        while (signals.length === 1) await sleep(20).then(() => job.progress(1))
      },
    },
  }
  const runner = await startJobs({ ...services, handlers, pollMs: 60_000, beatMs: 50 })
  const jobId = await enqueue(ctx, { schoolId, kind: 'long' })
  await expect.poll(() => signals.length).toBe(1)

  await suspend()
  const refused = { reason: 'school-suspended' }
  expect(await program.ask(studentApi.list, {})).toMatchObject(refused)
  expect(await own.ask(ownRecordApi.summary, {})).toMatchObject(refused)
  const byPassword = { grant_type: 'password' as const, schoolId, username: student!.suiNumber, password: testPassword }
  expect(await nobody.ask(sessionApi.token, byPassword)).toMatchObject(refused)
  expect(await nobody.send(identityApi.buttons, { schoolId })).toEqual([])
  expect(await go(start)).toBe('/?identityFault=school-suspended')
  expect(await go(callback)).toBe('/?identityFault=school-suspended')
  await deliver(school)
  expect(other.received).toEqual([])
  await expect.poll(() => signals[0]!.aborted).toBe(true)
  const job = () =>
    ctx.db
      .selectFrom('job')
      .select(['jobStatus', 'attempts'])
      .where('schoolId', '=', schoolId)
      .where('jobId', '=', jobId)
      .executeTakeFirst()
  await expect.poll(job).toEqual({ jobStatus: jobStatus.waiting, attempts: 0 })
  // a code for a new password is not sent, and whoever wrote it down before cannot use it
  const asked = { schoolId, username: student!.suiNumber }
  await nobody.send(sessionApi.retrievePwd, asked)
  expect(await ctx.db.selectFrom('resetRequest').selectAll().where('schoolId', '=', schoolId).execute()).toEqual([])
  // a paper in somebody's hand does not become worthless with its issuer's contract
  expect(await nobody.send(verifyApi.verify, { serial })).toMatchObject({ status: 'valid' })
  expect((await nobody.send(verifyApi.publicKeys, { schoolId })).keys.length).toBeGreaterThan(0)

  await resume()
  expect((await program.ask(studentApi.list, {})).code).toBe(200)
  expect((await own.ask(ownRecordApi.summary, {})).code).toBe(200)
  await enter()
  expect(await nobody.send(identityApi.buttons, { schoolId })).toHaveLength(1)
  const landing = new URL(await go(await go(await go(start))), school.address)
  const code = landing.searchParams.get('identityCode')!
  expect((await nobody.ask(identityApi.exchange, { code, verifier })).code).toBe(200)
  await deliver(school)
  expect(other.at('/in')).toHaveLength(1)
  // the resumption itself has woken the runner, which looks by itself once a minute
  await expect.poll(async () => (await job())?.jobStatus).toBe(jobStatus.done)
  expect(signals).toHaveLength(2)
  await runner.stop(100)
})
