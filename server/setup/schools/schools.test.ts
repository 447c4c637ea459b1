import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { claimJob, enqueue } from '../../core/jobs/jobs.ts'
import { aliveSessions } from '../../school/session/tokens.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, testPassword } from '../../testing/school.ts'
import { withOwner, withOwnerDatabase } from '../school-archive/owner.ts'
import { listSchools, resumeSchool, suspendSchool } from './schools.ts'

await useOwnDatabase()
const { owner } = await testDatabase()

test('people of a suspended school are refused in words within a second, its jobs wait, and all goes on later', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const { schoolId, ctx, admin, nobody } = school
  const token = (body: object) => nobody.ask(sessionApi.token, { schoolId, ...body })
  const password = (username: string, given = testPassword) =>
    token({ grant_type: 'password', username, password: given })
  const { refresh_token: refresh } = (await password('admin')).data
  const sessions = await ctx.db.selectFrom('session').select('sessionId').where('schoolId', '=', schoolId).execute()
  const alive = async () =>
    (
      await aliveSessions(
        ctx,
        sessions.map(({ sessionId }) => sessionId),
      )
    ).size
  expect(await alive()).toBe(2)
  await enqueue(ctx, { schoolId, kind: 'tried' })
  const listed = async () => (await nobody.send(schoolApi.message, {})).schools.map((one) => one.schoolId)
  expect(await listed()).toContain(schoolId)

  await withOwnerDatabase(owner, (db) => suspendSchool(db, schoolId, '合同到期'))
  await sleep(actorLifetime)
  const refusal = { code: 300, reason: 'school-suspended', msg: expect.stringContaining('暂停使用') }
  expect(await admin.ask(schoolApi.rules)).toMatchObject(refusal)
  expect(await password('admin')).toMatchObject(refusal)
  expect(await token({ grant_type: 'refresh_token', refresh_token: refresh })).toMatchObject(refusal)
  expect(await password('admin', 'Wrong-2026!')).toMatchObject({ reason: 'login-refused' })
  expect(await alive()).toBe(0)
  expect(await listed()).not.toContain(schoolId)
  expect((await nobody.send(schoolApi.message, { schoolId })).schools).toHaveLength(1)
  expect(await claimJob(ctx.db, ['tried'], ctx.clock.now(), 30)).toBeUndefined()
  expect(await other.admin.ask(schoolApi.rules)).toMatchObject({ code: 200 })
  await expect(withOwnerDatabase(owner, (db) => suspendSchool(db, schoolId, '又一次'))).rejects.toThrow(
    '已处于暂停状态',
  )

  const line = (await withOwner(owner, listSchools)).find((one) => one.schoolId === schoolId)
  expect(line).toMatchObject({ people: 1, students: 0, suspended: { why: '合同到期' } })
  expect(line!.rows).toBeGreaterThan(0)
  expect(line!.lastLogin).toMatch(/^\d{4}-\d\d-\d\d /)

  await withOwnerDatabase(owner, (db) => resumeSchool(db, schoolId))
  expect(await admin.ask(schoolApi.rules)).toMatchObject({ code: 200 })
  expect(await token({ grant_type: 'refresh_token', refresh_token: refresh })).toMatchObject({ code: 200 })
  expect(await claimJob(ctx.db, ['tried'], ctx.clock.now(), 30)).toMatchObject({ schoolId })
  const trail = await ctx.db
    .selectFrom('auditLog')
    .select(['action', 'actorName', 'reason'])
    .where('schoolId', '=', schoolId)
    .where('bizType', '=', 'school')
    .orderBy('logTime')
    .execute()
  expect(trail).toEqual([
    { action: '暂停学校', actorName: '系统运维', reason: '合同到期' },
    { action: '恢复学校', actorName: '系统运维', reason: '' },
  ])
  await expect(withOwnerDatabase(owner, (db) => resumeSchool(db, schoolId))).rejects.toThrow('没有被暂停')
  await expect(withOwnerDatabase(owner, (db) => suspendSchool(db, 'nowhere', '无'))).rejects.toThrow('没有学校 nowhere')
  await expect(withOwnerDatabase(owner, (db) => suspendSchool(db, schoolId, ' '))).rejects.toThrow('--why')
})
