import { expect, test } from 'vitest'
import {
  creditType,
  questionOutcome,
  questionType,
  resultStatus,
  signStatus,
} from '../../../contract/core/codes/programme.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { eventBody, eventKinds, type EventKind } from '../../../contract/platform/outbox/events.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { addDays, addSeconds, dayOf } from '../../core/base/clock.ts'
import { because } from '../../core/request/cause.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { bodyOf } from '../../platform/outbox/deliver.service.ts'
import { disputeWorld } from '../../testing/disputes.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import type { TestSchool } from '../../testing/school.ts'
import { passSupplement, refuseSupplement, supplementWorldOfTests } from '../../testing/supplements.ts'
import { completeLessons } from '../../programme/lessons/credit/completion.service.ts'

const listen = (school: TestSchool, kinds: readonly EventKind[] = eventKinds) =>
  school.admin.send(webhookApi.add, {
    odName: '全部',
    address: 'https://events.example.edu.cn/in',
    eventKinds: [...kinds],
  })

const seen = new Set<string>()

/** What has come into a school's outbox, in order; each is what the contract says of its kind. */
async function noted({ ctx, schoolId }: TestSchool) {
  const rows = await ctx.db
    .selectFrom('outboxDelivery')
    .select(['eventKind', 'eventData', 'createTime'])
    .where('schoolId', '=', schoolId)
    .orderBy('createTime')
    .orderBy('dlId')
    .execute()
  for (const row of rows) {
    eventBody(row.eventKind as EventKind).parse(JSON.parse(bodyOf(row)))
    seen.add(row.eventKind)
  }
  return rows.map(({ eventKind, eventData }) => ({ kind: eventKind, data: eventData as Record<string, never> }))
}
const kinds = async (school: TestSchool) => (await noted(school)).map(({ kind }) => kind)

test('a course tells each of its steps, once and in order', async () => {
  const world = await lessonWorld(({ leader: one }) => [
    { node: 'PUBLISH', checkers: [one.suId] },
    { node: 'RESULT', checkers: [one.suId] },
  ])
  const { school, teacher, leader } = world
  const [ann, ben] = await world.students(2)
  await listen(
    school,
    eventKinds.filter((kind) => !/^(person|student)\./.test(kind)),
  )
  const waiting = async (queue: typeof approvalApi.publishQueue | typeof approvalApi.resultQueue) =>
    (await leader.client.send(queue, {})).records[0]!.taskId
  const held = { ...world.form({}, -2), endTime: addSeconds(school.clock.now(), -3600) }
  const { liId } = await teacher.client.send(lessonApi.save, { ...held, submit: '1' })
  const opinion = '请补充活动的安全预案'
  await leader.client.send(approvalApi.publishRefuse, { taskIds: [await waiting(approvalApi.publishQueue)], opinion })
  const { version } = await teacher.client.send(lessonApi.details, { liId })
  await teacher.client.send(lessonApi.save, { ...held, liId, version, submit: '1' })
  await leader.client.send(approvalApi.publishPass, { taskIds: [await waiting(approvalApi.publishQueue)] })
  await teacher.client.send(lessonApi.publish, { liId })
  const laIds = await world.enrol(liId, [ann!, ben!])
  await teacher.client.send(registrationApi.remove, { laId: laIds[1]!, reason: '本人申请退出' })
  await teacher.client.send(registrationApi.sign, { laIds: [laIds[0]!], laSignStatus: signStatus.signedIn })
  await teacher.client.send(registrationApi.setAward, { laIds: [laIds[0]!], laResult: resultStatus.passed })
  for (const decision of [approvalApi.resultRefuse, approvalApi.resultPass]) {
    await teacher.client.send(lessonApi.resultAudit, { liId })
    const taskIds = [await waiting(approvalApi.resultQueue)]
    await leader.client.send(decision, { taskIds, opinion: '请补充总结材料' })
  }
  const today = dayOf(school.clock.now())
  await leader.client.send(lessonApi.publicty, {
    liId,
    liPublictySdate: `${today} 00:00:00`,
    liPublictyEdate: `${addDays(today, 6)} 23:59:59`,
  })
  await completeLessons({ ...school.services, clock: { now: () => `${addDays(today, 8)} 00:00:00` } }, school.schoolId)
  const told = await noted(school)
  expect(told.map(({ kind }) => kind)).toEqual([
    'course.submitted',
    'course.refused',
    'course.submitted',
    'course.approved',
    'course.published',
    'registration.accepted',
    'registration.accepted',
    'registration.cancelled',
    'attendance.signedIn',
    'result.submitted',
    'result.refused',
    'result.submitted',
    'result.approved',
    'publicity.begun',
    'credit.granted',
    'publicity.ended',
  ])
  expect(told.find(({ kind }) => kind === 'attendance.signedIn')!.data).toMatchObject({
    laSignStatus: signStatus.signedIn,
    course: { liId, liName: held.liName },
    person: { suId: ann!.suId, suiNumber: ann!.suiNumber, suiName: ann!.suiName },
  })
  expect(told.find(({ kind }) => kind === 'credit.granted')!.data).toMatchObject({
    bizId: liId,
    entries: expect.arrayContaining([expect.objectContaining({ clType: creditType.hours, value: '2.00' })]) as unknown,
  })
})

