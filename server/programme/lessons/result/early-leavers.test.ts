import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { resultStatus, signStatus, type SignStatus } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { countersOf, lessonWorld } from '../../../testing/lessons.ts'

/** A course that is over and whose result is looked at by the college, with participants who signed in. */
async function held(count: number, more = {}) {
  const world = await lessonWorld(({ leader }) => [{ node: 'RESULT', checkers: [leader.suId] }])
  const { client } = world.teacher
  const liId = await world.published({ quota: 50, ...more }, -3)
  const laIds = await world.enrol(liId, await world.students(count))
  const sign = (laId: string, laSignStatus: Exclude<SignStatus, typeof signStatus.absent>) =>
    client.send(registrationApi.sign, { laIds: [laId], laSignStatus })
  const pass = (laId: string) => client.ask(registrationApi.setAward, { laIds: [laId], laResult: resultStatus.passed })
  const rows = async () => {
    const { records } = await client.send(registrationApi.view, { liId })
    const byId = new Map(records.map((row) => [row.laId, row]))
    return laIds.map((laId) => {
      const { laSignStatus, laResult, laHours } = byId.get(laId)!
      return [laSignStatus, laResult, laHours]
    })
  }
  await client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
  return { world, client, liId, laIds: laIds as [string, string], sign, pass, rows }
}

describe('whoever left early', () => {
  test('does not pass after the result was taken back, unless it turns out that they stayed', async () => {
    const { world, client, liId, laIds, sign, pass, rows } = await held(2, { signOutOn: yesNo.yes })
    const [stayed, early] = laIds
    await sign(stayed, signStatus.signedOut)
    await client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.yes })
    await client.send(lessonApi.resultAudit, { liId })
    const left = [signStatus.leftEarly, resultStatus.failed, '0']
    expect(await rows()).toEqual([[signStatus.signedOut, resultStatus.passed, '2'], left])
    await client.send(lessonApi.withdraw, { liId })
    expect(await pass(early)).toMatchObject({
      code: 300,
      msg: expect.stringMatching(/ 早退，不能评定为合格或获奖；如确已到结束，可先登记为已签退$/) as string,
    })
    await client.send(lessonApi.resultAudit, { liId })
    expect((await rows())[1]).toEqual(left)
    await client.send(lessonApi.withdraw, { liId })
    await sign(early, signStatus.signedOut)
    expect(await pass(early)).toMatchObject({ code: 200 })
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
  })

  test('loses a rating from before, is not rated as passed with the rest, and is told where it failed', async () => {
    const { world, client, liId, laIds, sign, pass, rows } = await held(2)
    const [, early] = laIds
    await pass(early)
    await sign(early, signStatus.leftEarly)
    expect((await rows())[1]).toEqual([signStatus.leftEarly, resultStatus.unrated, '0'])
    expect(await client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.yes })).toEqual({ affected: 1 })
    expect(
      (await client.send(registrationApi.explain, { laId: early })).gates.find(({ failed }) => failed),
    ).toMatchObject({ name: '签退', note: '早退' })
    expect(await client.send(lessonApi.resultPreview, { liId })).toMatchObject({ unrated: 0, early: 1, passed: 1 })
    await client.send(lessonApi.resultAudit, { liId })
    expect(await rows()).toEqual([
      [signStatus.signedIn, resultStatus.passed, '2'],
      [signStatus.leftEarly, resultStatus.failed, '0'],
    ])
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
  })

  test('and was rated as passed by a former rule fails when the result is submitted', async () => {
    const { world, client, liId, laIds, pass, rows } = await held(2)
    for (const laId of laIds) await pass(laId)
    const { db } = world.school.ctx
    await db
      .updateTable('registration')
      .set({ laSignStatus: signStatus.leftEarly })
      .where('schoolId', '=', world.school.schoolId)
      .where('laId', '=', laIds[1])
      .execute()
    expect(await client.send(lessonApi.resultPreview, { liId })).toMatchObject({ early: 1, passed: 1, hours: '2' })
    await client.send(lessonApi.resultAudit, { liId })
    expect((await rows())[1]).toEqual([signStatus.leftEarly, resultStatus.failed, '0'])
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
  })
})
