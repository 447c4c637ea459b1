import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createTcp, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  leaverRule,
  sourceFormat,
  sourceKind,
  sourceRunStatus,
  sourceWay,
  studentStatus,
} from '../../../contract/core/codes/school.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { importers } from '../../setup/importers.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { startJobs } from '../../core/jobs/job-runner.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import { importJobs } from '../../platform/imports/import-jobs.ts'
import { actorFor } from '../session/tokens.ts'
import { fitsPattern } from './fits-pattern.ts'
import { sourceJobs, startDueSources } from './source-jobs.ts'
import { sourceJob, type SourceTask } from './source-runs.service.ts'

await useOwnDatabase()

const folder = mkdtempSync(join(tmpdir(), 'test-sources-'))
/** What the other system answers. */
const other = { status: 200, type: 'application/json', body: '', authorization: '' }
let server: Server
let address: string

beforeAll(async () => {
  server = createServer((request, answer) => {
    other.authorization = request.headers.authorization ?? ''
    answer.writeHead(other.status, { 'content-type': other.type }).end(other.body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/people`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const header = '学号,姓名,性别,学院,专业,班级,年级'
const student = (no: number, name = `同学${no}`) => [`S${no}`, name, '男', '文学院', '汉语言', '汉语言1班', '2024']

/** A school with one class, whose settings reach the folder and the other system of these tests. */
async function schoolWithSource(source: Record<string, unknown>) {
  const school = await newSchool()
  const { ctx } = school
  Object.assign(ctx.config, { sourcesDir: folder, outboundPrivate: ['127.0.0.0/8'] })
  const scId = await school.college('文学院')
  await school.schoolClass(await school.major(scId, '汉语言'), scId, { scClassName: '汉语言1班', scClassGrade: '2024' })
  const { isId } = await school.admin.send(sourceApi.save, {
    isName: '学籍',
    isKind: sourceKind.student,
    isWay: sourceWay.folder,
    isEnabled: true,
    ...source,
  } as never)
  return { school, isId }
}

/** Puts a file into the school's folder, newer than those before. */
let written = 0
function put(school: TestSchool, lines: string[][], name = `students-${written}.csv`, heads = header) {
  const own = join(folder, school.schoolId)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, name), [heads, ...lines.map((line) => line.join(','))].join('\n'))
  written++
  utimesSync(join(own, name), written, written)
}

/** Runs a source by hand and waits until it has come to its end. */
async function run(school: TestSchool, isId: string) {
  await school.admin.send(sourceApi.run, { isId })
  await work(school)
  return lastRun(school.admin, isId)
}

/** Lets the jobs do what there is to do. */
async function work({ ctx }: TestSchool) {
  const { db, clock, log } = ctx
  const handlers = { ...sourceJobs(ctx, importers, actorFor), ...importJobs(ctx as never, importers, actorFor) }
  delete handlers['source:due']
  const jobs = await startJobs({ db, clock, log, handlers, pollMs: 50 })
  await jobs.idle()
  await jobs.stop()
}

async function lastRun(admin: TestSchool['admin'], isId: string) {
  const { records } = await admin.send(sourceApi.runs, { isId })
  return records[0]!
}

const statusOf = async ({ admin }: TestSchool, suiNumber: string) => {
  const { records } = await admin.send(studentApi.list, { suiNumber })
  return records[0]?.suiStatus
}
const titles = async ({ admin }: TestSchool) =>
  (await admin.send(messageApi.inbox, {})).records.map(({ iiTitle }) => iiTitle)

describe('a folder', () => {
  test('brings students, knows the same file, and updates whom the next one changes', async () => {
    const { school, isId } = await schoolWithSource({ fileName: 'students-*.csv' })
    put(school, [student(1), student(2)])
    expect(await run(school, isId)).toMatchObject({
      runStatus: sourceRunStatus.done,
      counts: { rows: 2, new: 2, leavers: 0 },
      can: ['undo'],
    })
    expect(await run(school, isId)).toMatchObject({ runStatus: sourceRunStatus.unchanged })
    put(school, [student(1), student(2), student(3)])
    expect(await run(school, isId)).toMatchObject({ counts: { new: 1, same: 2 } })
    const { records, columns } = await school.admin.send(sourceApi.rows, {
      runId: (await lastRun(school.admin, isId)).runId,
      verdict: 'new',
    })
    expect(records.map(({ cells }) => cells['suiNumber'])).toEqual(['S3'])
    expect(columns.map(({ label }) => label)).toContain('学号')
  })

  test('gives no file that is still being written', async () => {
    const { school, isId } = await schoolWithSource({ fileName: 'grow-*.csv', leaverRule: leaverRule.withdraw })
    put(school, [student(1), student(2)], 'grow-1.csv')
    expect(await run(school, isId)).toMatchObject({ counts: { new: 2 } })
    const path = join(folder, school.schoolId, 'grow-2.csv')
    writeFileSync(path, [header, student(1).join(',')].join('\n'))
    const writer = setInterval(() => appendFileSync(path, `\n${student(2).join(',')}`), 200)
    const growing = await run(school, isId).finally(() => clearInterval(writer))
    expect(growing).toMatchObject({
      runStatus: sourceRunStatus.failed,
      fault: expect.stringContaining('仍在写入') as string,
    })
    expect(await statusOf(school, 'S2')).toBe(studentStatus.enrolled)
    writeFileSync(path, [header, student(1).join(','), student(2).join(',')].join('\n'))
    expect(await run(school, isId)).toMatchObject({ runStatus: sourceRunStatus.done, counts: { same: 2, leavers: 0 } })
  })

  test('shows of its rows no sensitive cell, to nobody', async () => {
    const { school, isId } = await schoolWithSource({ fileName: 'secret-*.csv' })
    put(school, [[...student(9), '13800138000']], 'secret-1.csv', `${header},手机`)
    const { runId } = await run(school, isId)
    const answer = await school.admin.send(sourceApi.rows, { runId })
    expect(answer.records[0]!.cells['suiNumber']).toBe('S9')
    expect(JSON.stringify(answer)).not.toMatch(/13800138000|suiPhone/)
  })

  test.each([
    ['a.csv', 'a.csv', true],
    ['A.CSV', 'a.csv', true],
    ['students-1.csv', 'students-*.csv', true],
    ['students-.csv', 'students-*.csv', true],
    ['students.csv', 'students-*.csv', false],
    ['ab', 'ab*b', false],
    ['abcabc', '*a*c', true],
    ['a'.repeat(200), `${'*a'.repeat(40)}*b`, false],
  ])('%s fits %s: %s', (name, pattern, fits) => expect(fitsPattern(name, pattern)).toBe(fits))

  test('tells what is missing, once, and that it has recovered', async () => {
    const { school, isId } = await schoolWithSource({ fileName: 'none-*.csv' })
    expect(await run(school, isId)).toMatchObject({
      runStatus: sourceRunStatus.failed,
      fault: expect.stringContaining('没有符合'),
    })
    await run(school, isId)
    put(school, [student(11)], 'none-1.csv')
    expect(await run(school, isId)).toMatchObject({ runStatus: sourceRunStatus.done })
    expect(await titles(school)).toEqual(['数据来源“学籍”已恢复', '数据来源“学籍”没有同步成功'])
  })

  test('refuses a name that leads out of it', async () => {
    const school = await newSchool()
    const source = { isName: '越界', isKind: sourceKind.student, isWay: sourceWay.folder, fileName: '../secrets.json' }
    await expect(school.admin.ask(sourceApi.save, source as never)).resolves.toMatchObject({
      msg: '只填文件名，不带文件夹',
    })
  })
})

describe('students who are no longer in the source', () => {
  test('beyond the limit they wait for a person, are then withdrawn, and come back when the run is undone', async () => {
    const { school, isId } = await schoolWithSource({
      fileName: '*.csv',
      leaverRule: leaverRule.withdraw,
      leaverLimit: 30,
    })
    put(school, [student(21), student(22), student(23)])
    await run(school, isId)
    put(school, [student(21)])
    const waiting = await run(school, isId)
    expect(waiting).toMatchObject({
      runStatus: sourceRunStatus.waiting,
      counts: { leavers: 2 },
      can: ['accept', 'discard'],
    })
    expect(waiting.fault).toContain('66.7%')
    expect(await statusOf(school, 'S22')).toBe('1')
    await expect(school.admin.ask(sourceApi.run, { isId })).resolves.toMatchObject({ code: 300 })
    const { records } = await school.admin.send(sourceApi.leavers, { runId: waiting.runId })
    expect(records.map(({ suiNumber }) => suiNumber)).toEqual(['S22', 'S23'])
    const answers = await Promise.all([1, 2].map(() => school.admin.ask(sourceApi.accept, { runId: waiting.runId })))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 300])
    await work(school)
    expect(await statusOf(school, 'S22')).toBe('3')
    await expect(school.admin.ask(sourceApi.accept, { runId: waiting.runId })).resolves.toMatchObject({ code: 300 })
    await school.admin.send(sourceApi.undo, { runId: waiting.runId })
    await work(school)
    expect(await statusOf(school, 'S22')).toBe('1')
    expect(await lastRun(school.admin, isId)).toMatchObject({ runStatus: sourceRunStatus.undone, can: [] })
  })

  test('come back by what the run did, whatever its source says by now, and nobody else does', async () => {
    const source = { fileName: '*.csv', leaverRule: leaverRule.withdraw, leaverLimit: 30 }
    const { school, isId } = await schoolWithSource(source)
    const { admin } = school
    put(school, [student(31), student(32), student(33), student(34)])
    await run(school, isId)
    put(school, [student(31)])
    const { runId, runStatus } = await run(school, isId)
    expect(runStatus).toBe(sourceRunStatus.waiting)
    // while the run waits, somebody withdraws one of them by hand
    const [byHand] = (await admin.send(studentApi.list, { suiNumber: 'S32' })).records
    const setByHand = (suiStatus: string) =>
      school.ctx.db
        .updateTable('person')
        .set({ suiStatus })
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', byHand!.suId)
        .execute()
    await setByHand(studentStatus.withdrawn)
    await admin.send(sourceApi.accept, { runId })
    await work(school)
    const statuses = () => Promise.all(['S31', 'S32', 'S33', 'S34'].map((number) => statusOf(school, number)))
    const { enrolled, withdrawn } = studentStatus
    expect(await statuses()).toEqual([enrolled, withdrawn, withdrawn, withdrawn])
    const { version } = (await admin.send(sourceApi.list, {})).records.find((one) => one.isId === isId)!
    await admin.send(sourceApi.save, {
      ...source,
      isId,
      version,
      isName: '学籍',
      isKind: sourceKind.student,
      isWay: sourceWay.folder,
      isEnabled: true,
      leaverRule: leaverRule.tell,
    } as never)
    await admin.send(sourceApi.undo, { runId })
    await work(school)
    expect(await lastRun(admin, isId)).toMatchObject({ runStatus: sourceRunStatus.undone })
    expect(await statuses()).toEqual([enrolled, withdrawn, enrolled, enrolled])
  })

  test('of a run that broke off after they left are not forgotten, so that undoing brings them back', async () => {
    const { school, isId } = await schoolWithSource({ fileName: '*.csv', leaverRule: leaverRule.withdraw })
    put(school, [student(25), student(26)])
    await run(school, isId)
    put(school, [student(25), student(27)])
    const { runId } = await run(school, isId)
    await school.admin.send(sourceApi.accept, { runId })
    await work(school)
    expect(await statusOf(school, 'S26')).toBe('3')
    // as it stands when the process dies before the run is ended
    const { db } = school.ctx
    const { runStatus } = await lastRun(school.admin, isId)
    expect(runStatus).toBe(sourceRunStatus.done)
    await db
      .updateTable('importSourceRun')
      .set({ runStatus: sourceRunStatus.running, endTime: null })
      .where('runId', '=', runId)
      .execute()
    await enqueue(school.ctx, {
      schoolId: school.schoolId,
      kind: sourceJob,
      key: runId,
      payload: { runId, isId, act: 'fetch' } satisfies SourceTask,
    })
    await work(school)
    expect(await lastRun(school.admin, isId)).toMatchObject({
      runId,
      runStatus: sourceRunStatus.done,
      counts: { new: 1, leavers: 1 },
    })
    await school.admin.send(sourceApi.undo, { runId })
    await work(school)
    expect(await statusOf(school, 'S26')).toBe('1')
    expect(await statusOf(school, 'S27')).toBeUndefined()
  })

  test('a run whose rows are used meanwhile is not undone, which is told, and may be tried again', async () => {
    const { school, isId } = await schoolWithSource({ fileName: '*.csv' })
    put(school, [student(28)])
    const { runId } = await run(school, isId)
    await school.ctx.db.updateTable('importUndo').set({ version: 99 }).where('schoolId', '=', school.schoolId).execute()
    await school.admin.send(sourceApi.undo, { runId })
    await work(school)
    expect(await lastRun(school.admin, isId)).toMatchObject({
      runStatus: sourceRunStatus.done,
      fault: expect.stringContaining('未能撤销'),
      can: ['undo'],
    })
    expect(await statusOf(school, 'S28')).toBe('1')
  })

  test('a run that a person lets go changes nothing', async () => {
    const { school, isId } = await schoolWithSource({ fileName: '*.csv', leaverRule: leaverRule.suspend })
    put(school, [student(31), student(32)])
    await run(school, isId)
    put(school, [student(31)])
    const { runId } = await run(school, isId)
    await school.admin.send(sourceApi.discard, { runId })
    expect(await statusOf(school, 'S32')).toBe('1')
    expect(await lastRun(school.admin, isId)).toMatchObject({ runStatus: sourceRunStatus.discarded })
  })
})

describe('the network', () => {
  const http = { isWay: sourceWay.http, format: sourceFormat.json, jsonPath: 'data.records', secret: 'Bearer geheim' }
  const columns = [
    ['xh', '学号'],
    ['xm', '姓名'],
    ['xb', '性别'],
    ['xy', '学院'],
    ['zy', '专业'],
    ['bj', '班级'],
    ['nj', '年级'],
  ].map(([from, to]) => ({ from: from!, to: to! }))
  const asJson = (rows: string[][]) =>
    JSON.stringify({
      data: { records: rows.map((row) => Object.fromEntries(columns.map(({ from }, at) => [from, row[at]]))) },
    })

  test('JSON with fields of its own names; the secret is sent and never told, and goes with the address', async () => {
    const { school, isId } = await schoolWithSource({ ...http, address, columns })
    other.body = asJson([student(41), student(42)])
    expect(await run(school, isId)).toMatchObject({ runStatus: sourceRunStatus.done, counts: { new: 2 } })
    expect(other.authorization).toBe('Bearer geheim')
    const { records } = await school.admin.send(sourceApi.list, {})
    expect(JSON.stringify(records)).not.toContain('geheim')
    const { version } = records[0]!
    const form = { isName: '学籍', isKind: sourceKind.student, ...http, columns, isId, version }
    await school.admin.send(sourceApi.save, {
      ...form,
      secret: undefined,
      address: address.replace('127.0.0.1', '127.0.0.2'),
    } as never)
    expect((await school.admin.send(sourceApi.list, {})).records[0]).toMatchObject({ hasSecret: false })
  })

  test.each([
    ['refused', 401, '[]', '核对密钥'],
    ['elsewhere', 302, '', '填写最终地址'],
    ['no JSON', 200, '<html>', '不是 JSON'],
    ['no list', 200, '{"data":{}}', '不是一组记录'],
  ])('%s is told in words', async (_, status, body, words) => {
    const { school, isId } = await schoolWithSource({ ...http, address, columns })
    Object.assign(other, { status, body })
    const { steps } = await school.admin.send(sourceApi.test, { isId })
    Object.assign(other, { status: 200 })
    expect(steps).toMatchObject([{ name: '取数', isGood: false, text: expect.stringContaining(words) }])
  })

  test('an address of this machine is refused unless the operator allows it', async () => {
    const { school, isId } = await schoolWithSource({ ...http, address, columns })
    Object.assign(school.ctx.config, { outboundPrivate: [] })
    const { steps } = await school.admin.send(sourceApi.test, { isId })
    expect(steps[0]).toMatchObject({ isGood: false, text: expect.stringContaining('OUTBOUND_PRIVATE') })
  })
})

test('a view of another database is read, and nothing can be written there', async () => {
  const { owner: connection } = await testDatabase()
  // the database of the tests listens on a socket alone
  const door = createTcp((socket) => {
    const inner = connect(`${connection.host}/.s.PGSQL.${connection.port ?? 5432}`)
    socket.pipe(inner).pipe(socket)
    for (const one of [socket, inner]) one.on('error', () => one.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => door.once('listening', resolve))
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`create schema if not exists dw`)
  await client.query(`create or replace view dw.v_students as
    select * from (values ('S51', '同学51', '男', '文学院', '汉语言', '汉语言1班', '2024'))
      v("学号", "姓名", "性别", "学院", "专业", "班级", "年级")`)
  await client.query(`create role reader login password 'lesen'; grant usage on schema dw to reader;
    grant select on dw.v_students to reader`)
  await client.end()
  const { school, isId } = await schoolWithSource({
    isWay: sourceWay.database,
    address: `postgres://reader@127.0.0.1:${(door.address() as AddressInfo).port}/${connection.database}`,
    viewName: 'dw.v_students',
    secret: 'lesen',
  })
  const { steps } = await school.admin.send(sourceApi.test, { isId })
  expect(steps).toMatchObject([{ isGood: true }, { isGood: true }, { text: '共 1 行' }])
  door.close()
})

test.each(['', '?sslmode=disable', '?sslmode=require'])(
  'a database on the internet is not asked without a verified encryption (%s)',
  async (mode) => {
    const place = { address: `postgres://reader@93.184.216.34/dw${mode}`, viewName: 'v_students', secret: 'lesen' }
    const { school, isId } = await schoolWithSource({ isWay: sourceWay.database, ...place })
    const { steps } = await school.admin.send(sourceApi.test, { isId })
    expect(steps).toMatchObject([{ isGood: false, text: expect.stringContaining('sslmode=verify-full') }])
  },
)

test('what is due runs by itself, with the rights of whoever saved it, and not without them', async () => {
  const { school, isId } = await schoolWithSource({ fileName: '*.csv', runAt: '03:00' })
  const { ctx } = school
  await ctx.db.updateTable('importSource').set({ nextRun: '2026-01-01 03:00:00' }).where('isId', '=', isId).execute()
  expect(await startDueSources(ctx)).toBe(1)
  expect(await startDueSources(ctx)).toBe(0)
  const { nextRun } = (await school.admin.send(sourceApi.list, {})).records[0]!
  expect(nextRun! > ctx.clock.now()).toBe(true)
  const counsellor = await school.person('COUNSELOR')
  await expect(counsellor.client.ask(sourceApi.list, {})).resolves.toMatchObject({ code: 403 })
})
