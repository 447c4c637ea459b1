import { expect, test } from 'vitest'
import { approvalActionApi } from '../../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { lessonStatus, publictyStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { schoolApi } from '../../../../contract/school/school/school.calls.ts'
import { addDays, dayOf } from '../../../core/base/clock.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'

/** A course that is over, its result submitted. */
async function submitted(world: LessonWorld) {
  const liId = await world.published({ publictyDays: 4 }, -3)
  const laIds = await world.enrol(liId, await world.students(1))
  const { client } = world.teacher
  await client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
  await client.send(registrationApi.rateRemaining, { liId })
  await client.send(lessonApi.resultAudit, { liId })
  return liId
}
const told = ({ teacher }: LessonWorld, liId: string) => teacher.client.send(lessonApi.details, { liId })

test('a result is put into notice as it is approved, where the school wants that, and taken back with its approval', async () => {
  const world = await lessonWorld(({ leader }) => [{ node: 'RESULT', checkers: [leader.suId] }])
  const { leader, school } = world
  const task = async () => (await leader.client.send(approvalApi.resultQueue, {})).records[0]!.taskId

  const byHand = await submitted(world)
  await leader.client.send(approvalApi.resultPass, { taskIds: [await task()] })
  expect((await told(world, byHand)).liStatus).toBe(lessonStatus.resultPassed)

  await school.rules({ publictyAuto: '1' })
  const liId = await submitted(world)
  const taskId = await task()
  await leader.client.send(approvalApi.resultPass, { taskIds: [taskId] })
  const noticed = await told(world, liId)
  const today = dayOf(school.clock.now())
  expect(noticed).toMatchObject({ liStatus: lessonStatus.inNotice, liPublictySdate: `${today} 00:00:00` })
  const { to } = await world.teacher.client.send(schoolApi.workday, { from: today, days: 4 })
  expect(noticed.liPublictyEdate).toBe(`${to} 23:59:59`)
  expect((await leader.client.send(lessonApi.publictyList, { liId })).records).toHaveLength(1)

  await leader.client.send(approvalActionApi.takeBack, { taskIds: [taskId] })
  expect(await told(world, liId)).toMatchObject({
    liStatus: lessonStatus.resultInReview,
    liPublictySdate: null,
    liPublictyEdate: null,
  })
  const rounds = await leader.client.send(lessonApi.publictyRounds, { liId })
  expect(rounds.map((round) => round.publictyStatus)).toEqual([publictyStatus.revoked])
  await leader.client.send(approvalApi.resultPass, { taskIds: [await task()] })
  expect((await told(world, liId)).liStatus).toBe(lessonStatus.inNotice)
})

test('where nobody has to approve a result, submitting it begins the notice', async () => {
  const world = await lessonWorld()
  await world.school.rules({ publictyAuto: '1' })
  const liId = await submitted(world)
  expect(await told(world, liId)).toMatchObject({
    liStatus: lessonStatus.inNotice,
    liPublictySdate: `${dayOf(world.school.clock.now())} 00:00:00`,
  })
})

test('by hand it needs no days: from today or the day told, for the working days that the course promises', async () => {
  const world = await lessonWorld()
  const { leader, school } = world
  const today = dayOf(school.clock.now())
  const lastFrom = async (from: string) =>
    `${(await world.teacher.client.send(schoolApi.workday, { from, days: 4 })).to} 23:59:59`
  const plain = await submitted(world)
  await leader.client.send(lessonApi.publicty, { liId: plain })
  expect(await told(world, plain)).toMatchObject({
    liStatus: lessonStatus.inNotice,
    liPublictySdate: `${today} 00:00:00`,
    liPublictyEdate: await lastFrom(today),
  })
  const later = await submitted(world)
  const first = addDays(today, 7)
  await leader.client.send(lessonApi.publicty, { liId: later, liPublictySdate: `${first} 00:00:00` })
  expect(await told(world, later)).toMatchObject({
    liPublictySdate: `${first} 00:00:00`,
    liPublictyEdate: await lastFrom(first),
  })
  const short = await submitted(world)
  expect(
    await leader.client.ask(lessonApi.publicty, { liId: short, liPublictyEdate: `${today} 23:59:59` }),
  ).toMatchObject({ reason: 'publicity-too-short' })
})
