import { beforeAll, describe, expect, test } from 'vitest'
import type { Input } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  partakeMode,
  publictyStatus,
  questionOutcome,
  questionStatus,
  questionType,
  resultStatus,
  supplementStatus,
} from '../../../contract/core/codes/programme.ts'
import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { disputedSupplements, type DisputedSupplements } from '../../testing/disputed-supplements.ts'

let world: DisputedSupplements
let people: { suId: string; suiName: string; suiNumber: string }[]
let next = 0
/** A student nobody else in these tests has to do with. */
const someone = () => people[next++]!
beforeAll(async () => {
  world = await disputedSupplements()
  people = await world.students(24)
})

const about = (lisId: string, reporterSuId: string, more: Partial<Input<typeof disputeApi.add>> = {}) => ({
  lisId,
  qType: questionType.wrong,
  reporterSuId,
  qContent: '证书的级别与公示的不符',
  ...more,
})
const corrected = {
  qOutcome: questionOutcome.correct,
  lisLevel: '2',
  lisPartakeMode: partakeMode.teamMember,
} as const

describe('asking about a supplement record', () => {
  test('either a course or a record is named, and of a record its student is meant', async () => {
    const [owner, other] = [someone(), someone()]
    const lisId = await world.inNotice(owner.suId)
    const { lisId: _, ...neither } = about(lisId, other.suId)
    expect(await world.leader.client.ask(disputeApi.add, neither)).toMatchObject({
      code: 300,
      msg: '请选择课程或补录记录',
    })
    expect((await world.leader.client.ask(disputeApi.add, { ...about(lisId, other.suId), liId: lisId })).msg).toBe(
      '课程与补录记录只能选择一项',
    )
    expect((await world.ask(about(lisId, other.suId, { targetSuId: other.suId }))).reason).toBe('question-not-whose')
    expect((await world.ask(about(lisId, other.suId, { qType: questionType.missing }))).msg).toBe(
      `${owner.suiName} 在该补录已计学时，如有出入请选择“记错”`,
    )
    expect((await world.ask(about(lisId, other.suId, { qType: questionType.organiserBreach }))).reason).toBe(
      'question-no-organiser',
    )
    const qId = await world.asked(about(lisId, other.suId))
    expect(await world.questionOf(qId)).toMatchObject({
      liId: null,
      liName: '',
      lisId,
      lisStatus: supplementStatus.inNotice,
      targetSuId: owner.suId,
      targetName: owner.suiName,
      qStatus: questionStatus.pending,
      nowResult: expect.stringContaining('3 学时'),
    })
    expect((await world.ask(about(lisId, owner.suId, { qType: questionType.other }))).reason).toBe('question-open')
    expect(await world.school.admin.send(supplementApi.detail, { lisId })).toMatchObject({ questionCount: 1 })
  })
  test('only while it is in public notice; later only for the school, and only for some days', async () => {
    const student = someone()
    const lisId = await world.approved(student.suId)
    const early = await world.ask(about(lisId, student.suId))
    expect([early.reason, early.msg]).toEqual(['question-not-open', '该补录不在公示期内，不能登记质疑'])
    const done = await world.credited(student.suId)
    expect((await world.ask(about(done, student.suId))).reason).toBe('question-late')
    const { qId } = await world.school.admin.send(disputeApi.add, about(done, student.suId))
    await world.school.admin.send(disputeApi.withdraw, { qId, opinion: '学生要求撤回' })
    await world.endNotice(done, 31)
    expect((await world.school.admin.ask(disputeApi.add, about(done, student.suId))).reason).toBe('question-too-late')
  })
  test('of several at once one is taken', async () => {
    const [owner, other] = [someone(), someone()]
    const lisId = await world.inNotice(owner.suId)
    const replies = await Promise.all([1, 2, 3, 4].map(() => world.ask(about(lisId, other.suId))))
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 300, 300, 300])
  })
})

