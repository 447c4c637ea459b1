import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { serviceKeyState } from '../../../contract/core/codes/platform.ts'
import { allCalls } from '../../../contract/index.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { calendarFeedApi } from '../../../contract/programme/personal/calendar-feeds.calls.ts'
import { serviceKeyApi } from '../../../contract/school/integration/keys.calls.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { createRateLimits } from '../../core/http/rate-limits.ts'
import { openApiDocument } from '../../platform/docs/openapi.ts'
import { Client } from '../../testing/client.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'
import { permitsOfKey } from './key-rights.ts'

let school: TestSchool
let colleges: [string, string]
beforeAll(async () => {
  school = await newSchool()
  colleges = [await school.college(), await school.college()]
  for (const suiCollegeId of colleges) {
    const majorId = await school.major(suiCollegeId)
    await school.students(2, { suiCollegeId, majorId, scClassId: await school.schoolClass(majorId, suiCollegeId) })
  }
})
const tomorrow = () => addDays(dayOf(school.clock.now()), 1)
async function keyOf(srCode: string, more: object = {}) {
  const input = { keyName: `教务${unique()}`, srId: school.roles[srCode]!, endDate: tomorrow(), ...more }
  const { keyId, key } = await school.admin.send(serviceKeyApi.add, input)
  return { keyId, key, keyName: input.keyName, client: new Client(school.address, key) }
}
const rowOf = async (keyId: string) =>
  (await school.admin.send(serviceKeyApi.list, { pageSize: 100 })).records.find((row) => row.keyId === keyId)!

test('a key asks with the rights of its role in its area, and is in the trail under its own name', async () => {
  const { client, keyId, keyName, key } = await keyOf('COLLEGE_LEAGUE', { scIds: [colleges[0]] })
  const { records } = await client.send(studentApi.list, { pageSize: 50 })
  expect(records.map(({ suiCollegeId }) => suiCollegeId)).toEqual([colleges[0], colleges[0]])
  expect((await client.ask(webhookApi.list, {})).code).toBe(403)
  await client.ask(studentApi.remove, { suIds: [records[0]!.suId] })
  const trail = await school.admin.send(auditApi.list, { actor: `程序 ${keyName}`, pageSize: 20 })
  expect(trail.records.map(({ actorName }) => actorName)).toContain(`程序 ${keyName}`)
  const row = await rowOf(keyId)
  expect(row).toMatchObject({ keyState: serviceKeyState.valid, lastIp: '127.0.0.1', can: ['revoke'] })
  expect(key.startsWith(row.prefix)).toBe(true)
  const stored = await school.ctx.db.selectFrom('serviceKey').selectAll().where('keyId', '=', keyId).execute()
  expect(JSON.stringify([stored, row])).not.toContain(key.slice(row.prefix.length))
})

test('it ends by its date, by revoking, with its role, and comes from where it may', async () => {
  const alive = async (client: Client) => (await client.ask(studentApi.list, {})).status
  const revoked = await keyOf('SCHOOL_AUDIT')
  expect(await alive(revoked.client)).toBe(200)
  await school.admin.send(serviceKeyApi.revoke, { keyIds: [revoked.keyId] })
  expect(await alive(revoked.client)).toBe(401)
  expect(await rowOf(revoked.keyId)).toMatchObject({ keyState: serviceKeyState.revoked, can: [] })
  const elsewhere = await keyOf('SCHOOL_AUDIT', { networks: ['10.0.0.0/8', '::1'] })
  expect(await alive(elsewhere.client)).toBe(401)
  expect(await alive((await keyOf('SCHOOL_AUDIT', { networks: ['10.0.0.0/8', '127.0.0.1'] })).client)).toBe(200)
  const short = await keyOf('SCHOOL_AUDIT')
  await school.ctx.db
    .updateTable('serviceKey')
    .set({ endDate: addDays(tomorrow(), -2) })
    .where('keyId', '=', short.keyId)
    .execute()
  expect(await alive(short.client)).toBe(401)
  expect((await rowOf(short.keyId)).keyState).toBe(serviceKeyState.ended)
  expect(await alive(new Client(school.address, 'dekt_nonsense'))).toBe(401)
  const late = { keyName: 'x', srId: school.roles['SCHOOL_AUDIT']!, endDate: addDays(tomorrow(), 800) }
  expect((await school.admin.ask(serviceKeyApi.add, late)).errors?.[0]?.msg).toBe('有效期最长两年')
  expect((await school.admin.ask(serviceKeyApi.add, { ...late, endDate: tomorrow(), networks: ['300'] })).code).toBe(
    300,
  )
})

