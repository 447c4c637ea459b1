import { beforeAll, describe, expect, test } from 'vitest'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { questionOutcome, questionStatus, questionType, taskStatus } from '../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { enforceApprovalDeadlines } from '../approvals/approval-deadlines.service.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { disputeWorld, type DisputeWorld } from '../../testing/disputes.ts'
import { enforceDisputeDeadlines } from './dispute-deadlines.service.ts'
import { asOwner } from '../../testing/database.ts'

let world: DisputeWorld
let people: { suId: string; suiName: string; suiNumber: string }[]
beforeAll(async () => {
  world = await disputeWorld()
  people = await world.students(12)
})
const person = (at: number) => people[at]!
const about = (liId: string, reporter: number, more: Partial<Parameters<DisputeWorld['asked']>[0]> = {}) => ({
  liId,
  qType: questionType.wrong,
  reporterSuId: person(reporter).suId,
  qContent: '认定的学时与实际不符',
  ...more,
})
const lettersOf = async (suId: string) =>
  (
    await world.school.ctx.db
      .selectFrom('informationReceiver as r')
      .innerJoin('information as i', (join) =>
        join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'),
      )
      .select(['i.iiTitle', 'i.iiContent'])
      .where('r.schoolId', '=', world.school.schoolId)
      .where('r.suId', '=', suId)
      .execute()
  ).map(({ iiTitle, iiContent }) => `${iiTitle} ${iiContent}`)

describe('asking', () => {
  test('only while the result is in public notice; later only for the school, and only for some days', async () => {
    const draft = (await world.teacher.client.send(lessonApi.save, world.form())).liId
    expect((await world.ask(world.leader, about(draft, 0))).reason).toBe('question-not-open')
    const liId = await world.noticed([person(0)])
    await world.endNotice(liId, 2)
    const late = await world.ask(world.leader, about(liId, 0))
    expect([late.reason, late.msg]).toEqual(['question-late', '公示已结束，30 天内的逾期申诉由校级管理员登记'])
    expect((await world.ask(world.a, about(liId, 0))).code).toBe(200)
    await world.endNotice(liId, 31)
    expect((await world.ask(world.a, about(liId, 1))).reason).toBe('question-too-late')
  })
  test('what was left out counts nothing so far, what is wrong counts something; the others need somebody or the whole course', async () => {
    const liId = await world.noticed([person(0), { suId: person(1).suId, result: '2' }])
    expect((await world.ask(world.leader, about(liId, 0, { qType: questionType.missing }))).reason).toBe(
      'question-not-missing',
    )
    expect((await world.ask(world.leader, about(liId, 1))).reason).toBe('question-not-wrong')
    expect((await world.ask(world.leader, about(liId, 2, { qType: questionType.falseAttendance }))).reason).toBe(
      'question-target-needed',
    )
    expect(
      (
        await world.ask(
          world.leader,
          about(liId, 2, { qType: questionType.falseAttendance, targetSuId: person(5).suId }),
        )
      ).reason,
    ).toBe('question-not-in-list')
    expect(
      (await world.ask(world.leader, about(liId, 2, { qType: questionType.falseAttendance, targetSuId: newId() })))
        .status,
    ).toBe(404)
    expect((await world.ask(world.leader, about(liId, 1, { qType: questionType.missing }))).code).toBe(200)
    expect((await world.ask(world.leader, about(liId, 2, { qType: questionType.missing }))).code).toBe(200)
    expect((await world.ask(world.leader, about(liId, 2, { qType: questionType.organiserBreach }))).code).toBe(200)
    expect((await world.ask(world.leader, about(liId, 3, { qContent: '短' }))).msg).toContain('不能少于 5 个字')
  })
  test('one open dispute a record, however many ask at once', async () => {
    const liId = await world.noticed([person(0)])
    const replies = await Promise.all(Array.from({ length: 6 }, () => world.ask(world.leader, about(liId, 0))))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(new Set(replies.filter(({ code }) => code !== 200).map(({ reason }) => reason))).toEqual(
      new Set(['question-open']),
    )
  })
  test('refused at once where nobody could decide it; the principal decides alone where the course says so', async () => {
    const other = await disputeWorld()
    const [student] = await other.students(1)
    await other.school.ctx.db.deleteFrom('workflow').where('schoolId', '=', other.school.schoolId).execute()
    const { makeFlow } = await import('../../testing/flows.ts')
    await makeFlow(other.school, [{ node: 'PUBLICITY', checkers: [other.teacher.suId] }])
    const liId = await other.noticed([student!])
    // the only one asked is the principal, who is concerned
    const reply = await other.ask(other.leader, {
      liId,
      qType: questionType.organiserBreach,
      reporterSuId: student!.suId,
      qContent: '组织者没有按时签到',
    })
    expect(reply.reason).toBe('workflow-no-checker')
    const free = await other.noticed([student!], { isQuestionedAudit: yesNo.no })
    const { qId } = await other.leader.client.send(disputeApi.add, {
      liId: free,
      qType: questionType.wrong,
      reporterSuId: student!.suId,
      qContent: '学时与实际不符',
    })
    await other.teacher.client.send(disputeApi.accept, { qIds: [qId] })
    expect(await other.stateOf(free)).toBe('61')
    expect((await other.leader.client.send(disputeApi.detail, { qId })).flows).toEqual([])
    expect(
      (await other.teacher.client.ask(disputeApi.decide, { qId, verdict: 'refuse', opinion: '经核实记录无误' })).code,
    ).toBe(200)
    expect(await other.questionOf(qId)).toMatchObject({ qStatus: questionStatus.rejected, opinion: '经核实记录无误' })
    expect(await other.stateOf(free)).toBe('60')
  })
})

