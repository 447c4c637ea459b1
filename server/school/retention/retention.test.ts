import { beforeEach, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { settings, type SettingValues } from '../../../contract/school/school/settings.ts'
import { systemClock } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { systemContext } from '../../core/request/system.ts'
import { checkSchool, sumOf } from '../../outcomes/statistics/check.service.ts'
import { refreshSchool } from '../../outcomes/statistics/refresh.service.ts'
import { forgetSignPlaces } from '../../programme/lessons/signing/sign-hints.service.ts'
import { testApp } from '../../testing/app.ts'
import { signIn } from '../../testing/client.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { newSchool, testPassword, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { startOfMonthBefore } from '../audit/archiving.service.ts'
import { lastPasswords, setPassword } from '../people/accounts.service.ts'
import { removeExpiredByNight, removeExpired } from './retention.service.ts'

await useOwnDatabase()
const { clock } = await testApp()

let school: TestSchool
let teacher: TestPerson

const monthsAgo = (months: number) => startOfMonthBefore(systemClock.now(), months)
const expire = () => removeExpired(systemContext(school.services, school.schoolId), forgetSignPlaces)
const titles = async () =>
  (await teacher.client.send(messageApi.inbox, { pageSize: 200 })).records.map((m) => m.iiTitle)
const receivers = async () =>
  (
    await school.ctx.db
      .selectFrom('informationReceiver')
      .select('iurId')
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', teacher.suId)
      .execute()
  ).length
const signIns = () =>
  school.ctx.db
    .selectFrom('loginDay')
    .select(['ip', 'agent', 'times'])
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', teacher.suId)
    .orderBy('logDay')
    .execute()

const set = async (values: Partial<SettingValues>) => {
  const { version } = await school.admin.send(schoolInfoApi.settings, {})
  await school.admin.send(schoolInfoApi.saveSettings, { version, values })
}

/** Signs the teacher in and sends them a message at a moment. */
async function moment(wall: string, iiTitle: string): Promise<void> {
  clock.travelTo(wall)
  const { schoolId, address, adminId } = school
  const admin = await signIn(address, schoolId, 'admin', testPassword)
  await admin.send(messageApi.send, { suIds: [teacher.suId], iiTitle, iiContent: '内容' })
  const client = await signIn(address, schoolId, teacher.suiNumber, testPassword)
  Object.assign(teacher, { client })
  school.admin = Object.assign(admin, { suId: adminId })
}

/** A school since four years; the clock stands at the present again. */
beforeEach(async () => {
  const { messageMonths, signInTraceMonths } = settings
  clock.travelTo(monthsAgo(messageMonths.default + 3))
  school = await newSchool()
  teacher = await school.person('GUIDE_TEACHER')
  await moment(monthsAgo(messageMonths.default + 3), '四年前')
  await moment(monthsAgo(signInTraceMonths.default + 1), '去年')
  await moment(systemClock.now(), '今天')
})

test('what is older than the terms goes, and nothing else', async () => {
  expect(await titles()).toEqual(['今天', '去年', '四年前'])
  await refreshSchool(school.ctx, school.schoolId)
  expect(await expire()).toMatchObject({ messages: 1, imports: 0 })
  expect(await titles()).toEqual(['今天', '去年'])
  expect(await receivers()).toBe(2)

  // the days stay and are counted, the place of the sign-in does not
  const rows = await signIns()
  expect(rows.map(({ ip, agent }) => [ip !== '', agent !== '']).slice(-1)).toEqual([[true, true]])
  const old = rows.slice(0, -1)
  expect(old.length).toBeGreaterThanOrEqual(2)
  for (const row of old) expect(row).toMatchObject({ ip: '', agent: '', times: expect.any(Number) as number })
  const notes = await school.ctx.db
    .selectFrom('statChange')
    .select('scKind')
    .where('schoolId', '=', school.schoolId)
    .where('scKind', '=', 'G')
    .execute()
  expect(notes).toEqual([])
  expect(sumOf((await checkSchool(school.ctx, school.schoolId))!)).toBe(0)

  const [entry] = (await school.admin.send(auditApi.list, { action: '按保存期限清理' })).records
  expect(entry).toMatchObject({ actorName: '系统' })
  expect(await expire()).toEqual({ messages: 0, signIns: 0, signPlaces: 0, imports: 0, passwords: 0 })
  expect((await school.admin.send(auditApi.list, { action: '按保存期限清理' })).records).toHaveLength(1)
})

test('a school that keeps messages for ever loses none; a shorter term takes more', async () => {
  await set({ messageMonths: 0, signInTraceMonths: 24 })
  expect(await expire()).toMatchObject({ messages: 0 })
  expect(await titles()).toHaveLength(3)
  expect((await signIns()).filter(({ ip }) => ip !== '').length).toBeGreaterThanOrEqual(2)
  await set({ messageMonths: 6, signInTraceMonths: 6 })
  expect(await expire()).toMatchObject({ messages: 2 })
  expect(await titles()).toEqual(['今天'])
  expect((await signIns()).filter(({ ip }) => ip !== '')).toHaveLength(1)
})

test('imports go after their term, with their rows', async () => {
  const batch = (createTime: string) => ({
    schoolId: school.schoolId,
    ibId: newId(),
    ibKind: 'students',
    errorId: newId(),
    fileName: '学生.xlsx',
    createBy: school.adminId,
    createName: '管理员',
    createTime,
  })
  const old = batch(monthsAgo(settings.importMonths.default + 1))
  const young = batch(monthsAgo(2))
  await school.ctx.db.insertInto('importBatch').values([old, young]).execute()
  expect(await expire()).toMatchObject({ imports: 1 })
  const left = await school.ctx.db
    .selectFrom('importBatch')
    .select('ibId')
    .where('schoolId', '=', school.schoolId)
    .execute()
  expect(left).toEqual([{ ibId: young.ibId }])
})

test('of a password nobody may use again the last five are kept', async () => {
  const { ctx, schoolId } = school
  for (let change = 1; change <= 7; change++) {
    clock.travel(60)
    await setPassword(ctx, schoolId, teacher.suId, `Test-2026!${change}`)
  }
  const before = await lastPasswords(ctx.db, schoolId, teacher.suId)
  const { passwords } = await expire()
  expect(passwords).toBe(3)
  const kept = await ctx.db
    .selectFrom('passwordHistory')
    .select('passwordHash')
    .where('schoolId', '=', schoolId)
    .where('suId', '=', teacher.suId)
    .orderBy('setTime', 'desc')
    .execute()
  expect(kept.map(({ passwordHash }) => passwordHash)).toEqual(before)
})

test('the job works by night only', async () => {
  const at = (hour: string) => {
    clock.travelTo(`${startOfMonthBefore(systemClock.now(), -1).slice(0, 10)} ${hour}:00:00`)
    return removeExpiredByNight(school.services, forgetSignPlaces)
  }
  await at('12')
  expect(await receivers()).toBe(3)
  await at('03')
  expect(await receivers()).toBe(2)
})
