import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { alarmKind, jobStatus } from '../../../contract/core/codes/platform.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { runtimeApi } from '../../../contract/school/runtime/runtime.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { migrations } from '../../migrations/index.ts'
import { buildApp } from '../../app.ts'
import { jobHandlers } from '../../setup/job-handlers.ts'
import { startHeartbeat } from '../../core/watch/heartbeat.ts'
import { Client } from '../../testing/client.ts'
import { asOwner, testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { watchRuntime } from './alarms.service.ts'
import { diagnosticEntries, harmlessLine } from './diagnostics.service.ts'
import { jobName } from './job-names.ts'

await useOwnDatabase()

/** A job of a school that has failed for good, `minutes` ago. */
async function failedJob(school: TestSchool, schoolId: string, minutes = 1, jobKind = 'threshold:calc') {
  const jobId = randomUUID()
  const row = {
    jobId,
    schoolId,
    jobKind,
    jobStatus: jobStatus.failed,
    attempts: 5,
    error: '连接中断',
    runner: 'one-machine:7',
  }
  const at = school.clock.now()
  await school.services.db
    .insertInto('job')
    .values({
      ...row,
      runAt: at,
      createTime: at,
      endTime: new Date(Date.parse(`${at.replace(' ', 'T')}+08:00`) - minutes * 60_000).toISOString(),
    })
    .execute()
  return jobId
}
const titles = async (school: TestSchool) =>
  (await school.admin.send(messageApi.inbox, { pageSize: 50 })).records.map((row) => row.iiTitle)

test('where the installation has one school, its administrator sees all of it', async () => {
  const school = await newSchool()
  const heart = startHeartbeat(school.services, (await testDatabase()).pool, 'main')
  await heart.beat()
  const { installation, health } = await school.admin.send(runtimeApi.overview, {})
  expect(installation!.processes).toMatchObject([{ pbKind: 'main', isAlive: true }])
  expect(installation!.versions.schema).toBe(Object.keys(migrations).at(-1))
  expect(installation!.storage.tables.length).toBeGreaterThan(5)
  expect(installation!.storage.database).toBeGreaterThan(1_000_000)
  expect(health.map(({ name }) => name)).toContain('磁盘')
  await heart.stop()
  expect((await school.admin.send(runtimeApi.overview, {})).installation!.processes).toEqual([])
})

test('what the only school has been told ends without a word once there is a second, and nobody is named to hear', async () => {
  const alarms = { diskBytes: Number.MAX_SAFE_INTEGER, backupHours: 0, jobMinutes: 1e9 }
  const { services } = await newSchool()
  const [first] = await services.db.selectFrom('school').select('schoolId').execute()
  const raised = { schoolId: first!.schoolId, alKind: alarmKind.disk, alText: '余量不足', occurrence: '' }
  await services.db
    .insertInto('alarm')
    .values({ ...raised, raiseTime: services.clock.now() })
    .execute()
  await watchRuntime({ ...services, config: { ...services.config, alarms, operators: [] } })
  expect(await services.db.selectFrom('alarm').where('alKind', '=', alarmKind.disk).selectAll().execute()).toEqual([])
})

test('of several schools each sees its own jobs, and only operators see the installation', async () => {
  const [one, other] = [await newSchool(), await newSchool()]
  const own = await failedJob(one, one.schoolId)
  const foreign = await failedJob(one, other.schoolId)
  const common = await failedJob(one, '')
  const seen = async (client: Client) => {
    const { records } = await client.send(runtimeApi.jobs, { pageSize: 100 })
    return records.map(({ jobId }) => jobId).filter((id) => new Set<string>([own, foreign, common]).has(id))
  }
  const runners = async (client: Client) =>
    new Set((await client.send(runtimeApi.jobs, { pageSize: 100 })).records.map(({ runner }) => runner))
  expect(await seen(one.admin)).toEqual([own])
  expect(await runners(one.admin)).toEqual(new Set(['']))
  expect((await one.admin.send(runtimeApi.overview, {})).installation).toBeNull()
  expect((await one.admin.ask(runtimeApi.diagnostics, {})).reason).toBe('not-permitted')
  for (const id of [foreign, common])
    expect((await one.admin.ask(runtimeApi.retry, { jobId: id })).reason).toBe('not-found')
  const config = { ...one.services.config, operators: [`${one.schoolId}/admin`] }
  const app = await buildApp({ ...one.services, config })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const operator = new Client(`http://127.0.0.1:${port}`, one.admin.token)
  expect((await seen(operator)).toSorted()).toEqual([own, common].toSorted())
  expect(await runners(operator)).toEqual(new Set(['one-machine:7']))
  expect((await operator.send(runtimeApi.overview, {})).installation).not.toBeNull()
  const outsider = new Client(`http://127.0.0.1:${port}`, other.admin.token)
  expect((await outsider.send(runtimeApi.overview, {})).installation).toBeNull()
  await app.close()
})

test('a job that failed for good is begun anew once, and the trail tells who did it', async () => {
  const school = await newSchool()
  const jobId = await failedJob(school, school.schoolId)
  const teacher = await school.person('GUIDE_TEACHER')
  expect((await teacher.client.ask(runtimeApi.retry, { jobId })).reason).toBe('not-permitted')
  await school.admin.send(runtimeApi.retry, { jobId })
  const [row] = (await school.admin.send(runtimeApi.jobs, {})).records
  expect(row).toMatchObject({ jobId, jobStatus: jobStatus.waiting, attempts: 0, error: '', can: [] })
  expect((await school.admin.ask(runtimeApi.retry, { jobId })).reason).toBe('job-not-failed')
  const trail = await school.admin.send(auditApi.list, { action: '重试任务', result: 'ok' })
  expect(trail.records).toMatchObject([{ action: '重试任务', bizName: '预警计算', actorName: '管理员' }])
})

test('what is begun anew on its own screen is not retried here', async () => {
  const school = await newSchool()
  const jobId = await failedJob(school, school.schoolId, 1, 'import')
  expect((await school.admin.send(runtimeApi.jobs, {})).records[0]!.can).toEqual([])
  expect((await school.admin.ask(runtimeApi.retry, { jobId })).reason).toBe('job-not-failed')
})

test('failed jobs are told once, a later one once more, and their end as well', async () => {
  const school = await newSchool()
  const watch = () => watchRuntime(school.services)
  const jobId = await failedJob(school, school.schoolId, 10)
  await watch()
  await watch()
  expect((await titles(school)).filter((title) => title.includes('任务'))).toEqual(['任务未能完成'])
  expect((await school.admin.send(runtimeApi.overview, {})).alarms).toMatchObject([{ alKind: 'failedJobs' }])
  const later = await failedJob(school, school.schoolId, 5)
  await watch()
  expect((await titles(school)).filter((title) => title === '任务未能完成')).toHaveLength(2)
  for (const id of [jobId, later]) await school.admin.send(runtimeApi.retry, { jobId: id })
  await watch()
  await watch()
  expect((await titles(school)).filter((title) => title === '已恢复：任务未能完成')).toHaveLength(1)
  expect((await school.admin.send(runtimeApi.overview, {})).alarms).toEqual([])
})

test('a full disk and an old backup are told to operators only, once each; one of the future is none', async () => {
  await asOwner((db) =>
    sql`
      insert into "backupRun" ("brId", "brKind", "brStatus", "place", "startTime", "endTime")
      values (gen_random_uuid(), 'backup', '1', '/backups', now() + interval '1 year', now() + interval '1 year')
    `.execute(db),
  )
  const [one, other] = [await newSchool(), await newSchool()]
  const alarms = { diskBytes: Number.MAX_SAFE_INTEGER, backupHours: 36, jobMinutes: 1e9 }
  const config = {
    ...one.services.config,
    production: true,
    alarms,
    operators: [`${one.schoolId}/admin`],
    backupPlace: tmpdir(),
  }
  for (let round = 0; round < 3; round++) await watchRuntime({ ...one.services, config })
  const { alText } = await one.services.db
    .selectFrom('alarm')
    .select('alText')
    .where('alKind', '=', alarmKind.disk)
    .where('schoolId', '=', one.schoolId)
    .executeTakeFirstOrThrow()
  expect(alText).toMatch(/^数据目录、备份位置（BACKUP_PLACE）所在磁盘的余量低于/)
  const found = ['备份过旧', '磁盘余量不足']
  const common = async (school: TestSchool) =>
    (await titles(school)).filter((title) => found.includes(title)).toSorted()
  expect([await common(one), await common(other)]).toEqual([found, []])
  // what is over in part is not told anew, nor when it comes back
  for (const backupPlace of [undefined, tmpdir()])
    await watchRuntime({ ...one.services, config: { ...config, backupPlace } })
  expect(await common(one)).toEqual(found)
  // two that look at once tell it once
  await asOwner((db) => db.deleteFrom('alarm').where('schoolId', '=', one.schoolId).execute())
  const before = (await common(one)).length
  await Promise.all([1, 2, 3].map(() => watchRuntime({ ...one.services, config })))
  expect((await common(one)).length).toBe(before + found.length)
  await watchRuntime({ ...one.services, config: { ...config, alarms: { ...alarms, diskBytes: 0 } } })
  expect(await titles(one)).toContain('已恢复：磁盘余量不足')
})

test('a recurring job that fails again and again is told to operators, on the screen and by a message, until it works', async () => {
  const [one, other] = [await newSchool(), await newSchool()]
  const config = { ...one.services.config, operators: [`${one.schoolId}/admin`] }
  const app = await buildApp({ ...one.services, config })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as { port: number }
  const operator = new Client(`http://127.0.0.1:${port}`, one.admin.token)
  const now = one.services.clock.now()
  const row = {
    jobId: randomUUID(),
    schoolId: '',
    jobKind: 'quota:count',
    jobKey: 'every',
    jobStatus: jobStatus.waiting,
  }
  await one.services.db
    .insertInto('job')
    .values({ ...row, runAt: addDays(now, 1), createTime: now, attempts: 6, error: '断开' })
    .execute()
  const told = async () => {
    await watchRuntime({ ...one.services, config })
    const { health } = await operator.send(runtimeApi.overview, {})
    return health.find(({ name }) => name === '定时任务')
  }
  expect(await told()).toMatchObject({ state: 'bad', text: expect.stringContaining('1 项') as string })
  expect((await operator.send(runtimeApi.jobs, {})).records[0]).toMatchObject({ jobId: row.jobId, error: '断开' })
  await one.services.db.updateTable('job').set({ attempts: 0 }).where('jobId', '=', row.jobId).execute()
  expect(await told()).toMatchObject({ state: 'good' })
  const found = ['定时任务接连失败', '已恢复：定时任务接连失败']
  const heard = async (school: TestSchool) => (await titles(school)).filter((title) => found.includes(title)).toSorted()
  expect([await heard(one), await heard(other)]).toEqual([found, []])
})

test('every kind of job has a name in words', () => {
  const nameless = Object.keys(jobHandlers({ config: { backupPlace: '/backups' } } as never, '')).filter(
    (kind) => jobName(kind) === kind,
  )
  expect(nameless).toEqual([])
})

test('the bundle for diagnosis holds facts, and nothing of people, places or secrets', async () => {
  const school = await newSchool()
  const person = await school.person('COUNSELOR', [], { suiName: '诸葛小明', suiNumber: 'G20240077' })
  const logFile = join(mkdtempSync(join(tmpdir(), 'diagnostics-')), 'service.log')
  const err = {
    type: 'Error',
    message: '诸葛小明 13812345678',
    stack: 'Error: 诸葛小明\n    at f (/srv/secret/x.ts:1:2)',
  }
  const line = { level: 'error', msg: 'request failed', suId: person.suId, schoolId: school.schoolId, ip: '10.9.8.7' }
  writeFileSync(logFile, `${JSON.stringify({ ...line, err, name: '诸葛小明' })}\nnot JSON 诸葛小明\n`)
  const secret = 'postgres://somebody:Geheim-1@db.example/x'
  const config = { ...school.services.config, logFile, databaseUrl: secret }
  const entries = await diagnosticEntries({ ...school.services, config }, 'schema')
  const all = entries.map(({ name, content }) => `${name}\n${content as string}`).join('\n')
  for (const part of ['versions.json', 'slow-statements.json', '"databaseUrl": "set"', '"poolSize"', 'request failed'])
    expect(all).toContain(part)
  const names = [
    '诸葛小明',
    'G20240077',
    '13812345678',
    person.suId,
    school.schoolId,
    '10.9.8.7',
    '测试大学',
    'Geheim-1',
  ]
  const secrets = [school.services.secrets.pepper, school.services.secrets.fieldKey].flatMap((key) => [
    key.toString('hex'),
    key.toString('base64'),
  ])
  for (const word of [...names, ...secrets, 'somebody', '/srv/secret', 'admin']) expect(all).not.toContain(word)
  expect(all).toContain('at f (x.ts:1:2)')
})

test('the bundle is a zip that operators may have, and having it is on the trail', async () => {
  const school = await newSchool()
  const config = { ...school.services.config, operators: [`${school.schoolId}/admin`] }
  const app = await buildApp({ ...school.services, config })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const { bytes } = await new Client(`http://127.0.0.1:${port}`, school.admin.token).download(
    runtimeApi.diagnostics,
    {},
  )
  const zip = await fromBufferPromise(bytes)
  const names: string[] = []
  for await (const entry of zip.eachEntry()) {
    names.push(entry.fileName)
    if (entry.fileName === 'versions.json')
      expect(JSON.parse(await text(await zip.openReadStreamPromise(entry)))).toMatchObject({
        node: process.versions.node,
      })
  }
  expect(names).toContain('log.jsonl')
  await app.close()
  expect((await school.admin.send(auditApi.list, { action: '下载诊断包' })).records).toHaveLength(1)
})

test.each([
  ['no JSON', 'nothing of a line', []],
  ['{"msg":"x","suiName":"王"}', 'only what is known', ['{"msg":"x"}']],
])('%s: %s', (line, _, out) => expect(harmlessLine(line)).toEqual(out))