describe('the way of a dispute', () => {
  test('where the flow asks nobody about disputes, whoever handles them decides', async () => {
    const other = await disputeWorld()
    const [student] = await other.students(1)
    await other.school.ctx.db
      .deleteFrom('workflowStep')
      .where('schoolId', '=', other.school.schoolId)
      .where('wfsNodeName', '=', 'PUBLICITY')
      .execute()
    const liId = await other.noticed([student!])
    const qId = await other.asked({
      liId,
      qType: questionType.wrong,
      reporterSuId: student!.suId,
      qContent: '学时与实际不符',
    })
    await other.leader.client.send(disputeApi.accept, { qIds: [qId] })
    expect(await other.questionOf(qId)).toMatchObject({ qStatus: questionStatus.inReview, flows: [] })
    await other.leader.client.send(disputeApi.decide, { qId, verdict: 'pass', opinion: '经核实确有出入' })
    expect((await other.questionOf(qId)).qStatus).toBe(questionStatus.upheld)
  })
  test('accepted it holds the course up, refused it lets it go; both sides are told, neither of the other', async () => {
    const liId = await world.noticed([person(0), person(1)])
    const qId = await world.asked(about(liId, 3, { qType: questionType.falseAttendance, targetSuId: person(1).suId }))
    expect(await world.stateOf(liId)).toBe('60')
    await world.endNotice(liId)
    await world.complete()
    expect(await world.stateOf(liId)).toBe('60')
    expect(
      (await world.a.client.ask(disputeApi.setQAward, { qId, qOutcome: questionOutcome.keep, opinion: '还没有认定' }))
        .reason,
    ).toBe('wrong-state')
    expect((await world.leader.client.send(disputeApi.accept, { qIds: [qId] })).affected).toBe(1)
    expect((await world.leader.client.ask(disputeApi.accept, { qIds: [qId] })).reason).toBe('wrong-state')
    expect(
      (await world.leader.client.ask(disputeApi.decide, { qId, verdict: 'pass', opinion: '由我来直接认定' })).reason,
    ).toBe('question-by-approval')
    expect(await world.stateOf(liId)).toBe('61')
    expect((await world.a.client.send(approvalApi.auditCount, {})).question).toBeGreaterThan(0)
    const taskId = (await world.taskFor(qId))!
    const shown = await world.a.client.send(disputeApi.case, { qId })
    expect([shown.task?.taskId, shown.question.targetName]).toEqual([taskId, person(1).suiName])
    expect(
      (await world.a.client.ask(approvalApi.questionRefuse, { taskIds: [taskId], opinion: '证据不足，维持结果' })).code,
    ).toBe(200)
    expect(await world.questionOf(qId)).toMatchObject({
      qStatus: questionStatus.rejected,
      opinion: '证据不足，维持结果',
    })
    expect(await world.stateOf(liId)).toBe('60')
    const [reporter, target] = [(await lettersOf(person(3).suId)).join(), (await lettersOf(person(1).suId)).join()]
    expect(reporter).toContain('您对')
    expect(target).toContain('有关您的质疑不成立')
    expect(target).not.toContain(person(3).suiName)
    await world.complete()
    expect(await world.stateOf(liId)).toBe('70')
  })
  test('two reviewers decide once; taking back brings the dispute back to its reviewers', async () => {
    const liId = await world.noticed([person(0)])
    const qId = await world.asked(about(liId, 0))
    await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
    const taskId = (await world.taskFor(qId))!
    const [pass, refuse] = await Promise.all([
      world.a.client.ask(approvalApi.questionPass, { taskIds: [taskId] }),
      world.a.client.ask(approvalApi.questionRefuse, { taskIds: [taskId], opinion: '证据不足，维持' }),
    ])
    expect([pass.code, refuse.code].toSorted()).toEqual([200, 300])
    expect((await world.questionOf(qId)).qStatus).toBe(
      pass.code === 200 ? questionStatus.upheld : questionStatus.rejected,
    )
    await world.a.client.send(approvalActionApi.takeBack, { taskIds: [taskId] })
    expect((await world.questionOf(qId)).qStatus).toBe(questionStatus.inReview)
    expect(await world.stateOf(liId)).toBe('61')
    await world.a.client.send(approvalApi.questionPass, { taskIds: [taskId] })
    await world.leader.client.send(disputeApi.setQAward, {
      qId,
      qOutcome: questionOutcome.keep,
      opinion: '维持原来的结果',
    })
    expect((await world.a.client.ask(approvalActionApi.takeBack, { taskIds: [taskId] })).reason).toBe('take-back-late')
  })
  test('withdrawn by whoever entered it, or by whoever took it up while nobody has decided', async () => {
    const liId = await world.noticed([person(0)])
    const early = await world.asked(about(liId, 0))
    expect((await world.teacher.client.ask(disputeApi.withdraw, { qId: early, opinion: '学生要求撤回' })).status).toBe(
      403,
    )
    await world.leader.client.send(disputeApi.withdraw, { qId: early, opinion: '学生要求撤回' })
    expect((await world.questionOf(early)).qStatus).toBe(questionStatus.withdrawn)
    const late = await world.asked(about(liId, 0))
    await world.leader.client.send(disputeApi.accept, { qIds: [late] })
    const [withdrawn, decided] = await Promise.all([
      world.leader.client.ask(disputeApi.withdraw, { qId: late, opinion: '学生要求撤回' }),
      world
        .taskFor(late)
        .then((taskId) => world.a.client.ask(approvalApi.questionPass, { taskIds: [taskId ?? newId()] })),
    ])
    expect([withdrawn.code === 200, decided.code === 200].filter(Boolean)).toHaveLength(1)
    expect((await world.questionOf(late)).qStatus).toBe(
      withdrawn.code === 200 ? questionStatus.withdrawn : questionStatus.upheld,
    )
  })
  test('turned down with a reason; several at once tell what came of each', async () => {
    const liId = await world.noticed([person(0), person(1)])
    const [one, two] = [await world.asked(about(liId, 0)), await world.asked(about(liId, 1))]
    expect((await world.leader.client.ask(disputeApi.decline, { qIds: [one], opinion: '不行' })).code).toBe(300)
    await world.leader.client.send(disputeApi.decline, { qIds: [one], opinion: '与公示名单无关' })
    const { affected, failed } = await world.leader.client.send(disputeApi.accept, { qIds: [one, two] })
    expect([affected, failed.map(({ id }) => id)]).toEqual([1, [one]])
    expect((await lettersOf(person(0).suId)).join()).toContain('不予受理')
  })
  test('nobody handles what concerns themselves', async () => {
    const liId = await world.noticed([person(0)])
    const own = await world.leader.client.send(disputeApi.add, {
      liId,
      qType: questionType.other,
      reporterSuId: world.leader.suId,
      qContent: '场地安排与通知不符',
    })
    expect((await world.leader.client.ask(disputeApi.accept, { qIds: [own.qId] })).reason).toBe('question-concerned')
    const organiser = await world.asked(about(liId, 2, { qType: questionType.organiserBreach }))
    expect((await world.teacher.client.ask(disputeApi.accept, { qIds: [organiser] })).reason).toBe('question-concerned')
    await world.a.client.send(disputeApi.accept, { qIds: [organiser] })
    // whoever takes a dispute up does not make it their own matter: they may be asked to decide it
    const taskId = (await world.taskFor(organiser))!
    expect((await world.a.client.ask(approvalActionApi.transfer, { taskId, toSuId: world.leader.suId })).code).toBe(200)
    const back = (await world.taskFor(organiser, world.leader))!
    await world.school.ctx.db
      .updateTable('role')
      .set((set) => ({ permits: set.fn<never>('array_append', ['permits', set.val('approval:question')]) }))
      .where('schoolId', '=', world.school.schoolId)
      .where('srCode', '=', 'GUIDE_TEACHER')
      .execute()
    expect(
      (await world.leader.client.ask(approvalActionApi.transfer, { taskId: back, toSuId: world.teacher.suId })).reason,
    ).toBe('person-concerned')
  })
  test('nor do they stand in for somebody who does', async () => {
    const liId = await world.noticed([person(0)])
    const organiser = await world.asked(about(liId, 2, { qType: questionType.organiserBreach }))
    await world.leader.client.send(disputeApi.accept, { qIds: [organiser] })
    await world.school.ctx.db
      .insertInto('approvalDelegation')
      .values({
        schoolId: world.school.schoolId,
        dgId: newId(),
        suId: world.a.suId,
        agentId: world.teacher.suId,
        startTime: addDays(world.school.clock.now(), -1),
        endTime: addDays(world.school.clock.now(), 1),
      })
      .execute()
    const enforce = () => enforceApprovalDeadlines(world.school.services, {}, world.school.schoolId)
    await enforce()
    // what the deputy may not take over is not looked at again every minute
    expect(await enforce()).toBe(0)
    const others = await world.asked(about(liId, 0))
    await world.leader.client.send(disputeApi.accept, { qIds: [others] })
    const { db } = world.school.ctx
    const askedFor = async (qId: string) =>
      (
        await db
          .selectFrom('approvalTask as t')
          .innerJoin('approval as a', (join) =>
            join.onRef('a.schoolId', '=', 't.schoolId').onRef('a.insId', '=', 't.insId'),
          )
          .select('t.checkerId')
          .where('a.schoolId', '=', world.school.schoolId)
          .where('a.bizId', '=', qId)
          .where('t.taskStatus', '=', taskStatus.pending)
          .execute()
      ).map(({ checkerId }) => checkerId)
    expect([await askedFor(organiser), await askedFor(others)]).toEqual([[world.a.suId], [world.teacher.suId]])
    await asOwner((db) => db.deleteFrom('approvalDelegation').where('schoolId', '=', world.school.schoolId).execute())
  })
  test('not taken up in time: marked once, and the administrators are told', async () => {
    const { school } = world
    const liId = await world.noticed([person(0)])
    const qId = await world.asked(about(liId, 0))
    await school.ctx.db
      .updateTable('question')
      .set({ deadline: '2026-01-01 00:00:00' })
      .where('schoolId', '=', school.schoolId)
      .where('qId', '=', qId)
      .execute()
    const counts = await Promise.all([1, 2, 3].map(() => enforceDisputeDeadlines(school.services, school.schoolId)))
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(1)
    expect(await world.questionOf(qId)).toMatchObject({ qStatus: questionStatus.overdue, overdue: true })
    expect(
      (await school.admin.send(messageApi.inbox, { pageSize: 50 })).records.filter(({ iiTitle }) =>
        iiTitle.includes('超过受理时限'),
      ),
    ).toHaveLength(1)
    expect((await world.leader.client.ask(disputeApi.accept, { qIds: [qId] })).code).toBe(200)
  })
})