test('the key of an administrator is no administrator: no sign-in, roles, passwords, keys, decisions', async () => {
  const { client, keyId } = await keyOf('SCHOOL_ADMIN')
  expect((await client.ask(collegeApi.list, {})).code).toBe(200)
  for (const call of [sessionApi.menuTree, sessionApi.landLoad, sessionApi.editPassword, messageApi.stream])
    expect(await client.ask(call, { oldPassword: 'x', newPassword: 'y' })).toMatchObject({ reason: 'not-for-programs' })
  expect(await client.ask(calendarFeedApi.make, {})).toMatchObject({ reason: 'not-for-programs' })
  const { suId } = await school.person('GUIDE_TEACHER')
  const refused = [
    await client.ask(serviceKeyApi.add, {}),
    await client.ask(serviceKeyApi.revoke, { keyIds: [keyId] }),
    await client.ask(webhookApi.list, {}),
    await client.ask(roleApi.remove, { srIds: [school.roles['GUIDE_TEACHER']] }),
    await client.ask(memberApi.add, { srId: school.roles['SCHOOL_ADMIN']!, suIds: [suId] }),
    ...(await Promise.all(Object.values(passwordApi).map((call) => client.ask(call, { suIds: [suId], suId })))),
  ]
  expect(refused.filter(({ code }) => code === 200)).toEqual([])
  const given = permitsOfKey(['role:grant', 'role:list', 'integration:manage', 'student:resetPwd', 'approval:publish'])
  expect(given).toEqual(['role:list'])
})

test('nobody gives a key more than they have', async () => {
  const helper = await school.person('SCHOOL_AUDIT')
  await school.ctx.db
    .updateTable('role')
    .set({ permits: sql<string[]>`array_cat("permits", array['integration:manage', 'role:grant'])` })
    .where('schoolId', '=', school.schoolId)
    .where('srCode', '=', 'SCHOOL_AUDIT')
    .execute()
  school.clock.travel(2)
  const input = { keyName: `k${unique()}`, endDate: tomorrow() }
  const wide = await helper.client.ask(serviceKeyApi.add, { ...input, srId: school.roles['SCHOOL_ADMIN']! })
  expect(wide.reason).toBe('grant-exceeds-own')
  const offered = await helper.client.send(serviceKeyApi.roles, {})
  expect(offered.map(({ srId }) => srId)).not.toContain(school.roles['SCHOOL_ADMIN'])
  expect((await helper.client.ask(serviceKeyApi.add, { ...input, srId: school.roles['SCHOOL_AUDIT']! })).code).toBe(200)
})

test('a key has a rate of its own', () => {
  const { config } = school.services
  const limits = createRateLimits({ ...config, requestsPerMinute: 5 })
  const program = { schoolId: 's', suId: 'k', program: { perMinute: 60 } } as never
  for (let at = 0; at < 60; at++) limits.person(program)
  expect(() => limits.person(program)).toThrow()
  expect(() => limits.person({ schoolId: 's', suId: 'p' } as never)).not.toThrow()
})

test('the API document names each operation once, says what a key opens and describes events', () => {
  const document = openApiDocument() as {
    paths: Record<string, Record<string, { operationId: string; security: object[] }>>
    webhooks: Record<string, { post: { requestBody: object } }>
    components: { securitySchemes: object }
  }
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  expect(operations.length).toBe(allCalls.length)
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'serviceKey'])
  const of = (path: string) => Object.values(document.paths[`/api/schoolbase${path}`]!)[0]!.security
  expect(of(lessonApi.view.path)).toContainEqual({ serviceKey: [] })
  expect(of(sessionApi.menuTree.path)).toEqual([{ bearer: [] }])
  expect(JSON.stringify(document.webhooks['credit.granted'])).toContain('HMAC')
})

test('of two keys that are made at once with one name, or as the last that may be, only one is', async () => {
  const { admin, roles } = await newSchool()
  const add = (keyName: string) =>
    admin.ask(serviceKeyApi.add, { keyName, srId: roles['SCHOOL_AUDIT']!, endDate: tomorrow() })
  const same = await Promise.all(['教务', '教务', '教务', '教务'].map(add))
  expect(same.map(({ reason }) => reason ?? 'made').toSorted()).toEqual([
    'made',
    'name-taken',
    'name-taken',
    'name-taken',
  ])
  for (let n = 2; n < 50; n++) await add(`教务${n}`)
  const last = await Promise.all(['甲', '乙', '丙', '丁'].map(add))
  expect(last.filter(({ code }) => code === 200)).toHaveLength(1)
  expect((await admin.send(serviceKeyApi.list, { pageSize: 100 })).total).toBe(50)
})
