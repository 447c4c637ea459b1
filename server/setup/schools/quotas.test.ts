import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { accountStatus, studentStatus } from '../../../contract/core/codes/school.ts'
import { fullPath } from '../../../contract/core/call.ts'
import { backgroundApi } from '../../../contract/platform/background/background.calls.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import type { Quota } from '../../../contract/school/runtime/schools.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { studentSheet } from '../../../contract/school/people/people.sheets.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { parseConfig } from '../../core/base/config.ts'
import { createRateLimits } from '../../core/http/rate-limits.ts'
import type { Actor } from '../../core/request/context.ts'
import { countQuotas } from '../../core/request/quotas.ts'
import { watchRuntime } from '../../school/runtime/alarms.service.ts'
import type { Client } from '../../testing/client.ts'
import { csvOf } from '../../testing/csv.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'
import { withOwnerDatabase } from '../school-archive/owner.ts'
import { boundsIn } from './quota-words.ts'
import { changeQuota } from './schools.ts'

await useOwnDatabase()
const { owner } = await testDatabase()
const set = (schoolId: string, bounds: Partial<Quota>) =>
  withOwnerDatabase(owner, (db) => changeQuota(db, schoolId, bounds))
const rowOf = ({ ctx, schoolId }: TestSchool) =>
  ctx.db.selectFrom('schoolQuota').selectAll().where('schoolId', '=', schoolId).executeTakeFirst()
const placeIn = async (school: TestSchool) => {
  const suiCollegeId = await school.college('数学学院')
  const majorId = await school.major(suiCollegeId, '数学')
  return { suiCollegeId, majorId, scClassId: await school.schoolClass(majorId, suiCollegeId, { scClassName: '一班' }) }
}
test('words of the command become bounds, and nonsense is refused', () => {
  expect(boundsIn({ people: '5000', files: 'none' })).toEqual({ maxPeople: 5000, maxMegabytes: null })
  for (const value of ['0', '-1', '1.5', '1e3', 'viele', '9999999999'])
    expect(() => boundsIn({ tasks: value }), value).toThrow('--tasks')
})

test('accounts grow to their number, which the dry run tells, and what is freed is found before anybody is refused', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const { schoolId, admin } = school
  const [first] = await school.students(2, await placeIn(school))
  await set(schoolId, { maxPeople: 4 })
  expect(await rowOf(school)).toMatchObject({ usedPeople: 3, maxPeople: 4, maxBytes: null })
  const kind = 'student' as const
  const checked = async (count: number) => {
    const rows = Array.from({ length: count }, () => ({
      suiNumber: `S${unique()}`,
      suiName: '王一',
      suiSex: '男',
      collegeName: '数学学院',
      majorName: '数学',
      className: '一班',
      suiGrade: '2024',
    }))
    const { data } = await admin.upload(importApi.upload, csvOf(studentSheet, rows), { kind })
    const commit = () => admin.ask(importApi.commit, { kind, ibId: data.ibId })
    return { notes: data.notes.join(), commit }
  }
  const refused = { reason: 'quota-people', msg: expect.stringContaining('联系平台运维人员') as string }
  const many = await checked(3)
  expect(many.notes).toContain('还可新增 1 人，文件中有 3 人是新增的，超出 2 人')
  expect(await many.commit()).toMatchObject(refused)
  const one = await checked(1)
  expect(one.notes).toBe('')
  expect(await one.commit()).toMatchObject({ code: 200 })
  expect(await rowOf(school)).toMatchObject({ usedPeople: 4 })
  const turn = (suStatus: '0' | '1') => admin.ask(studentApi.switch, { ids: [first!.suId], suStatus })
  expect(await turn(accountStatus.disabled as '0')).toMatchObject({ code: 200 })
  expect(await (await checked(1)).commit()).toMatchObject({ code: 200 })
  expect(await turn(accountStatus.active as '1')).toMatchObject(refused)
  // somebody took a person away past all that counts: the hour's count finds it
  await school.ctx.db.updateTable('schoolQuota').set({ usedPeople: 9 }).where('schoolId', '=', schoolId).execute()
  await countQuotas(school.services)
  expect(await rowOf(school)).toMatchObject({ usedPeople: 4 })

  const told = async (of: TestSchool) => (await of.admin.send(messageApi.inbox, { pageSize: 50 })).records
  const titles = async (of: TestSchool) => (await told(of)).map(({ iiTitle }) => iiTitle)
  const { config } = school.services
  config.operators = [`${other.schoolId}/admin`]
  for (let time = 0; time < 2; time++) await watchRuntime(school.services)
  expect(await told(school)).toMatchObject([{ iiTitle: '本校配额将满', link: '/basicConfig/runtimeStatus' }])
  expect(await told(other)).toMatchObject([{ iiTitle: '学校配额将满', link: '/basicConfig/schools' }])
  await set(schoolId, { maxPeople: 100 })
  await watchRuntime(school.services)
  expect(await titles(school)).toEqual(['已恢复：本校配额将满', '本校配额将满'])
  await set(schoolId, { maxPeople: null })
  expect(await rowOf(school)).toBeUndefined()
})

