import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { importStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { studentSheet } from '../../../contract/school/people/people.sheets.ts'
import { bundledFile } from '../../core/base/bundled-file.ts'
import { startJobs, type JobRunner } from '../../core/jobs/job-runner.ts'
import { actorFor } from '../../school/session/tokens.ts'
import { importers } from '../../setup/importers.ts'
import { testApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { csvOf } from '../../testing/csv.ts'
import { useOwnDatabase, testDatabase } from '../../testing/database.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'
import { importJobs } from './import-jobs.ts'
import { gates, tryApi as api, tryImporters, tryRoutes } from '../../testing/trial-college.ts'

await useOwnDatabase()

/** Imports beyond what a request does itself. */
const kind = 'college' as const
const many = 6000
let runner: JobRunner
// a job that breaks off is tried again half a minute later, as it should be
vi.setConfig({ testTimeout: 150_000 })

beforeAll(async () => {
  const { services } = await testApp(tryRoutes)
  runner = await startJobs({
    ...services,
    handlers: { import: importJobs(services, { ...importers, ...tryImporters }, actorFor)['import']! },
    pollMs: 50,
    beatMs: 100,
  })
})
afterEach(() => {
  for (const name of ['load', 'commit', 'undo'] as const) delete gates[name]
})
afterAll(() => runner.stop(100))

/** More than a request does itself; the first row is as the test wants it. */
const csv = (mark: string, first = `${mark}-0,${mark} 第 0 学院,,`) => {
  const rows = Array.from(
    { length: many - 1 },
    (_, at) => `${mark}-${at + 1},${mark} 第 ${at + 1} 学院,一个足够长的简称,0571-8795${String(at).padStart(4, '0')}`,
  )
  return { name: '学院.csv', bytes: Buffer.from(['学院编码,学院名称,简称,电话', first, ...rows].join('\n')) }
}
const upload = async (client: Client, file: ReturnType<typeof csv>, more: Record<string, string> = {}) => {
  const reply = await client.upload(api.upload, file, { kind, ...more })
  expect(reply.msg).toBe('操作成功')
  return reply.data
}
const batchOf = (client: Client, ibId: string) => client.send(api.batch, { kind, ibId })
const until = async (client: Client, ibId: string, status: string) =>
  expect.poll(async () => (await batchOf(client, ibId)).ibStatus, { timeout: 100_000, interval: 50 }).toBe(status)
const colleges = async ({ ctx, schoolId }: TestSchool) =>
  Number(
    (
      await ctx.db
        .selectFrom('college')
        .select(({ fn }) => fn.countAll().as('n'))
        .where('schoolId', '=', schoolId)
        .executeTakeFirstOrThrow()
    ).n,
  )

/** A gate that is shut until it is opened. */
function gate(name: keyof typeof gates): () => void {
  let open = () => {}
  gates[name] = new Promise<void>((opened) => (open = opened))
  return open
}

describe('an import of thousands of rows', () => {
  test('is answered at once to whoever does not wait, and tells how far it is until it is done', async () => {
    const school = await newSchool()
    const { admin } = school
    const opened = gate('load')
    const begun = await upload(admin, csv('A'), { wait: '0' })
    expect(begun).toMatchObject({ ibStatus: importStatus.checking, can: ['discard'] })
    await expect.poll(async () => (await batchOf(admin, begun.ibId)).progress, { timeout: 20_000 }).toBeGreaterThan(0)
    expect((await admin.send(api.batches, { kind })).records[0]).toMatchObject({
      ibId: begun.ibId,
      ibStatus: importStatus.checking,
    })
    expect(await admin.ask(api.commit, { kind, ibId: begun.ibId, wait: 0 })).toMatchObject({ reason: 'import-busy' })
    opened()
    await until(admin, begun.ibId, '0')
    expect(await batchOf(admin, begun.ibId)).toMatchObject({ newCount: many, rowCount: many, progress: null })
    expect(
      (await admin.send(api.preview, { kind, ibId: begun.ibId, current: 300, pageSize: 20 })).records.at(-1),
    ).toMatchObject({ rowNo: many + 1, verdict: 'new' })
    expect(await colleges(school)).toBe(0)

    expect(await admin.send(api.commit, { kind, ibId: begun.ibId, wait: 0 })).toMatchObject({
      ibStatus: importStatus.importing,
      can: ['cancel'],
    })
    expect(await admin.ask(api.commit, { kind, ibId: begun.ibId })).toMatchObject({ reason: 'import-busy' })
    await until(admin, begun.ibId, '1')
    expect(await colleges(school)).toBe(many)
    await admin.send(api.undo, { kind, ibId: begun.ibId })
    await until(admin, begun.ibId, '2')
    expect(await colleges(school)).toBe(0)
  })

  test('is answered when it is done to whoever says nothing about waiting, with its refusals', async () => {
    const school = await newSchool()
    const { admin } = school
    const batch = await upload(admin, csv('B', ',没有编码,,'))
    expect(batch).toMatchObject({ ibStatus: importStatus.ready, newCount: many - 1, faultCount: 1 })
    expect(await admin.ask(api.commit, { kind, ibId: batch.ibId })).toMatchObject({
      reason: 'import-has-faults',
      msg: '仍有 1 行存在错误，请修正或选择跳过错误行',
    })
    expect(await batchOf(admin, batch.ibId)).toMatchObject({
      ibStatus: importStatus.ready,
      fault: '仍有 1 行存在错误，请修正或选择跳过错误行',
      can: ['commit', 'match', 'discard'],
    })
    expect(await admin.send(api.commit, { kind, ibId: batch.ibId, skipFaults: yesNo.yes })).toMatchObject({
      ibStatus: importStatus.imported,
      successCount: many - 1,
      fault: '',
    })
    const [first] = await school.ctx.db
      .selectFrom('college')
      .select('scId')
      .where('schoolId', '=', school.schoolId)
      .limit(1)
      .execute()
    await school.major(first!.scId)
    expect(await admin.ask(api.undo, { kind, ibId: batch.ibId })).toMatchObject({ reason: 'import-undo-late' })
    expect(await batchOf(admin, batch.ibId)).toMatchObject({
      ibStatus: importStatus.imported,
      can: ['undo'],
      fault: expect.stringContaining('不能撤销') as string,
    })
    expect(await colleges(school)).toBe(many - 1)
  })

  test('with `commit` is imported by the same request, faulty rows left out', async () => {
    const school = await newSchool()
    expect(await upload(school.admin, csv('C', 'C-0,坏学院,,'), { commit: '1' })).toMatchObject({
      ibStatus: importStatus.imported,
      successCount: many - 1,
      failCount: 1,
    })
    expect(await colleges(school)).toBe(many - 1)
  })

  test('that cannot be read says so, and stays in the list as what it is', async () => {
    const { admin } = await newSchool()
    const file = { name: '大.xlsx', bytes: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400_000, 7)]) }
    expect(await admin.upload(api.upload, file, { kind })).toMatchObject({ code: 300, reason: 'file-broken' })
    const wrong = { name: '大.csv', bytes: Buffer.from(`甲,乙\n${'1,2\n'.repeat(120_000)}`) }
    expect(await admin.upload(api.upload, wrong, { kind })).toMatchObject({ code: 300 })
    expect((await admin.send(api.batches, { kind })).records.map(({ ibStatus, can }) => [ibStatus, can])).toEqual([
      [importStatus.checkFailed, []],
      [importStatus.checkFailed, []],
    ])
  })
})

