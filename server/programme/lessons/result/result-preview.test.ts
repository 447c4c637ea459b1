import { expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, applyWay, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { lessonWorld } from '../../../testing/lessons.ts'

test('what submitting a result would do is told in the numbers that it then has', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const liId = await world.published({ quota: 50 }, -3)
  const laIds = await world.enrol(liId, await world.students(9))
  await client.send(registrationApi.sign, { laIds: laIds.slice(0, 5), laSignStatus: signStatus.signedIn })
  await client.send(registrationApi.setAward, { laIds: laIds.slice(0, 2), laResult: resultStatus.passed })
  await client.send(registrationApi.setAward, {
    laIds: [laIds[2]!],
    laResult: resultStatus.awarded,
    adId: world.awards.first,
  })
  await client.send(registrationApi.setAward, { laIds: [laIds[3]!], laResult: resultStatus.failed })
  expect(await client.send(lessonApi.resultPreview, { liId })).toEqual({
    admitted: 9,
    signed: 5,
    unrated: 1,
    absent: 4,
    early: 0,
    failed: 1,
    passed: 3,
    awarded: 1,
    hours: '7',
    credit: '0.7',
  })
  expect(await client.ask(lessonApi.resultAudit, { liId })).toMatchObject({ reason: 'not-rated-yet' })
  await client.send(registrationApi.setAward, { laIds: [laIds[4]!], laResult: resultStatus.passed })
  expect(await client.send(lessonApi.resultPreview, { liId })).toMatchObject({ unrated: 0, passed: 4 })
  await client.send(lessonApi.resultAudit, { liId })
  const counts = await client.send(registrationApi.counts, { liId })
  expect(counts).toMatchObject({ absent: 4, unrated: 0 })
  // what cannot be submitted has no consequences to be told
  expect(await client.ask(lessonApi.resultPreview, { liId })).toMatchObject({ code: 300 })
})

test('whoever leaves early is told apart from those who failed and those who are not rated', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const liId = await world.published({ quota: 50, signOutOn: yesNo.yes }, -3)
  const laIds = await world.enrol(liId, await world.students(3))
  await client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
  await client.send(registrationApi.setAward, { laIds: [laIds[0]!], laResult: resultStatus.failed })
  expect(await client.send(lessonApi.resultPreview, { liId })).toMatchObject({ early: 3, failed: 0, unrated: 0 })
})

test('courses with pending registrations are found, the most first', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const now = world.school.clock.now()
  const reviewed = () =>
    world.published({ applyWay: applyWay.review, applyStart: addMinutes(now, -60), applyEnd: addMinutes(now, 60) })
  const [few, none, many] = [await reviewed(), await reviewed(), await reviewed()]
  await world.enrol(few, await world.students(1))
  await world.enrol(many, await world.students(3))
  expect((await client.send(registrationApi.view, { liId: many, laStatus: applyStatus.pending })).total).toBe(3)
  const found = async (more: object) =>
    (await client.send(lessonApi.view, { myLesson: '1', ...more })).records.map(({ liId }) => liId)
  expect(await found({ pending: '1', sort: 'pendingCount', order: 'desc' })).toEqual([many, few])
  expect((await found({})).toSorted()).toEqual([few, none, many].toSorted())
})
