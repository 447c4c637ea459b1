import { once } from 'node:events'
import { appendFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer as createTcp, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import scimmy from 'scimmy'
import scimRouters from 'scimmy-routers'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaverRule, sourceKind, sourceRunStatus, sourceWay } from '../../../contract/core/codes/school.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { startJobs } from '../../core/jobs/job-runner.ts'
import { importJobs } from '../../platform/imports/import-jobs.ts'
import { importers } from '../../setup/importers.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { startSshd } from '../../testing/sshd.ts'
import { actorFor } from '../session/tokens.ts'
import { isScimPath, valueAt } from './scim-path.ts'
import { sourceJobs } from './source-jobs.ts'

await useOwnDatabase()

async function schoolWith(source: Record<string, unknown>) {
  const school = await newSchool()
  Object.assign(school.ctx.config, { outboundPrivate: ['127.0.0.0/8'] })
  const scId = await school.college('文学院')
  await school.schoolClass(await school.major(scId, '汉语言'), scId, { scClassName: '汉语言1班', scClassGrade: '2024' })
  const { isId } = await school.admin.send(sourceApi.save, {
    isName: '学籍',
    isKind: sourceKind.student,
    isEnabled: false,
    ...source,
  } as never)
  return { school, isId }
}

async function run(school: TestSchool, isId: string) {
  await school.admin.send(sourceApi.run, { isId })
  const { db, clock, log } = school.ctx
  const handlers = {
    ...sourceJobs(school.ctx, importers, actorFor),
    ...importJobs(school.ctx as never, importers, actorFor),
  }
  delete handlers['source:due']
  const jobs = await startJobs({ db, clock, log, handlers, pollMs: 50 })
  await jobs.idle()
  await jobs.stop()
  const { records } = await school.admin.send(sourceApi.runs, { isId })
  return records[0]!
}

const firstStep = async ({ admin }: TestSchool, isId: string) => {
  const { steps, hostKey } = await admin.send(sourceApi.test, { isId })
  return { ...steps[0]!, hostKey }
}
const trust = async ({ admin }: TestSchool, isId: string, hostKey: string) => {
  const { version } = (await admin.send(sourceApi.list, {})).records.find((one) => one.isId === isId)!
  await admin.send(sourceApi.trust, { isId, version, hostKey })
}
const statusOf = async ({ admin }: TestSchool, suiNumber: string) =>
  (await admin.send(studentApi.list, { suiNumber })).records[0]?.suiStatus

const sheet = (...numbers: number[]) =>
  [
    '学号,姓名,性别,学院,专业,班级,年级',
    ...numbers.map((no) => `S${no},同学${no},男,文学院,汉语言,汉语言1班,2024`),
  ].join('\n')

