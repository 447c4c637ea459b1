import { expect, test } from 'vitest'
import { approvalApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { auditApi } from '../../../../contract/school/audit/audit.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { signingApi } from '../../../../contract/programme/lessons/signing.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { lessonWorld } from '../../../testing/lessons.ts'

const day = 24 * 60

/** A course of three sessions, yesterday, in a few minutes and tomorrow, whose changes the college approves. */
async function running() {
  const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const { client } = world.teacher
  const session = (after: number) => {
    const startTime = addMinutes(world.school.clock.now(), after)
    return { startTime, endTime: addMinutes(startTime, 60) }
  }
  const [first, second, third] = [session(10 - day), session(10), session(10 + day)]
  const form = world.form({
    sessions: [first, second, third],
    startTime: first.startTime,
    endTime: addMinutes(third.endTime, 5 * day),
  })
  const decide = async () => {
    const { records } = await world.leader.client.send(approvalApi.publishQueue, {})
    await world.leader.client.send(approvalApi.publishPass, { taskIds: records.map(({ taskId }) => taskId) })
  }
  const { liId } = await client.send(lessonApi.save, { ...form, submit: '1' })
  await decide()
  await client.send(lessonApi.publish, { liId })
  const [student] = await world.students(1)
  await world.enrol(liId, [student!])
  const save = async (sessions: object[]) => {
    const { version } = await client.send(lessonApi.details, { liId })
    return client.ask(lessonApi.save, { ...form, liId, version, sessions } as never)
  }
  const scan = async () => {
    const { code } = await client.send(signingApi.board, { liId })
    return client.ask(signingApi.scan, { liId, code: code!, suiNumber: student!.suiNumber })
  }
  const came = async () =>
    (await client.send(signingApi.board, { liId })).sessions.map(({ startTime, came: people }) => [startTime, people])
  return { client, liId, first, second, third, later: session(10 + 3 * day), decide, save, scan, came }
}

test('who signed in to a session has signed in to it when another one moves past it', async () => {
  const { second, third, later, decide, save, scan, came } = await running()
  expect(await scan()).toMatchObject({ data: { lseNo: 2 } })
  expect(await save([later, second, third])).toMatchObject({ data: { isChanging: true } })
  await decide()
  expect(await came()).toEqual([
    [second.startTime, 1],
    [third.startTime, 0],
    [later.startTime, 0],
  ])
  expect(await scan()).toMatchObject({ reason: 'signed-in-already' })
})

test('a session that people have signed in to is not removed, nor by a change from before they came', async () => {
  const { client, liId, first, second, third, decide, save, scan, came } = await running()
  expect(await save([first, third])).toMatchObject({ data: { isChanging: true } })
  expect(await scan()).toMatchObject({ data: { lseNo: 2 } })
  await decide()
  expect(await came()).toEqual([
    [first.startTime, 0],
    [second.startTime, 1],
    [third.startTime, 0],
  ])
  const { records } = await client.send(auditApi.timeline, { bizType: 'lesson', bizId: liId, pageSize: 50 })
  expect(records.find(({ action }) => action === '课程变更生效')!.reason).toBe(
    `审批期间已有人签到 ${second.startTime.slice(0, 16)} 的场次，该场次保留`,
  )
  expect(await save([first, third])).toMatchObject({
    code: 300,
    errors: [
      {
        field: 'sessions',
        msg: `第 2 场（${second.startTime.slice(0, 16)}）已有 1 人签到，不能删除；请保留该场次，时间有误的可修改时间`,
      },
    ],
  })
  // the others may go
  expect(await save([second])).toMatchObject({ code: 200 })
  await decide()
  expect(await came()).toEqual([[second.startTime, 1]])
})