test('graduates are not counted, and whoever studies again needs room', async () => {
  const school = await newSchool()
  const { schoolId, admin } = school
  const place = { ...(await placeIn(school)), suiGrade: '2024' }
  const [first] = await school.students(1, place)
  await set(schoolId, { maxPeople: 2 })
  const refused = { reason: 'quota-people' }
  const { graduated, enrolled } = studentStatus
  const form = { suiName: '王一', ...place }
  const added = { suiNumber: `S${unique()}`, ...form }
  const { suId } = await admin.send(studentApi.save, { ...added, suiStatus: graduated })
  expect(await admin.ask(studentApi.save, { ...form, suiNumber: `S${unique()}` })).toMatchObject(refused)
  const again = async () => {
    const { version } = await admin.send(studentApi.detail, { id: suId })
    return admin.ask(studentApi.save, { suId, version, ...added, suiStatus: enrolled })
  }
  expect(await again()).toMatchObject(refused)

  const { previewToken } = await admin.send(graduationApi.preview, { gradeList: ['2024'] })
  const confirmText = '全部毕业'
  const gradeList = ['2024']
  const { gbId } = await admin.send(graduationApi.graduate, { gradeList, previewToken, unmet: 'graduate', confirmText })
  expect(await again()).toMatchObject({ code: 200 })
  const undo = () => admin.ask(graduationApi.undo, { gbId, reason: '名单有误，重新办理' })
  expect(await undo()).toMatchObject(refused)
  await set(schoolId, { maxPeople: 3 })
  expect(await undo()).toMatchObject({ code: 200 })
  expect(await rowOf(school)).toMatchObject({ usedPeople: 3 })
  expect((await admin.send(studentApi.detail, { id: first!.suId })).suiStatus).toBe(enrolled)
})

test('files, messages, tasks and requests have their bounds, each told in words, and other schools none', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const { schoolId, admin } = school
  const people = await school.students(3, await placeIn(school))
  const colleague = await school.person('SCHOOL_ADMIN')
  const noise = { raw: { width: 480, height: 480, channels: 3 as const } }
  const bytes = await sharp(randomBytes(480 * 480 * 3), noise)
    .png()
    .toBuffer()
  const upload = (client = admin) => client.upload(fileApi.upload, { name: 'a.png', bytes }, { kind: 'image' })
  await set(schoolId, { maxMegabytes: 1, maxMessages: 4, maxTasks: 1 })
  await sleep(actorLifetime)
  expect(await upload()).toMatchObject({ code: 200 })
  expect(await upload()).toMatchObject({ reason: 'quota-bytes', msg: expect.stringContaining('配额为 1 MB') as string })
  expect(await upload(other.admin)).toMatchObject({ code: 200 })
  const say = (count: number) =>
    admin.ask(messageApi.send, {
      iiTitle: '通知',
      iiContent: '请查收',
      suIds: people.slice(0, count).map(({ suId }) => suId),
    })
  expect(await say(3)).toMatchObject({ code: 200 })
  expect(await say(2)).toMatchObject({
    reason: 'quota-messages',
    msg: expect.stringContaining('今天只剩 1 份') as string,
  })
  expect(await say(1)).toMatchObject({ code: 200 })
  // what the program itself tells people is never held back
  expect(await rowOf(school)).toMatchObject({ usedMessages: 4 })
  const exported = { call: fullPath(studentApi.exportList), input: { reason: '学期末核对名单' } }
  const task = (client: Client) => client.ask(backgroundApi.exportFile, exported)
  expect(await task(admin)).toMatchObject({ code: 200 })
  expect(await task(colleague.client)).toMatchObject({ reason: 'quota-tasks' })

  await set(schoolId, { maxPerMinute: 5 })
  await sleep(actorLifetime)
  const replies = []
  for (let at = 0; at < 7; at++) replies.push(await [admin, colleague.client][at % 2]!.ask(schoolApi.rules))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(replies[5]).toMatchObject({ reason: 'school-busy', msg: expect.stringContaining('平台运维人员') as string })
  for (let at = 0; at < 7; at++) expect((await other.admin.ask(schoolApi.rules)).code).toBe(200)
})

test('requests at once wait for each other within a school, and too many of them are refused', async () => {
  const limits = createRateLimits(parseConfig({}))
  const actor = (schoolId: string) =>
    ({ schoolId, suId: unique(), quota: { maxConcurrent: 1, maxPerMinute: null, maxTasks: null } }) as Actor
  const first = await limits.acquire(schoolApi.rules, actor('a'))
  const waiting = Array.from({ length: 4 }, () => limits.acquire(schoolApi.rules, actor('a')))
  await expect(limits.acquire(schoolApi.rules, actor('a'))).rejects.toThrow('school-busy')
  ;(await limits.acquire(studentApi.list, actor('b')))!()
  first!()
  for (const one of waiting) (await one)!()
})