describe('while it is open', () => {
  test('the notice does not end and nothing is credited; both are told, and the record says it is questioned', async () => {
    const [owner, other] = [someone(), someone()]
    const lisId = await world.inNotice(owner.suId)
    const qId = await world.asked(about(lisId, other.suId))
    await world.endNotice(lisId)
    await world.complete()
    // waiting to be accepted it holds the credit up, and marks nobody
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.running])
    await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.questioned])
    await world.complete()
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.questioned])
    expect(await world.ledger(lisId)).toEqual([])
    const letters = [...(await world.lettersOf(owner.suId)), ...(await world.lettersOf(world.secretary.suId))]
    expect(letters.filter((text) => text.includes('正在处理质疑'))).toHaveLength(2)
    expect(letters.join()).not.toContain(other.suiName)
    const { gates } = await world.school.admin.send(supplementApi.detail, { lisId })
    expect(gates.find(({ name }) => name === '公示')!.note).toContain('质疑处理中，处理完毕后入账')
    // neither a new period nor deleting gets around it
    expect((await world.school.admin.ask(supplementApi.remove, { lisId: [lisId], delFlag: yesNo.yes })).reason).toBe(
      'sup-questioned',
    )
    await world.renew(lisId)
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.questioned])
    await world.refute(qId)
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.running])
    expect((await world.lettersOf(other.suId)).join()).toContain('不成立')
    expect((await world.lettersOf(owner.suId)).join()).toContain('有关您的质疑不成立')
    expect((await world.lettersOf(world.secretary.suId)).join()).toContain('质疑不成立')
    await world.endNotice(lisId)
    await world.complete()
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.credited, publictyStatus.ended])
    const { records } = await world.school.admin.send(auditApi.timeline, { bizType: 'supplement', bizId: lisId })
    expect(records.map(({ action }) => action)).toEqual(expect.arrayContaining(['开始处理质疑', '质疑处理完毕']))
  })
  test('taken out of notice the question stays open, and the next notice begins questioned', async () => {
    const owner = someone()
    const lisId = await world.inNotice(owner.suId)
    const qId = await world.asked(about(lisId, owner.suId))
    await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
    await world.auditor.client.send(supplementApi.publicise, { lisId, delFlag: yesNo.yes, reason: '公示内容有误' })
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.passed, publictyStatus.revoked])
    await world.renew(lisId)
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.questioned])
    await world.leader.client.send(disputeApi.withdraw, { qId, opinion: '学生要求撤回' })
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.running])
  })
})