describe('protection of the reporter', () => {
  test('no list, page, export or trail names them; who may look does so with a reason, on record', async () => {
    const liId = await world.noticed([person(0)])
    const secret = person(9)
    const qId = await world.asked(about(liId, 9, { qType: questionType.falseAttendance, targetSuId: person(0).suId }))
    await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
    for (const client of [world.school.admin, world.leader.client, world.teacher.client, world.a.client]) {
      const shown = JSON.stringify([
        await client.send(disputeApi.list, { liId }),
        await client.send(disputeApi.detail, { qId }),
        await client.send(disputeApi.case, { qId }),
      ])
      for (const trace of [secret.suiName, secret.suiNumber, secret.suId]) expect(shown).not.toContain(trace)
    }
    const trail = JSON.stringify(await world.school.admin.send(auditApi.timeline, { bizType: 'question', bizId: qId }))
    for (const trace of [secret.suiName, secret.suiNumber, secret.suId]) expect(trail).not.toContain(trace)
    expect((await world.teacher.client.ask(disputeApi.reporter, { qId, reason: '想知道是谁' })).status).toBe(403)
    expect((await world.leader.client.ask(disputeApi.reporter, { qId, reason: '短' })).code).toBe(300)
    expect(await world.leader.client.send(disputeApi.reporter, { qId, reason: '联系质疑人补充材料' })).toMatchObject({
      suiName: secret.suiName,
      suiNumber: secret.suiNumber,
    })
    const rows = await world.school.ctx.db
      .selectFrom('auditLog')
      .selectAll()
      .where('schoolId', '=', world.school.schoolId)
      .where('bizId', '=', qId)
      .where('action', '=', '查看质疑人')
      .execute()
    expect(rows.map(({ reason, actorId }) => [reason, actorId])).toEqual([['联系质疑人补充材料', world.leader.suId]])
  })
  test('another college sees nothing of it', async () => {
    const liId = await world.noticed([person(0)])
    const qId = await world.asked(about(liId, 0))
    const scId = await world.school.college()
    const stranger = await world.school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], {
      suiCollegeId: scId,
    })
    expect((await stranger.client.send(disputeApi.list, {})).total).toBe(0)
    expect((await stranger.client.send(disputeApi.lessons, {})).total).toBe(0)
    for (const call of [disputeApi.detail, disputeApi.case] as const)
      expect((await stranger.client.ask(call, { qId })).status).toBe(404)
    expect((await stranger.client.ask(disputeApi.accept, { qIds: [qId] })).status).toBe(404)
    expect((await world.ask(stranger, about(liId, 1, { qType: questionType.missing }))).status).toBe(404)
  })
})

test('courses with disputes, with how far they are', async () => {
  const liId = await world.noticed([person(0), person(1)])
  const waiting = await world.asked(about(liId, 0))
  const refused = await world.asked(about(liId, 1))
  await world.leader.client.send(disputeApi.decline, { qIds: [refused], opinion: '与公示名单无关' })
  const { liName } = await world.school.admin.send(lessonApi.details, { liId })
  expect((await world.leader.client.send(disputeApi.lessons, { liName })).records).toMatchObject([
    { liId, total: 2, waiting: 1, approving: 0, refused: 1 },
  ])
  expect((await world.leader.client.send(disputeApi.lessons, { liName, state: 'done' })).total).toBe(0)
  await world.leader.client.send(disputeApi.withdraw, { qId: waiting, opinion: '学生要求撤回' })
  expect((await world.leader.client.send(disputeApi.lessons, { liName, state: 'done' })).total).toBe(1)
})
