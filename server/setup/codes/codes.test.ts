import { expect, test } from 'vitest'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { testApp } from '../../testing/app.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { withOwnerDatabase } from '../school-archive/owner.ts'
import { codeLines, readCodes } from './codes.ts'

await useOwnDatabase()
const { owner } = await testDatabase()
const { secrets } = (await testApp()).services

const kept = () => withOwnerDatabase(owner, (db) => readCodes(db, secrets))
const waiting = async () => (await kept()).codes

/** Asks for a code and waits until the request is there, as answered requests go on afterwards. */
async function askFor({ schoolId, nobody, ctx }: TestSchool, suiNumber: string, contact?: string): Promise<void> {
  const count = async () =>
    (await ctx.db.selectFrom('resetRequest').select('rqId').where('schoolId', '=', schoolId).execute()).length
  const before = await count()
  // more ask here than one network may in an hour
  await ctx.db.deleteFrom('loginCounter').execute()
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
  const [line, typed] = codeLines(newest)
  expect(line).toMatch(
    new RegExp(
      `^${school.schoolId}　.+（${first.suiNumber}），验证码 ${newest.code}，\\d\\d:\\d\\d 前有效，档案中没有邮箱$`,
    ),
  )
  expect(typed).toBe('    申请者自己填写（不要据此转交）："QQ 12345"')

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

test('what an asker types forges no part of the list, and what cannot be seen is refused', async () => {
  const school = await newSchool()
  const person = await school.person('GUIDE_TEACHER')
  const forged = '无"（不要据此转交），档案邮箱 evil@example.com'
  await askFor(school, person.suiNumber, forged)
  const message = (await waiting()).find(({ suId }) => suId === person.suId)!
  const [line, typed, ...more] = codeLines(message)
  expect([line!.endsWith('档案中没有邮箱'), more]).toEqual([true, []])
  expect(typed).toBe(`    申请者自己填写（不要据此转交）：${JSON.stringify(forged)}`)
  // as an earlier version may have kept it
  const [, escaped] = codeLines({ ...message, contact: 'a\n\u001b[2K\u202eb' })
  expect(escaped).toBe(String.raw`    申请者自己填写（不要据此转交）："a\n\u001b[2K\u{202e}b"`)
  const ask = { schoolId: school.schoolId, username: person.suiNumber, contact: '电话\r\u001b[2K' }
  expect(await school.nobody.ask(sessionApi.retrievePwd, ask)).toMatchObject({ reason: 'invalid-input' })
})

test('none is told of a school that stands still or of a closed account, and one bad row hides no other', async () => {
  const [school, still] = [await newSchool(), await newSchool()]
  const people = [
    await school.person('GUIDE_TEACHER'),
    await school.person('GUIDE_TEACHER'),
    await school.person('GUIDE_TEACHER'),
  ]
  const [one, closed, broken] = people
  const other = await still.person('GUIDE_TEACHER')
  for (const { suiNumber } of people) await askFor(school, suiNumber)
  await askFor(still, other.suiNumber)
  await withOwnerDatabase(owner, async (db) => {
    await db.updateTable('account').set({ suStatus: accountStatus.disabled }).where('suId', '=', closed!.suId).execute()
    const sealedMessage = Buffer.from('no')
    await db.updateTable('resetRequest').set({ sealedMessage }).where('suId', '=', broken!.suId).execute()
    const suspendedTime = '2026-11-01 08:00:00'
    await db.updateTable('school').set({ suspendedTime }).where('schoolId', '=', still.schoolId).execute()
  })
  const { codes, unreadable } = await kept()
  const ours = new Set([...people, other].map(({ suId }) => suId))
  expect(codes.map(({ suId }) => suId).filter((suId) => ours.has(suId))).toEqual([one!.suId])
  expect(unreadable).toBe(1)
})