describe('who decides', () => {
  test('the notice stage of the version that the record was approved by, and nobody whom it concerns', async () => {
    const own = await disputedSupplements()
    const [owner, other] = (await own.students(2)) as [(typeof people)[0], (typeof people)[0]]
    const lisId = await own.inNotice(owner.suId)
    await own.decideBy(own.leader)
    const younger = await own.inNotice(other.suId)
    const old = await own.asked(about(lisId, other.suId))
    const recent = await own.asked(about(younger, owner.suId))
    await own.leader.client.send(disputeApi.accept, { qIds: [old, recent] })
    expect([Boolean(await own.taskFor(old, own.auditor)), Boolean(await own.taskFor(old, own.leader))]).toEqual([
      true,
      false,
    ])
    expect([Boolean(await own.taskFor(recent, own.auditor)), Boolean(await own.taskFor(recent, own.leader))]).toEqual([
      false,
      true,
    ])
    const queued = (await own.auditor.client.send(approvalApi.questionQueue, {})).records.find(
      ({ bizId }) => bizId === old,
    )
    expect(queued).toMatchObject({ liId: '', lisId, lisName: expect.stringContaining('证书'), summary: '针对一条补录' })
    const shown = await own.auditor.client.send(disputeApi.case, { qId: old })
    expect([shown.question.lisId, shown.task !== null]).toEqual([lisId, true])
    expect(
      (await own.leader.client.ask(disputeApi.decide, { qId: old, verdict: 'pass', opinion: '由我来直接认定' })).msg,
    ).toBe('该补录的质疑由审批人在“质疑举报审批”中决定')
  })
  test('without a stage whoever handles questions about that student; not whoever entered a record called false', async () => {
    const own = await disputedSupplements({ stage: false })
    const [owner, other] = (await own.students(2)) as [(typeof people)[0], (typeof people)[0]]
    const lisId = await own.inNotice(owner.suId)
    const qId = await own.asked(about(lisId, other.suId))
    await own.leader.client.send(disputeApi.accept, { qIds: [qId] })
    expect(await own.questionOf(qId)).toMatchObject({ qStatus: questionStatus.inReview, flows: [] })
    await own.leader.client.send(disputeApi.decide, { qId, verdict: 'pass', opinion: '经核实确有出入' })
    expect((await own.questionOf(qId)).qStatus).toBe(questionStatus.upheld)
    expect((await own.leader.client.ask(disputeApi.abnormal, { qId, opinion: '组织方弄虚作假' })).status).toBe(403)
    expect((await own.school.admin.ask(disputeApi.abnormal, { qId, opinion: '组织方弄虚作假' })).reason).toBe(
      'wrong-state',
    )
    const entered = await own.enteredByLeader(other.suId)
    const feigned = await own.asked(about(entered, owner.suId, { qType: questionType.falseAttendance }))
    expect((await own.leader.client.ask(disputeApi.accept, { qIds: [feigned] })).reason).toBe('question-concerned')
    expect((await own.auditor.client.ask(disputeApi.accept, { qIds: [feigned] })).code).toBe(200)
  })
  test('a decision is taken back as that about a course is', async () => {
    const owner = someone()
    const lisId = await world.inNotice(owner.suId)
    const qId = await world.asked(about(lisId, owner.suId))
    await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
    const taskId = (await world.taskFor(qId, world.auditor))!
    await world.auditor.client.send(approvalApi.questionRefuse, { taskIds: [taskId], opinion: '与证书原件相符' })
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.running])
    await world.auditor.client.send(approvalActionApi.takeBack, { taskIds: [taskId] })
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.questioned])
    expect((await world.questionOf(qId)).qStatus).toBe(questionStatus.inReview)
  })
  test('another college sees nothing of it', async () => {
    const owner = someone()
    const lisId = await world.inNotice(owner.suId)
    const qId = await world.asked(about(lisId, owner.suId))
    const scId = await world.school.college()
    const stranger = await world.school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], {
      suiCollegeId: scId,
    })
    expect((await stranger.client.send(disputeApi.list, {})).total).toBe(0)
    expect((await stranger.client.send(disputeApi.lessons, {})).total).toBe(0)
    expect((await stranger.client.ask(disputeApi.detail, { qId })).status).toBe(404)
    expect((await stranger.client.ask(disputeApi.accept, { qIds: [qId] })).status).toBe(404)
    expect((await stranger.client.ask(disputeApi.add, about(lisId, owner.suId))).status).toBe(404)
  })
})