describe('OpenSSH', () => {
  let sshd: Awaited<ReturnType<typeof startSshd>>
  const sftp = () => ({
    isWay: sourceWay.sftp,
    address: sshd.address,
    fileName: 'students-*.csv',
    secret: sshd.clientKey,
  })
  const put = (name: string, text: string, at: number) => {
    writeFileSync(join(sshd.files, name), text)
    utimesSync(join(sshd.files, name), at, at)
  }
  beforeAll(async () => {
    sshd = await startSshd()
  })

  test('is told nothing before its key was accepted; then the newest file comes, and not under another key', async () => {
    const { school, isId } = await schoolWith(sftp())
    put('students-1.csv', sheet(1), 1000)
    put('students-2.csv', sheet(1, 2), 2000)
    put('teachers-3.csv', sheet(9), 3000)
    const shown = await firstStep(school, isId)
    expect(shown).toMatchObject({ isGood: false, hostKey: sshd.hostKey, text: expect.stringContaining('尚未信任') })
    expect(await run(school, isId)).toMatchObject({ runStatus: sourceRunStatus.failed, fault: shown.text })
    await trust(school, isId, shown.hostKey)
    expect(await firstStep(school, isId)).toMatchObject({ isGood: true, hostKey: '' })
    expect(await run(school, isId)).toMatchObject({
      runStatus: sourceRunStatus.done,
      fileName: 'students-2.csv',
      counts: { new: 2 },
    })
    const { records } = await school.admin.send(sourceApi.list, {})
    expect(JSON.stringify(records)).not.toContain('PRIVATE KEY')

    // what somebody else has put in the server's place is not signed in to
    await sshd.withOtherKey()
    const other = await firstStep(school, isId)
    expect(other).toMatchObject({ isGood: false, hostKey: sshd.otherHostKey, text: expect.stringContaining('不同') })
    await trust(school, isId, other.hostKey)
    expect(await firstStep(school, isId)).toMatchObject({ isGood: true })
    // a source that goes to another host knows neither its key nor the secret
    const { version } = (await school.admin.send(sourceApi.list, {})).records[0]!
    const moved = { ...sftp(), isId, version, isName: '学籍', isKind: sourceKind.student, secret: undefined }
    await school.admin.send(sourceApi.save, {
      ...moved,
      address: sshd.address.replace('127.0.0.1', '127.0.0.2'),
    } as never)
    expect((await school.admin.send(sourceApi.list, {})).records[0]).toMatchObject({ hasSecret: false })
  })

  test('gives no file that is not there, that is still being written, or that is too large', async () => {
    const { school, isId } = await schoolWith({ ...sftp(), fileName: 'grow-*.csv' })
    await trust(school, isId, (await firstStep(school, isId)).hostKey)
    expect((await firstStep(school, isId)).text).toContain('没有符合“grow-*.csv”')
    put('grow-1.csv', sheet(1), 1000)
    const writer = setInterval(() => appendFileSync(join(sshd.files, 'grow-1.csv'), '\nS3'), 100)
    const growing = await firstStep(school, isId)
    clearInterval(writer)
    expect(growing).toMatchObject({ isGood: false, text: expect.stringContaining('仍在写入') })
    put('grow-2.csv', 'x'.repeat(50 * 1_048_576 + 1), 4_000_000_000)
    expect((await firstStep(school, isId)).text).toContain('50 MB')
    rmSync(join(sshd.files, 'grow-2.csv'))
    const { school: elsewhere, isId: there } = await schoolWith({ ...sftp(), address: `${sshd.address}/none` })
    await trust(elsewhere, there, (await firstStep(elsewhere, there)).hostKey)
    expect((await firstStep(elsewhere, there)).text).toContain('没有文件夹')
    Object.assign(elsewhere.ctx.config, { outboundPrivate: [] })
    expect((await firstStep(elsewhere, there)).text).toContain('OUTBOUND_PRIVATE')
  })
})

test('a password, a wrong one, a server that says nothing, one that speaks otherwise, and a broken key', async () => {
  const tried: string[] = []
  // of the keys of ed25519 that it makes, it cannot read one in some hundred
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) =>
    client
      .on('error', () => undefined)
      .on('authentication', (request) => {
        if (request.method !== 'password') return request.reject(['password'])
        tried.push(request.password)
        return request.password === 'richtig' ? request.accept() : request.reject(['password'])
      })
      .on('session', (accept) =>
        accept().on('sftp', (open) => {
          const sftp = open()
          sftp.on('OPENDIR', (id) => sftp.status(id, ssh2.utils.sftp.STATUS_CODE.PERMISSION_DENIED))
        }),
      ),
  )
  server.listen(0, '127.0.0.1')
  const silent = createTcp(() => undefined).listen(0, '127.0.0.1')
  const web = createTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1')
  await Promise.all([once(silent, 'listening'), once(web, 'listening')])
  const at = (port: number, secret: string) =>
    schoolWith({
      isWay: sourceWay.sftp,
      address: `sftp://dekt@127.0.0.1:${port}`,
      fileName: '*.csv',
      secret,
    })
  const told = async ({ school, isId }: Awaited<ReturnType<typeof at>>) => {
    const shown = await firstStep(school, isId)
    if (!shown.hostKey) return shown.text
    await trust(school, isId, shown.hostKey)
    return (await firstStep(school, isId)).text
  }
  const { port } = server.address() as AddressInfo
  const portOf = (one: typeof silent) => (one.address() as AddressInfo).port
  const texts = await Promise.all([
    at(port, 'falsch').then(told),
    at(port, 'richtig').then(told),
    at(portOf(silent), 'richtig').then(told),
    at(portOf(web), 'richtig').then(told),
    at(port, '-----BEGIN OPENSSH PRIVATE KEY-----\nxx').then(told),
  ])
  expect(texts).toEqual([
    expect.stringContaining('不接受该账号与口令'),
    expect.stringContaining('没有读取该文件夹'),
    expect.stringContaining('10 秒内没有应答'),
    expect.stringContaining('不是 SSH 服务'),
    expect.stringContaining('私钥不能读取'),
  ])
  // each was told once, after its server had been accepted
  expect(tried.toSorted()).toEqual(['falsch', 'richtig'])
  for (const one of [server, silent, web]) one.close()
})

