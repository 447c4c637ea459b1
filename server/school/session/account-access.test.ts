import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { accountAccessApi } from '../../../contract/school/session/account-access.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { signIn } from '../../testing/client.ts'
import { testPassword } from '../../testing/school.ts'
import { world, type World } from '../../testing/two-colleges.ts'

let w: World
beforeAll(async () => void (w = await world()))
const reason = '怀疑账号被他人使用'

test('somebody’s devices are shown and signed out, with a reason, on record', async () => {
  const { school, own } = w
  const teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: own.suiCollegeId })
  const { address } = school
  const second = await signIn(address, school.schoolId, teacher.suiNumber, testPassword)
  const { suId } = teacher
  expect(await school.admin.send(accountAccessApi.teacher, { suId })).toMatchObject({
    sessions: [{ ip: '127.0.0.1' }, { ip: '127.0.0.1' }],
    lockedUntil: null,
  })
  expect((await school.admin.ask(accountAccessApi.signOutTeacher, { suId, reason: '短' })).code).toBe(300)
  expect(await school.admin.send(accountAccessApi.signOutTeacher, { suId, reason })).toEqual({ affected: 2 })
  for (const client of [teacher.client, second]) expect((await client.ask(sessionApi.landLoad)).status).toBe(401)
  expect((await school.admin.send(accountAccessApi.teacher, { suId })).sessions).toEqual([])
  const { records } = await school.admin.send(auditApi.timeline, { bizType: 'person', bizId: suId })
  expect(records[0]).toMatchObject({ action: '退出教师的全部设备', reason })
  expect(
    await school.admin.ask(accountAccessApi.signOutTeacher, { suId: school.adminId, reason }),
    'one’s own devices are ended among one’s own',
  ).toMatchObject({ reason: 'own-session' })
})

test('a locked account is told, unlocked by those who look after it, and only then lets its owner in', async () => {
  const { school, own, strange, collegeAdmin } = w
  const { address, schoolId } = school
  const teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: own.suiCollegeId })
  const { suId } = teacher
  const tryOnce = (word: string) => signIn(address, schoolId, teacher.suiNumber, word)
  for (let time = 0; time < 6; time++) await expect(tryOnce('Wrong-2026')).rejects.toThrow()
  await expect(tryOnce(testPassword), 'locked').rejects.toThrow()
  expect((await school.admin.send(accountAccessApi.teacher, { suId })).lockedUntil).toMatch(/^\d{4}-/)
  const foreign = await school.person('GUIDE_TEACHER', [], { suiCollegeId: strange.suiCollegeId })
  expect((await collegeAdmin.client.ask(accountAccessApi.unlockTeacher, { suId: foreign.suId })).code).not.toBe(200)
  expect(await school.admin.send(accountAccessApi.unlockTeacher, { suId })).toEqual({ affected: 1 })
  expect(await school.admin.send(accountAccessApi.unlockTeacher, { suId })).toEqual({ affected: 0 })
  await tryOnce(testPassword)
  expect((await school.admin.send(accountAccessApi.teacher, { suId })).lockedUntil).toBeNull()
})

test('students likewise, within one’s area; people who may do more are left alone', async () => {
  const { school, own, strange, collegeAdmin } = w
  const [[mine], [foreign]] = [await school.students(1, own), await school.students(1, strange)]
  const { client } = collegeAdmin
  expect(await client.send(accountAccessApi.student, { suId: mine!.suId })).toEqual({
    sessions: [],
    lockedUntil: null,
    factorSince: null,
  })
  expect(await client.send(accountAccessApi.signOutStudent, { suId: mine!.suId, reason })).toEqual({ affected: 0 })
  expect(await client.send(accountAccessApi.unlockStudent, { suId: mine!.suId })).toEqual({ affected: 0 })
  for (const [call, input] of [
    [accountAccessApi.student, {}],
    [accountAccessApi.signOutStudent, { reason }],
    [accountAccessApi.unlockStudent, {}],
  ] as const)
    expect((await client.ask(call, { suId: foreign!.suId, ...input } as never)).code, call.path).not.toBe(200)
})

test('in an emergency everybody but the one who asks is signed out, of this school only', async () => {
  const [{ school, collegeAdmin }, other] = [await world(), w]
  expect((await collegeAdmin.client.ask(accountAccessApi.signOutEverybody, { reason })).code).not.toBe(200)
  // a role that may change the school, for one college
  const partly = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
  await school.ctx.db
    .updateTable('role')
    .set({ permits: sql<string[]>`"permits" || '{school:edit}'` })
    .where('schoolId', '=', school.schoolId)
    .where('srId', '=', school.roles['COLLEGE_LEAGUE']!)
    .execute()
  forgetActors(school.schoolId)
  expect((await partly.client.ask(accountAccessApi.signOutEverybody, { reason })).reason).toBe('not-permitted')
  expect((await collegeAdmin.client.ask(sessionApi.landLoad)).code, 'nobody was signed out').toBe(200)
  const { affected } = await school.admin.send(accountAccessApi.signOutEverybody, { reason })
  expect(affected).toBeGreaterThan(0)
  expect((await collegeAdmin.client.ask(sessionApi.landLoad)).status).toBe(401)
  expect((await school.admin.ask(sessionApi.landLoad)).code).toBe(200)
  expect((await other.collegeAdmin.client.ask(sessionApi.landLoad)).code).toBe(200)
})
