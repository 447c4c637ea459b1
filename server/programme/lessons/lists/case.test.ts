import { expect, test } from 'vitest'
import { lessonCaseApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { resultStatus, signStatus, signType } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { lessonWorld } from '../../../testing/lessons.ts'

test('a reviewer is told of what does not fit together in a result', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const people = await world.students(6)
  const principal = people[0]!
  const hints = async (liId: string) =>
    (await world.leader.client.send(lessonCaseApi.lessonResult, { liId })).hints.map(({ text }) => text)
  // two hours in which the same six people were in two places, one of them looking after the one and earning from it
  const held = async (liName: string, more: object) => {
    const liId = await world.published({ liName, ...more }, -3)
    const laIds = await world.enrol(liId, people)
    await world.school.ctx.db
      .updateTable('registration')
      .set({ laSignStatus: signStatus.signedIn, signInTime: world.school.clock.now(), signMethod: signType.manual })
      .where('liId', '=', liId)
      .execute()
    return { liId, laIds }
  }
  const first = await held('图书馆整理', { liHours: '4' })
  expect(await hints(first.liId)).toEqual(['认定 4 学时，多于活动时长 2 小时', '尚未指定签到负责人，由课程负责人签到'])
  // nobody could be admitted to two courses at once, so the second took place a day later and was moved onto the first
  const second = await world.published({ liName: '植树活动', liHours: '2', signerIds: [world.teacher.suId] }, 48)
  const laIds = await world.enrol(second, people)
  const { startTime, endTime } = await client.send(lessonApi.details, { liId: first.liId })
  const { db } = world.school.ctx
  for (const table of ['lesson', 'lessonSession'] as const)
    await db.updateTable(table).set({ startTime, endTime }).where('liId', '=', second).execute()
  await db
    .updateTable('registration')
    .set({ laSignStatus: signStatus.signedIn, signInTime: startTime, signMethod: signType.manual })
    .where('liId', '=', second)
    .execute()
  await db.updateTable('lesson').set({ liPrincipalId: principal.suId }).where('liId', '=', second).execute()
  expect(await hints(second)).toEqual([
    '有 6 名参与者同一时间参加了其他课程',
    '参与名单与课程“图书馆整理”几乎相同，请核实是否重复发放',
  ])
  await client.send(registrationApi.setAward, { laIds: [laIds[0]!], laResult: resultStatus.passed })
  expect((await hints(second))[0]).toBe('课程负责人本人在合格或获奖名单中，请核实是否为自己认定')
  // one list in five is another list
  await client.send(registrationApi.remove, { laId: [laIds[5]!] })
  expect((await hints(second)).some((text) => text.includes('几乎相同'))).toBe(false)
})
