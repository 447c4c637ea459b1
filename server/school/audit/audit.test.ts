import { beforeAll, describe, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { newId } from '../../core/base/ids.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
let league: TestPerson
let colleague: TestPerson
let scId: string
const name = `数学学院${unique()}`

beforeAll(async () => {
  school = await newSchool()
  const [own, other] = [await school.college(), await school.college()]
  league = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }], {
    suiCollegeId: own,
    suiName: '王团委',
  })
  colleague = await school.person('SCHOOL_ADMIN', [], { suiCollegeId: other, suiName: '赵外院' })
  scId = (await school.admin.send(collegeApi.save, { scName: name, scCode: unique() })).scId
  await colleague.client.send(collegeApi.save, { scId, version: 0, scName: `${name}改`, scCode: unique() })
  await league.client.ask(collegeApi.save, { scName: unique(), scCode: unique() })
})

const list = (input: object = {}) => school.admin.send(auditApi.list, { pageSize: 100, ...input })
const actions = async (input: object) => (await list(input)).records.map(({ action }) => action)

describe('the list', () => {
  test('tells who did what to which record, from where, the newest first', async () => {
    const { records, total, isCapped } = await list({ bizType: 'college' })
    expect([total, isCapped]).toEqual([2, false])
    expect(records[0]).toMatchObject({
      action: '编辑学院',
      actorName: '赵外院',
      actorNumber: colleague.suiNumber,
      bizType: 'college',
      bizName: `${name}改`,
      result: 'ok',
      ip: '127.0.0.1',
      reason: '',
    })
    expect(records[1]).toMatchObject({ action: '新增学院', actorName: '管理员' })
    const oldestFirst = await list({ bizType: 'college', sort: 'logTime', order: 'asc' })
    expect(oldestFirst.records).toEqual(records.toReversed())
  })

  test.each([
    ['a person’s name', () => ({ actor: '赵外', bizType: 'college' }), ['编辑学院']],
    ['a person’s number', () => ({ actor: colleague.suiNumber, bizType: 'college' }), ['编辑学院']],
    ['a part of the act', () => ({ action: '编辑' }), ['编辑学院']],
    ['an act nobody did', () => ({ action: '发射火箭' }), []],
    ['characters that mean something to the database', () => ({ action: '%' }), []],
    ['a part of the record’s name', () => ({ bizName: name.slice(2, 6), actor: '管理员' }), ['新增学院']],
    ['what was refused', () => ({ result: 'refused', bizType: 'permit' }), ['保存学院']],
    ['an address', () => ({ ip: '10.1.2.3' }), []],
    ['nobody', () => ({ actor: '查无此人' }), []],
  ] as const)('finds by %s', async (_, input, expected) => expect(await actions(input())).toEqual(expected))

  test('finds by time and by request', async () => {
    const [row] = (await list({ action: '编辑学院' })).records
    expect((await list({ requestId: row!.requestId })).records).toEqual([row])
    const tomorrow = addDays(school.clock.now(), 1).slice(0, 10)
    expect((await list({ logStartDate: tomorrow })).total).toBe(0)
    expect(
      (await list({ logStartDate: school.clock.now().slice(0, 10), logEndDate: tomorrow, bizType: 'college' })).total,
    ).toBe(2)
    expect((await school.admin.ask(auditApi.list, { sort: 'agent' })).errors).toMatchObject([{ field: 'sort' }])
  })

  test('shows what the program did by itself under its name', async () => {
    const { schoolId, ctx } = school
    await ctx.db
      .insertInto('auditLog')
      .values({
        schoolId,
        logId: newId(),
        actorName: '系统',
        action: '课程完成',
        requestId: 'r',
        ip: '',
        agent: 'system',
        logTime: ctx.clock.now(),
      })
      .execute()
    expect(await actions({ actor: '系统' })).toEqual(['课程完成'])
  })

  test('counts to ten thousand and says that there is more', async () => {
    const many = await newSchool()
    const row = {
      schoolId: many.schoolId,
      actorName: '系统',
      action: '大量',
      requestId: '',
      ip: '',
      agent: '',
      logTime: many.clock.now(),
    }
    for (let at = 0; at < 11; at++)
      await many.ctx.db
        .insertInto('auditLog')
        .values(Array.from({ length: 1000 }, () => ({ ...row, logId: newId() })))
        .execute()
    expect(await many.admin.send(auditApi.list, { action: '大量', pageSize: 10, current: 1000 })).toMatchObject({
      total: 10_000,
      pages: 1000,
      isCapped: true,
      records: { length: 10 },
    })
    expect((await many.admin.send(auditApi.list, { action: '大量', pageSize: 10, current: 1001 })).records).toEqual([])
  })
})

describe('a row', () => {
  test('tells the difference, the device and the record', async () => {
    const [row] = (await list({ action: '编辑学院' })).records
    const detail = await school.admin.send(auditApi.detail, { logId: row!.logId })
    expect(detail).toMatchObject({ bizId: scId, sealNo: null, agent: expect.stringMatching(/node/) as string })
    expect(detail.changes).toContainEqual({ label: '学院名称', before: name, after: `${name}改` })
  })
})

describe('who reads it', () => {
  test('a college reads the actions of its own people and no others', async () => {
    const { records } = await league.client.send(auditApi.list, { pageSize: 100 })
    expect(new Set(records.map(({ actorName }) => actorName))).toEqual(new Set(['王团委']))
    expect(records.map(({ action }) => action)).toContain('保存学院')
    const [foreign] = (await list({ action: '编辑学院' })).records
    expect((await league.client.ask(auditApi.detail, { logId: foreign!.logId })).status).toBe(404)
  })

  test.each([
    ['SCHOOL_ADMIN', 200],
    ['AUDITOR', 200],
    ['COLLEGE_LEAGUE', 200],
    ['SCHOOL_AUDIT', 403],
    ['DATA_VIEWER', 403],
    ['COUNSELOR', 403],
    ['GUIDE_TEACHER', 403],
  ])('%s: %d', async (role, status) => {
    const { client } = await school.person(role)
    expect((await client.ask(auditApi.list)).status).toBe(status)
  })

  test('somebody without an area sees nothing', async () => {
    const { client } = await school.person('COLLEGE_LEAGUE')
    expect((await client.send(auditApi.list, {})).total).toBe(0)
  })
})

test('the list comes out as a workbook with every difference in words, and that is on the trail', async () => {
  const { bytes, name: fileName } = await school.admin.download(auditApi.exportList, { bizType: 'college' })
  expect(fileName).toMatch(/^操作日志_/)
  const { lines } = await sheetIn(bytes)
  expect(lines.map(({ cells }) => cells[3])).toEqual(['操作', '编辑学院', '新增学院'])
  expect(lines[1]!.cells.join('|')).toContain(`学院名称：${name} → ${name}改`)
  expect((await list({ action: '导出操作日志' })).records).toMatchObject([{ bizType: 'export', bizName: '操作日志' }])
})