describe('SCIM 2.0', () => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const person = (no: number, more: Record<string, unknown> = {}) => ({
    id: `id-${no}`,
    userName: `S${no}`,
    name: { formatted: `同学${no}` },
    userType: 'student',
    active: true,
    [enterprise]: { division: '文学院', department: '汉语言1班', costCenter: '2024', organization: '汉语言' },
    ...more,
  })
  const people = Array.from({ length: 210 }, (_, at) => person(at))
  let base: string
  let server: ReturnType<ReturnType<typeof express>['listen']>
  /** What a broken service answers in place of the real one. */
  let spoilt: ((query: URLSearchParams) => unknown) | undefined

  beforeAll(async () => {
    scimmy.Resources.declare(scimmy.Resources.User.extend(scimmy.Schemas.EnterpriseUser, false))
      .ingress((_, data) => ({ ...data, id: 'new' }))
      .egress((resource) => (resource.filter ? resource.filter.match(people as never) : people) as never)
      .degress(() => undefined)
    scimmy.Resources.declare(scimmy.Resources.Group)
      .ingress((_, data) => ({ ...data, id: 'new' }))
      .egress(() => [{ id: 'g1', displayName: '理学院', externalId: '07' }] as never)
      .degress(() => undefined)
    const app = express()
    // the routers turn these two into numbers in an object that this express makes anew at every look
    app.set('query parser', (text: string) =>
      Object.fromEntries(
        [...new URLSearchParams(text)].map(([key, value]) => [
          key,
          key === 'startIndex' || key === 'count' ? Number(value) : value,
        ]),
      ),
    )
    app.use((request, answer, next) =>
      spoilt ? answer.json(spoilt(new URL(request.url, 'http://x').searchParams)) : next(),
    )
    app.use(
      '/scim',
      new scimRouters({
        type: 'bearer',
        handler: ({ headers }) => {
          if (headers.authorization !== 'Bearer geheim') throw new Error('Wrong token')
          return 'school'
        },
      }) as never,
    )
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim`
  })
  afterAll(() => server.close())

  const columns = Object.entries({
    userName: '学号',
    'name.formatted': '姓名',
    [`${enterprise}:division`]: '学院',
    [`${enterprise}:organization`]: '专业',
    [`${enterprise}:department`]: '班级',
    [`${enterprise}:costCenter`]: '年级',
    title: '性别',
  }).map(([from, to]) => ({ from, to }))
  const scim = () => ({
    isWay: sourceWay.scim,
    address: base,
    secret: 'geheim',
    columns,
    scimFilter: 'userType eq "student"',
    leaverRule: leaverRule.withdraw,
  })

  test('students come page by page, who is not active has left, and groups are colleges', async () => {
    for (const one of people) Object.assign(one, { title: '男' })
    people.push(person(999, { userType: 'faculty' }))
    const { school, isId } = await schoolWith(scim())
    expect(await run(school, isId)).toMatchObject({ fault: '', counts: { new: 210, fault: 0 } })
    Object.assign(people[7]!, { active: false })
    expect(await run(school, isId)).toMatchObject({
      runStatus: sourceRunStatus.done,
      counts: { rows: 209, same: 209, leavers: 1 },
    })
    expect([await statusOf(school, 'S7'), await statusOf(school, 'S8')]).toEqual(['3', '1'])
    await school.admin.send(sourceApi.save, {
      ...scim(),
      isName: '学院',
      isKind: sourceKind.college,
      scimFilter: '',
      columns: [
        { from: 'displayName', to: '学院名称' },
        { from: 'externalId', to: '学院编码' },
      ],
    } as never)
    const { records } = await school.admin.send(sourceApi.list, { isName: '学院' })
    expect(await run(school, records[0]!.isId)).toMatchObject({ counts: { rows: 1 } })
  })

  test('a list that does not come whole, is none, or is refused, changes nothing', async () => {
    const { school, isId } = await schoolWith(scim())
    const told = async (answer: typeof spoilt) => {
      spoilt = answer
      const { text } = await firstStep(school, isId)
      spoilt = undefined
      return text
    }
    const list = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] }
    expect(await told(() => ({ ...list, totalResults: 3, Resources: [person(1)] }))).toContain('只给出 1 条')
    const first = (query: URLSearchParams) => (query.get('startIndex') === '1' ? [person(1)] : [])
    expect(await told((query) => ({ ...list, totalResults: 2, Resources: first(query) }))).toContain('有 2 条')
    expect(await told(() => ({ totalResults: 1, Resources: [person(1)] }))).toContain('ListResponse')
    expect(await told(() => [person(1)])).toContain('ListResponse')
    expect(await told(() => ({ ...list, totalResults: 900_000, Resources: [person(1)] }))).toMatch(/最多|分批|行/)
    const { school: stranger, isId: strange } = await schoolWith({ ...scim(), secret: 'falsch' })
    expect((await firstStep(stranger, strange)).text).toContain('401')
    const odd = [...columns, { from: 'emails[value co "@"]', to: '邮箱' }]
    const { school: third, isId: thirdId } = await schoolWith({ ...scim(), columns: odd })
    expect((await firstStep(third, thirdId)).text).toContain('属性路径')
  })

  test('a list from which somebody is removed between two pages is read again, and nobody is missed', async () => {
    const { school, isId } = await schoolWith(scim())
    const list = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] }
    const named = Array.from({ length: 5 }, (_, no) => person(no, { title: '男' }))
    const pageOf = (query: URLSearchParams, at: typeof named) => {
      const start = Number(query.get('startIndex')) - 1
      return { ...list, totalResults: at.length, Resources: at.slice(start, start + 2) }
    }
    let left = named
    // the first on the first page goes as soon as that has been given, and the third would be on no page
    spoilt = (query) => {
      const page = pageOf(query, left)
      if (left === named) left = named.slice(1)
      return page
    }
    expect(await run(school, isId)).toMatchObject({ fault: '', fileName: 'data.csv', counts: { new: 4 } })
    expect(await statusOf(school, 'S2')).toBe('1')
    // one that never stands still is not taken, and nobody has left
    let asked = 0
    spoilt = (query) => pageOf(query, named.slice(asked++ % 2))
    expect(await run(school, isId)).toMatchObject({
      runStatus: sourceRunStatus.failed,
      fault: expect.stringContaining('一直在增减') as string,
    })
    spoilt = undefined
    expect(asked).toBe(6)
    expect(await statusOf(school, 'S4')).toBe('1')
  })

  const record = {
    ...person(5),
    emails: [
      { type: 'home', value: 'h@x' },
      { type: 'work', value: 'w@x', primary: true },
    ],
  }
  test.each([
    ['userName', 'S5'],
    ['USERNAME', 'S5'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName', 'S5'],
    ['name.formatted', '同学5'],
    [`${enterprise}:division`, '文学院'],
    ['emails.value', 'w@x'],
    ['emails[type eq "home"].value', 'h@x'],
    ['emails[type eq "other"].value', ''],
    ['active', 'true'],
    ['name', ''],
    ['constructor.name', ''],
  ])('%s is %s', (path, value) => {
    expect(isScimPath(path)).toBe(true)
    expect(valueAt(record, path)).toBe(value)
  })
})