describe('settled before the credit', () => {
  test('upheld: the record leaves the notice, refused with the reason, and may be put anew', async () => {
    const [owner, other] = [someone(), someone()]
    const lisId = await world.inNotice(owner.suId)
    const qId = await world.upheld(about(lisId, other.suId, { qType: questionType.falseAttendance }))
    expect(
      (await world.settle(qId, { ...corrected, lisLevel: undefined, laResult: resultStatus.passed })).msg,
    ).toContain('请选择更正后的级别')
    expect(
      (await world.settle(qId, { qOutcome: questionOutcome.remove, credibility: 5, opinion: '证书系伪造' })).data,
    ).toMatchObject({ before: expect.stringContaining('3 学时'), after: '已驳回', creditDelta: '0' })
    expect(await world.school.admin.send(supplementApi.detail, { lisId })).toMatchObject({
      lisStatus: supplementStatus.refused,
      lisPublictyStatus: publictyStatus.revoked,
      lisPublictySdate: null,
      refuseReason: '质疑成立：证书系伪造',
      questionCount: 1,
    })
    expect((await world.school.admin.send(studentApi.detail, { id: owner.suId })).suiCredibility).toBe(95)
    expect((await world.lettersOf(owner.suId)).join()).toContain('在公示中被驳回')
    expect((await world.lettersOf(world.secretary.suId)).join()).toContain('质疑成立：证书系伪造')
    await world.complete()
    expect(await world.ledger(lisId)).toEqual([])
    expect((await world.settle(qId, { qOutcome: questionOutcome.keep })).reason).toBe('wrong-state')
    await world.secretary.client.send(supplementApi.submit, { lisId: [lisId] })
    expect(await world.statusOf(lisId)).toBe(supplementStatus.inReview)
  })
  test('partly: the record stays in notice as it is corrected, and is credited so', async () => {
    const owner = someone()
    const lisId = await world.inNotice(owner.suId)
    const qId = await world.upheld(about(lisId, owner.suId))
    expect((await world.settle(qId, corrected)).data).toMatchObject({
      before: expect.stringContaining('3 学时'),
      after: expect.stringContaining('1.5 学时'),
      creditDelta: '0',
    })
    expect(await world.noticeOf(lisId)).toEqual([supplementStatus.inNotice, publictyStatus.running])
    await world.endNotice(lisId)
    await world.complete()
    expect(await world.hours(lisId)).toBe(150)
  })
})

describe('settled after the credit', () => {
  test('what was credited is reversed and granted anew, the transcript tells that it was questioned', async () => {
    const owner = someone()
    const lisId = await world.credited(owner.suId)
    const qId = await world.upheld(about(lisId, owner.suId), world.school.admin)
    const row = async () =>
      (await world.school.admin.send(transcriptApi.rows, { suId: owner.suId })).records.find(
        (one) => one.lisId === lisId,
      )!
    expect((await row()).status).toBe(recordStatus.disputed)
    const replies = await Promise.all(Array.from({ length: 4 }, () => world.settle(qId, corrected)))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.find(({ code }) => code === 200)!.data).toMatchObject({ creditDelta: '-1.5' })
    expect(await row()).toMatchObject({ status: recordStatus.valid, hours: '1.5' })
    expect((await world.ledger(lisId)).map(({ source }) => source)).toEqual(
      expect.arrayContaining(['SUP', 'REVERSE', 'ADJUST']),
    )
    expect(await world.questionOf(qId)).toMatchObject({ creditDelta: '-1.5', qOutcome: questionOutcome.correct })
  })
  test('taken out: reversed and deleted, for good', async () => {
    const owner = someone()
    const lisId = await world.credited(owner.suId)
    const qId = await world.upheld(about(lisId, owner.suId), world.school.admin)
    expect((await world.settle(qId, { qOutcome: questionOutcome.remove })).data).toMatchObject({
      after: '已冲正并删除',
      creditDelta: '-3',
    })
    expect(await world.hours(lisId)).toBe(0)
    expect(await world.statusOf(lisId)).toBe(supplementStatus.deleted)
    expect((await world.school.admin.ask(supplementApi.remove, { lisId: [lisId], delFlag: yesNo.no })).reason).toBe(
      'sup-not-restorable',
    )
    expect((await world.questionOf(qId)).nowResult).toBe('已冲正并删除')
  })
  test('kept: nothing moves', async () => {
    const owner = someone()
    const lisId = await world.credited(owner.suId)
    const qId = await world.upheld(about(lisId, owner.suId), world.school.admin)
    const before = await world.ledger(lisId)
    expect((await world.settle(qId, { qOutcome: questionOutcome.keep })).code).toBe(200)
    expect(await world.ledger(lisId)).toEqual(before)
  })
})

