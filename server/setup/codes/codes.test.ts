import { expect, test } from 'vitest'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { testApp } from '../../testing/app.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { withOwnerDatabase } from '../school-archive/owner.ts'
import { codeLine, readCodes } from './codes.ts'

await useOwnDatabase()
const { owner } = await testDatabase()
const { secrets } = (await testApp()).services

const waiting = () => withOwnerDatabase(owner, (db) => readCodes(db, secrets))

/** Asks for a code and waits until the request is there, as answered requests go on afterwards. */
async function askFor({ schoolId, nobody, ctx }: TestSchool, suiNumber: string, contact?: string): Promise<void> {
  const count = async () =>
    (await ctx.db.selectFrom('resetRequest').select('rqId').where('schoolId', '=', schoolId).execute()).length
  const before = await count()
  await nobody.send(sessionApi.retrievePwd, { schoolId, username: suiNumber, contact })
  await expect.poll(count).toBe(before + 1)
}

test('codes that nothing carries are told with their people, the newest of each, until they are used', async () => {
  expect(await waiting()).toEqual([])
  const [school, other] = [await newSchool(), await newSchool()]
  const [first, second] = [await school.person('GUIDE_TEACHER'), await other.person('GUIDE_TEACHER')]
  await askFor(school, first.suiNumber)
  await askFor(school, first.suiNumber, 'QQ 12345')
  await askFor(other, second.suiNumber)
  const codes = await waiting()
  expect(new Map(codes.map(({ suId, number }) => [suId, number]))).toEqual(
    new Map([first, second].map(({ suId, suiNumber }) => [suId, suiNumber])),
  )
  expect(codes).toHaveLength(2)
  const newest = codes.find(({ suId }) => suId === first.suId)!
  expect(codeLine(newest)).toMatch(
    new RegExp(
      `^${school.schoolId}　.+（${first.suiNumber}），验证码 ${newest.code}，\\d\\d:\\d\\d 前有效，.*自己填写 QQ 12345（不要据此转交）$`,
    ),
  )

  const input = { schoolId: school.schoolId, username: first.suiNumber, newPassword: 'Neues-Passw0rt-2' }
  expect((await school.nobody.ask(sessionApi.retrievePwd, { ...input, code: newest.code })).code).toBe(200)
  // the older one is not taken any more
  expect((await waiting()).map(({ suId }) => suId)).toEqual([second.suId])
})

test('each look is in the trail of the person’s school, without the code', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const person = await school.person('GUIDE_TEACHER')
  await askFor(school, person.suiNumber)
  const { code } = (await waiting()).find(({ suId }) => suId === person.suId)!
  const trailOf = ({ schoolId, ctx }: TestSchool) =>
    ctx.db
      .selectFrom('auditLog')
      .selectAll()
      .where('schoolId', '=', schoolId)
      .where('action', '=', '查看找回密码的验证码')
      .execute()
  const rows = await trailOf(school)
  expect(rows).toEqual([expect.objectContaining({ actorName: '系统运维', bizId: person.suId, actorId: null })])
  expect(JSON.stringify(rows)).not.toContain(code)
  expect(await trailOf(other)).toEqual([])
})