describe('stopped', () => {
  test('a check leaves nothing, a commit and an undo leave everything as it was', async () => {
    const school = await newSchool()
    const { admin } = school
    let open = gate('load')
    const given = await upload(admin, csv('D'), { wait: '0' })
    await expect.poll(async () => (await batchOf(admin, given.ibId)).progress, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(await admin.send(api.discard, { kind, ibId: given.ibId })).toMatchObject({
      ibStatus: importStatus.discarded,
      can: [],
    })
    open()
    await runner.idle()
    expect(await batchOf(admin, given.ibId)).toMatchObject({ ibStatus: importStatus.discarded, rowCount: 0 })

    const { ibId } = await upload(admin, csv('E'))
    open = gate('commit')
    await admin.send(api.commit, { kind, ibId, wait: 0 })
    expect(await admin.send(api.cancel, { kind, ibId })).toMatchObject({
      ibStatus: importStatus.ready,
      can: ['commit', 'match', 'discard'],
    })
    open()
    await runner.idle()
    expect(await colleges(school)).toBe(0)
    expect(await admin.ask(api.cancel, { kind, ibId })).toMatchObject({ reason: 'import-not-stopped' })
    expect(await admin.send(api.commit, { kind, ibId })).toMatchObject({
      ibStatus: importStatus.imported,
      successCount: many,
    })

    open = gate('undo')
    await admin.send(api.undo, { kind, ibId, wait: 0 })
    expect(await admin.send(api.cancel, { kind, ibId })).toMatchObject({
      ibStatus: importStatus.imported,
      can: ['undo'],
    })
    open()
    await runner.idle()
    expect(await colleges(school)).toBe(many)
  })

  test('by somebody else, only an undo', async () => {
    const school = await newSchool()
    const colleague = await school.person('SCHOOL_ADMIN')
    const { ibId } = await upload(school.admin, csv('F'))
    const open = gate('commit')
    await school.admin.send(api.commit, { kind, ibId, wait: 0 })
    expect(await colleague.client.ask(api.cancel, { kind, ibId })).toMatchObject({ status: 404 })
    open()
    await until(school.admin, ibId, '1')
  })
})

test('a program killed in the middle of a commit leaves nothing half; the next one does it, once', async () => {
  const school = await newSchool()
  const { admin, ctx, schoolId } = school
  const { connection } = await testDatabase()
  const scId = await school.college('甲学院')
  const smId = await school.major(scId, '甲专业')
  await school.schoolClass(smId, scId, { scClassName: '甲2401', scClassGrade: '2024' })
  const rows = Array.from({ length: 8000 }, (_, at) => ({
    suiNumber: `K${unique()}${at}`,
    suiName: `学生${at}`,
    suiSex: '男',
    collegeName: '甲学院',
    majorName: '甲专业',
    className: '甲2401',
    suiGrade: '2024',
  }))
  const { data } = await admin.upload(importApi.upload, csvOf(studentSheet, rows), { kind: 'student' })
  expect(data).toMatchObject({ newCount: rows.length })
  const { ibId } = data
  await runner.stop(100)

  const secrets = Object.fromEntries(
    Object.entries(ctx.secrets).map(([name, key]) => [name, (key as Buffer).toString('hex')]),
  )
  const child = fork(
    fileURLToPath(bundledFile(new URL('../../testing/import-runner.ts', import.meta.url))),
    [JSON.stringify(connection), JSON.stringify(secrets)],
    { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const ended = once(child, 'exit')
  await admin.send(importApi.commit, { kind: 'student', ibId, wait: 0 })
  const batch = () => admin.send(importApi.batch, { kind: 'student', ibId })
  await expect.poll(async () => (await batch()).progress, { timeout: 60_000, interval: 20 }).toBeGreaterThan(5)
  child.kill('SIGKILL')
  await ended
  const people = () =>
    ctx.db
      .selectFrom('person')
      .select(({ fn }) => fn.countAll().as('n'))
      .where('schoolId', '=', schoolId)
      .where('importBatchId', '=', ibId)
      .executeTakeFirstOrThrow()
      .then(({ n }) => Number(n))
  expect(await batch()).toMatchObject({ ibStatus: importStatus.importing })
  expect(await people()).toBe(0)

  const { services } = await testApp()
  runner = await startJobs({
    ...services,
    log: pino({ level: 'silent' }),
    handlers: { import: importJobs(services, importers, actorFor)['import']! },
    pollMs: 50,
    beatMs: 200,
    deadMs: 8000,
  })
  await expect.poll(async () => (await batch()).ibStatus, { timeout: 120_000 }).toBe('1')
  expect(await people()).toBe(rows.length)
}, 180_000)