test('the lists tell courses from records, by kind, name and record', async () => {
  const owner = someone()
  const lisId = await world.inNotice(owner.suId)
  const qId = await world.asked(about(lisId, owner.suId))
  const { lisName } = await world.school.admin.send(supplementApi.detail, { lisId })
  const found = (input: Input<typeof disputeApi.list>) =>
    world.leader.client.send(disputeApi.list, input).then(({ records }) => records.map((row) => row.qId))
  expect(await found({ lisId })).toEqual([qId])
  expect(await found({ lisName })).toEqual([qId])
  expect(await found({ kind: 'supplement', targetName: owner.suiNumber })).toEqual([qId])
  expect(await found({ kind: 'lesson' })).toEqual([])
  const { records } = await world.leader.client.send(disputeApi.lessons, { kind: 'supplement', lisName })
  expect(records).toMatchObject([
    { liId: null, lisId, lisName, suiName: owner.suiName, liPrincipalName: '', total: 1, waiting: 1 },
  ])
  expect((await world.leader.client.send(disputeApi.lessons, { kind: 'lesson' })).total).toBe(0)
  const csv = await world.leader.client.download(disputeApi.export, { lisId })
  expect(csv.bytes.length).toBeGreaterThan(1000)
})

test('not accepted in time: marked, and the administrators are told of the record by its name', async () => {
  const owner = someone()
  const lisId = await world.inNotice(owner.suId)
  const qId = await world.asked(about(lisId, owner.suId))
  await world.overdue(qId)
  expect((await world.questionOf(qId)).qStatus).toBe(questionStatus.overdue)
  const { lisName } = await world.school.admin.send(supplementApi.detail, { lisId })
  expect((await world.lettersOf(world.school.adminId)).join()).toContain(`《${lisName}》`)
})

describe('the public list of records in notice', () => {
  test('masked, found by a whole number, open while the notice lasts; who looked stands in the trail once a day', async () => {
    const own = await disputedSupplements()
    const [owner, other] = (await own.students(2)) as [(typeof people)[0], (typeof people)[0]]
    const lisId = await own.inNotice(owner.suId)
    await own.inNotice(other.suId)
    const list = (input: Input<typeof supplementApi.publictyList> = {}) =>
      own.leader.client.send(supplementApi.publictyList, input)
    const { records, total } = await list()
    expect(total).toBe(2)
    const text = JSON.stringify(records)
    for (const { suiName, suiNumber } of [owner, other])
      for (const whole of [suiName, suiNumber]) expect(text).not.toContain(whole)
    expect(records.find((row) => row.lisId === lisId)).toMatchObject({
      suiNumber: expect.stringMatching(/^\*+.{4}$/),
      hours: '3',
      lisPublictyStatus: publictyStatus.running,
    })
    expect((await list({ suiNumber: owner.suiNumber })).records.map((row) => row.lisId)).toEqual([lisId])
    expect((await list({ suiNumber: owner.suiNumber.slice(1) })).total, 'a part of a number finds nobody').toBe(0)
    expect((await list({ lisId })).total).toBe(1)
    const looked = await own.school.ctx.db
      .selectFrom('auditLog')
      .select(['bizName', 'bizId'])
      .where('schoolId', '=', own.school.schoolId)
      .where('action', '=', '查看公示名单')
      .where('actorId', '=', own.leader.suId)
      .execute()
    expect(looked.map(({ bizId }) => bizId).toSorted()).toEqual(['', lisId])
    // not yet begun, and over
    await own.setNotice(lisId, { lisPublictySdate: addDays(own.school.clock.now(), 1) })
    expect((await list()).total).toBe(1)
    expect((await own.leader.client.ask(supplementApi.publictyList, { lisId })).reason).toBe('not-in-notice')
    await own.setNotice(lisId, { lisPublictySdate: addDays(own.school.clock.now(), -3) })
    await own.endNotice(lisId)
    await own.complete()
    expect((await list({ suiNumber: owner.suiNumber })).total).toBe(0)
    expect((await own.leader.client.ask(supplementApi.publictyList, { lisId })).reason).toBe('not-in-notice')
    // another college
    const scId = await own.school.college()
    const stranger = await own.school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], {
      suiCollegeId: scId,
    })
    expect((await stranger.client.send(supplementApi.publictyList, {})).total).toBe(0)
  })
})
