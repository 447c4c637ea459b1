import { expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { operatorApi } from '../../../contract/school/runtime/schools.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, unique } from '../../testing/school.ts'
import { setTimeout as sleep } from 'node:timers/promises'

await useOwnDatabase()

test('whom the settings name sees all schools, suspends, resumes, bounds and makes them, and is on record', async () => {
  const [home, other] = [await newSchool(), await newSchool()]
  const { config } = home.services
  const before = config.operators
  atFileEnd(async () => void (config.operators = before))
  // administrators see nothing of it, neither calls nor menu
  const calls = [operatorApi.schools, operatorApi.suspend, operatorApi.resume, operatorApi.quota, operatorApi.add]
  for (const call of calls) expect(await home.admin.ask(call, {} as never)).toMatchObject({ status: 403 })
  const paths = async () =>
    (await home.admin.send(sessionApi.menuTree, {})).flatMap(({ pages }) => pages.map(({ path }) => path))
  expect(await paths()).not.toContain('/basicConfig/schools')

  config.operators = [`${home.schoolId}/admin`]
  await sleep(actorLifetime)
  expect(await paths()).toContain('/basicConfig/schools')
  expect((await home.admin.send(sessionApi.landLoad, {})).permissions).toContain('operator:schools')
  expect(await other.admin.ask(operatorApi.schools, {})).toMatchObject({ status: 403 })
  const list = async (input: object = {}) => (await home.admin.send(operatorApi.schools, input)).records
  const rowOf = async () => (await list()).find(({ schoolId }) => schoolId === other.schoolId)!
  expect((await list()).find(({ schoolId }) => schoolId === home.schoolId)).toMatchObject({ can: ['quota'] })
  expect(await rowOf()).toMatchObject({ people: 1, storage: 0, suspendedTime: null, can: ['suspend', 'quota'] })
  expect(await list({ search: other.schoolId })).toHaveLength(1)
  expect(await list({ search: '没有这所学校' })).toEqual([])

  const { schoolId } = other
  const suspend = (more: object) =>
    home.admin.ask(operatorApi.suspend, { schoolId, confirm: `测试大学${schoolId}`, reason: '合同已经到期', ...more })
  expect(await suspend({ confirm: '测试大学' })).toMatchObject({ errors: [{ field: 'confirm' }] })
  expect(await suspend({ schoolId: home.schoolId })).toMatchObject({ reason: 'own-school' })
  expect(await suspend({ schoolId: 'nowhere' })).toMatchObject({ reason: 'no-such-school' })
  expect(await suspend({})).toMatchObject({ code: 200 })
  // at once, for the act tells every process
  expect(await other.admin.ask(schoolApi.rules)).toMatchObject({ reason: 'school-suspended' })
  expect(await suspend({})).toMatchObject({ reason: 'school-suspended-already' })
  expect(await rowOf()).toMatchObject({ suspendedWhy: '合同已经到期', can: ['resume', 'quota'] })
  expect(await list({ state: 'suspended' })).toHaveLength(1)
  await home.admin.send(operatorApi.resume, { schoolId })
  expect(await other.admin.ask(schoolApi.rules)).toMatchObject({ code: 200 })
  expect(await home.admin.ask(operatorApi.resume, { schoolId })).toMatchObject({ reason: 'school-not-suspended' })

  const quota = { ...(await rowOf()).quota, maxPeople: 500, maxMegabytes: 2048 }
  await home.admin.send(operatorApi.quota, { schoolId, ...quota })
  expect((await rowOf()).quota).toEqual(quota)

  const added = {
    schoolId: `n${unique()}`,
    schName: '新建大学',
    adminName: '王主任',
    username: 'office',
    password: 'Begin-2026!q',
  }
  expect(await home.admin.ask(operatorApi.add, { ...added, password: '123' })).toMatchObject({
    errors: [{ field: 'password' }],
  })
  await home.admin.send(operatorApi.add, added)
  expect(await home.admin.ask(operatorApi.add, added)).toMatchObject({ reason: 'school-taken' })
  const { username, password } = added
  const token = { grant_type: 'password' as const, schoolId: added.schoolId, username, password }
  expect(await home.nobody.ask(sessionApi.token, token)).toMatchObject({ code: 200 })

  const trail = async (of: typeof home) =>
    (await of.admin.send(auditApi.list, { bizType: 'school', pageSize: 50 })).records
      .toReversed()
      .map(({ action, actorName, bizName }) => [action, actorName, bizName])
  expect(await trail(home)).toEqual([
    ['暂停学校', '管理员', `测试大学${schoolId}`],
    ['恢复学校', '管理员', `测试大学${schoolId}`],
    ['设置学校配额', '管理员', `测试大学${schoolId}`],
    ['新建学校', '管理员', '新建大学'],
  ])
  expect(await trail(other)).toEqual([
    ['暂停学校', '系统运维', `测试大学${schoolId}`],
    ['恢复学校', '系统运维', `测试大学${schoolId}`],
    ['设置学校配额', '系统运维', `测试大学${schoolId}`],
  ])
})