test('a dispute tells that it was opened and settled, not by whom; a reversal is told', async () => {
  const world = await disputeWorld()
  const { school, leader } = world
  const [ann, ben] = await world.students(2)
  const liId = await world.noticed([ann!, ben!])
  await world.completed(liId)
  await listen(school, ['dispute.opened', 'dispute.settled', 'credit.reversed', 'course.takenDown', 'course.cancelled'])
  const late = { liId, qType: questionType.falseAttendance, reporterSuId: ben!.suId, targetSuId: ann!.suId }
  const { qId } = await world.a.client.send(disputeApi.add, { ...late, qContent: '本人未到场，由他人代签' })
  await world.a.client.send(disputeApi.accept, { qIds: [qId] })
  await world.a.client.send(approvalApi.questionPass, { taskIds: [(await world.taskFor(qId))!] })
  const outcome = { qId, qOutcome: questionOutcome.remove, opinion: '核实后移出名单' }
  await world.a.client.send(disputeApi.setQAward, outcome)
  const upcoming = [await world.published(), await world.published({}, 60)]
  await leader.client.send(lessonApi.unpublish, { liId: upcoming[0]!, reason: '场地临时不可用' })
  await leader.client.send(lessonApi.cancel, { liId: upcoming[1]!, reason: '主讲人无法到场' })
  const told = await noted(school)
  expect(new Set(told.map(({ kind }) => kind))).toEqual(
    new Set(['dispute.opened', 'dispute.settled', 'credit.reversed', 'course.takenDown', 'course.cancelled']),
  )
  expect(JSON.stringify(told.filter(({ kind }) => kind.startsWith('dispute')))).not.toContain(ben!.suId)
})

test('supplements, transcripts and people tell what becomes of them', async () => {
  const world = await supplementWorldOfTests()
  const { school, leader } = world
  const [ann, ben] = await world.students(2)
  await listen(school)
  const passed = await world.submitted(ann!.suId)
  const refused = await world.submitted(ben!.suId)
  await passSupplement(leader, passed)
  await passSupplement(world.auditor, passed)
  await refuseSupplement(leader, refused)
  expect(await kinds(school)).toEqual([
    'supplement.submitted',
    'supplement.submitted',
    'supplement.approved',
    'supplement.refused',
  ])
  await school.admin.download(transcriptApi.export, { suIds: [ann!.suId] })
  const [issue] = (await school.admin.send(issueApi.list, { suId: ann!.suId })).records
  await school.admin.send(issueApi.revoke, { ids: [issue!.tiId], reason: '姓名有误，已重新签发' })
  const [cat] = await world.students(1)
  const state = (suiStatus: string) =>
    school.ctx.db.updateTable('person').set({ suiStatus }).where('suId', '=', cat!.suId).execute()
  // leave of absence is no leaving
  const { suspended, withdrawn, graduated, enrolled } = studentStatus
  for (const status of [suspended, enrolled, withdrawn, graduated, enrolled]) await state(status)
  await inTransaction(school.ctx, async (tx) => {
    await tx.db.updateTable('person').set({ scClassId: null }).where('suId', '=', cat!.suId).execute()
    await because(tx, 'undo')
    await tx.db.updateTable('person').set({ suiGrade: '2025' }).where('suId', '=', cat!.suId).execute()
  })
  expect((await kinds(school)).slice(4).toSorted()).toEqual(
    [
      'transcript.issued',
      'transcript.revoked',
      'person.added',
      'student.onLeave',
      'student.returned',
      'student.transferred',
      'student.changeRevoked',
      'person.left',
      'student.withdrawn',
      'student.graduated',
      'person.added',
      'student.adjusted',
    ].toSorted(),
  )
})

test('no kind of event is without an act that tells it', () => expect([...seen].sort()).toEqual([...eventKinds].sort()))
