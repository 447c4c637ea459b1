import { beforeAll, expect, test } from 'vitest'
import {
  credibilityReason,
  questionOutcome,
  questionType,
  resultStatus,
  signStatus,
} from '../../../../contract/core/codes/programme.ts'
import { approvalApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { noShowApi } from '../../../../contract/programme/lessons/no-shows.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { disputeApi } from '../../../../contract/programme/disputes/disputes.calls.ts'
import { credibilityApi } from '../../../../contract/school/people/credibility.calls.ts'
import { addDays, dayEnd, dayOf, dayStart } from '../../../core/base/clock.ts'
import { disputeWorld, type DisputeWorld } from '../../../testing/disputes.ts'

type Student = { suId: string; suiName: string; suiNumber: string }

let world: DisputeWorld
let spare: Student[]
beforeAll(async () => {
  world = await disputeWorld()
  spare = await world.students(20)
})
const someone = () => spare.pop()!
const standing = ({ suId }: Student) => world.leader.client.send(credibilityApi.standing, { suId })
const log = async ({ suId }: Student) => (await world.leader.client.send(credibilityApi.log, { suId })).records

let held = 0
/** Puts a course into yesterday and answers the registrations of these students, who were admitted. */
async function yesterday(students: Student[], more: { liName?: string } = {}) {
  // no two of them at the same time, so that everybody may take part in all
  const liId = await world.published(more, 240 + 4 * held++)
  const laIds = await world.enrol(liId, students)
  const now = world.school.clock.now()
  await world.school.ctx.db
    .updateTable('lesson')
    .set({ startTime: addDays(now, -1), endTime: addDays(now, -1 + 1 / 12) })
    .where('schoolId', '=', world.school.schoolId)
    .where('liId', '=', liId)
    .execute()
  return { liId, laIds }
}
const sign = (laIds: string[]) =>
  world.teacher.client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
const remove = (laId: string) => world.teacher.client.send(registrationApi.remove, { laId, reason: '由他人代签' })

/** Rates who is left, submits the result and puts it into notice. */
async function inNotice(liId: string) {
  await world.teacher.client.send(registrationApi.rateRemaining, { liId })
  await world.teacher.client.send(lessonApi.resultAudit, { liId })
  const today = dayOf(world.school.clock.now())
  await world.leader.client.send(lessonApi.publicty, {
    liId,
    liPublictySdate: dayStart(today),
    liPublictyEdate: dayEnd(addDays(today, 4)),
  })
}

/** A course that is completed: one student stayed, the others had signed in and were removed. */
async function removedFrom(...students: Student[]) {
  const { liId, laIds } = await yesterday([someone(), ...students])
  await sign(laIds)
  for (const laId of laIds.slice(1)) await remove(laId)
  await inNotice(liId)
  await world.completed(liId)
  return liId
}

test('whoever is removed after having signed in loses points when the course is completed, once, and is told why', async () => {
  const [kept, gone, never, mistaken, returned] = [someone(), someone(), someone(), someone(), someone()]
  const { liId, laIds } = await yesterday([kept, gone, never, mistaken, returned], { liName: '书法工坊' })
  await sign([laIds[0]!, laIds[1]!, laIds[3]!, laIds[4]!])
  for (const at of [1, 2, 4]) await remove(laIds[at]!)
  // entered by mistake is not removed, and whoever comes back was not removed in the end
  await world.teacher.client.send(registrationApi.delJoin, { ids: [laIds[3]!] })
  await world.teacher.client.send(registrationApi.add, { liId, suIds: [returned.suId] })
  await sign([laIds[4]!])
  await inNotice(liId)
  expect(await standing(gone)).toMatchObject({ suiCredibility: 100, absences: 0 })

  await world.endNotice(liId)
  await Promise.all([world.complete(), world.complete()])
  await world.complete()
  expect(await log(gone)).toMatchObject([
    {
      before: 100,
      after: 98,
      change: -2,
      reasonCode: credibilityReason.removed,
      reason: '签到后被移出课程“书法工坊”：由他人代签',
      liName: '书法工坊',
      can: ['restore'],
    },
  ])
  expect(await standing(gone)).toMatchObject({ suiCredibility: 98, absences: 1 })
  expect(await world.hours(gone.suId)).toBe(0)
  for (const other of [kept, never, mistaken, returned]) expect(await log(other)).toEqual([])
  expect(await world.hours(returned.suId)).toBe(200)
})

test('three removals or absences close registration for a week, and what is given back opens it', async () => {
  const student = someone()
  // nothing to lose any more: it counts all the same
  await world.school.ctx.db
    .updateTable('person')
    .set({ suiCredibility: 3 })
    .where('schoolId', '=', world.school.schoolId)
    .where('suId', '=', student.suId)
    .execute()
  await removedFrom(student)
  await world.completed(await world.noticed([someone(), { ...student, absent: true }]))
  expect(await standing(student)).toMatchObject({ suiCredibility: 0, absences: 2, blackUntil: null })
  const last = await removedFrom(student)
  const { absences, blackUntil } = await standing(student)
  expect(absences).toBe(3)
  expect(blackUntil! > addDays(world.school.clock.now(), 6)).toBe(true)
  const liId = await world.published({}, 1000)
  const ask = () => world.teacher.client.ask(registrationApi.add, { liId, suIds: [student.suId] })
  expect(await ask()).toMatchObject({ code: 300, reason: 'blacklisted' })

  const { records } = await world.leader.client.send(noShowApi.list, { suId: student.suId })
  const loss = records.find((row) => row.liId === last)!
  expect(loss).toMatchObject({ credibilityChange: 0, restored: false, can: ['restore'] })
  await world.leader.client.send(credibilityApi.restore, { cgIds: loss.cgIds, reason: '核实后确系误移除' })
  expect(await standing(student)).toMatchObject({ absences: 2, blackUntil: null })
  expect(await ask()).toMatchObject({ code: 200, data: { affected: 1 } })
})

test('the school sets what a removal costs; where it costs nothing it still counts', async () => {
  const student = someone()
  await world.school.rules({ leftLoss: 0 })
  await removedFrom(student)
  await world.school.rules({ leftLoss: 2 })
  expect(await standing(student)).toMatchObject({ suiCredibility: 100, absences: 1 })
})

test('who is found to have been removed wrongly gets it back; whom a question removes loses what was decided there', async () => {
  const [wronged, feigner] = [someone(), someone()]
  const liId = await removedFrom(wronged)
  expect((await standing(wronged)).suiCredibility).toBe(98)
  const qId = await world.school.admin
    .send(disputeApi.add, {
      liId,
      qType: questionType.missing,
      reporterSuId: wronged.suId,
      qContent: '本人全程参加，被误移出名单',
    })
    .then((made) => made.qId)
  await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
  await world.a.client.send(approvalApi.questionPass, { taskIds: [(await world.taskFor(qId))!] })
  await world.leader.client.send(disputeApi.setQAward, {
    qId,
    qOutcome: questionOutcome.correct,
    laResult: resultStatus.passed,
    opinion: '经核实予以更正',
  })
  expect(await standing(wronged)).toMatchObject({ suiCredibility: 100, absences: 0 })
  expect(await world.hours(wronged.suId)).toBe(200)

  const other = await world.noticed([someone(), feigner])
  const upheld = await world.upheld({
    liId: other,
    qType: questionType.falseAttendance,
    reporterSuId: wronged.suId,
    targetSuId: feigner.suId,
    qContent: '该同学没有到场，由他人代签',
  })
  await world.leader.client.send(disputeApi.setQAward, {
    qId: upheld,
    qOutcome: questionOutcome.remove,
    credibility: 5,
    opinion: '经核实予以处理',
  })
  await world.completed(other)
  expect((await log(feigner)).map(({ change, reasonCode }) => [change, reasonCode])).toEqual([
    [-5, credibilityReason.falseAttendance],
  ])
})
