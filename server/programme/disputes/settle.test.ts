import { beforeAll, describe, expect, test } from 'vitest'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  credibilityReason,
  creditType,
  publictyStatus,
  questionOutcome,
  questionStatus,
  questionType,
  resultStatus,
  signStatus,
} from '../../../contract/core/codes/programme.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { addDays, dayEnd, dayOf, dayStart } from '../../core/base/clock.ts'
import { countersOf } from '../../testing/lessons.ts'
import { messageTitles } from '../../testing/participants.ts'
import { disputeWorld, type DisputeWorld } from '../../testing/disputes.ts'

let world: DisputeWorld
let people: { suId: string; suiName: string; suiNumber: string }[]
beforeAll(async () => {
  world = await disputeWorld()
  people = await world.students(19)
})
let next = 0
/** A student nobody else in these tests has to do with. */
const someone = () => people[next++]!
const wrong = (liId: string, suId: string) => ({
  liId,
  qType: questionType.wrong,
  reporterSuId: suId,
  qContent: '认定的学时与实际不符',
})
const settle = (qId: string, more: object) =>
  world.leader.client.ask(disputeApi.setQAward, {
    qId,
    opinion: '经核实予以处理',
    qOutcome: questionOutcome.correct,
    ...more,
  } as never)
const sums = async (suId: string) => {
  const rows = await world.entries(suId)
  return Object.fromEntries(
    [creditType.hours, creditType.credit, creditType.points].map((clType) => [
      clType,
      rows.filter((row) => row.clType === clType).reduce((sum, { clValue }) => sum + clValue, 0),
    ]),
  )
}

describe('before the course is completed', () => {
  test('the result is corrected, the notice shows it, and the course is credited as it is then', async () => {
    const student = someone()
    const liId = await world.noticed([student])
    const qId = await world.upheld(wrong(liId, student.suId))
    await world.endNotice(liId)
    await world.complete()
    expect(await world.stateOf(liId)).toBe('61')
    expect((await settle(qId, {})).msg).toContain('请选择更正后的结果')
    expect((await settle(qId, { laResult: resultStatus.awarded })).msg).toContain('请选择奖项')
    const { data } = await settle(qId, { laResult: resultStatus.awarded, adId: world.awards.first })
    expect(data).toMatchObject({ before: '合格，2 学时', after: '获奖（一等奖），3 学时', creditDelta: '0' })
    expect(await world.stateOf(liId)).toBe('60')
    expect(await world.entries(student.suId)).toEqual([])
    const { records } = await world.leader.client.send(lessonApi.publictyList, { liId })
    expect(records).toMatchObject([{ awardName: '一等奖', hours: '3' }])
    await world.complete()
    expect(await world.hours(student.suId)).toBe(300)
    expect((await settle(qId, { laResult: resultStatus.passed })).reason).toBe('wrong-state')
  })
  test('one who was left out is entered, with their attendance made good; one taken out is gone from the notice', async () => {
    const [left, other] = [someone(), someone()]
    const liId = await world.noticed([other])
    const missing = await world.upheld({
      liId,
      qType: questionType.missing,
      reporterSuId: left.suId,
      qContent: '本人参加了活动但不在名单中',
    })
    expect((await settle(missing, { laResult: resultStatus.passed })).data).toMatchObject({
      before: '不在名单中',
      after: '合格，2 学时',
    })
    const feigned = await world.upheld({
      liId,
      qType: questionType.falseAttendance,
      reporterSuId: left.suId,
      targetSuId: other.suId,
      qContent: '该同学没有到场，由他人代签',
    })
    expect((await settle(feigned, { qOutcome: questionOutcome.remove, credibility: 5 })).code).toBe(200)
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
    expect((await world.leader.client.send(lessonApi.publictyList, { liId })).records).toHaveLength(1)
    expect((await world.school.admin.send(studentApi.detail, { id: other.suId })).suiCredibility).toBe(95)
    expect(await world.questionOf(feigned)).toMatchObject({
      qOutcome: questionOutcome.remove,
      credibilityDelta: -5,
      beforeResult: '合格，2 学时',
      afterResult: '被移除',
    })
    await world.completed(liId)
    expect([await world.hours(left.suId), await world.hours(other.suId)]).toEqual([200, 0])
  })
})

describe('what had been credited', () => {
  test('is reversed and granted anew, once, however many settle at once; and again at the next dispute', async () => {
    const student = someone()
    const liId = await world.noticed([student])
    await world.completed(liId)
    expect(await sums(student.suId)).toEqual({ '1': 200, '2': 20, '3': 80 })
    const qId = await world.school.admin.send(disputeApi.add, wrong(liId, student.suId)).then(({ qId: made }) => made)
    await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
    await world.a.client.send(approvalApi.questionPass, { taskIds: [(await world.taskFor(qId))!] })
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => settle(qId, { laResult: resultStatus.awarded, adId: world.awards.first })),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.find(({ code }) => code === 200)!.data).toMatchObject({ creditDelta: '1' })
    expect(await sums(student.suId)).toEqual({ '1': 300, '2': 30, '3': 130 })
    const rows = (await world.entries(student.suId)).filter(({ clType }) => clType === creditType.hours)
    expect(rows.map(({ source, clValue }) => [source, clValue])).toEqual(
      expect.arrayContaining([
        ['LESSON', 200],
        ['REVERSE', -200],
        ['ADJUST', 300],
      ]),
    )
    expect(rows).toHaveLength(3)
    for (const outcome of [
      { laResult: resultStatus.passed },
      { laResult: resultStatus.failed },
      { laResult: resultStatus.passed },
    ] as const) {
      await world.school.ctx.db
        .updateTable('question')
        .set({ qOutcome: null })
        .where('schoolId', '=', world.school.schoolId)
        .where('qId', '=', qId)
        .execute()
      expect((await settle(qId, outcome)).code).toBe(200)
    }
    expect(await sums(student.suId)).toEqual({ '1': 200, '2': 20, '3': 80 })
    const { records } = await world.school.admin.send(transcriptApi.rows, { suId: student.suId })
    expect(records).toMatchObject([{ hours: '2', status: '1' }])
    expect(JSON.stringify(rows.map(({ explain }) => explain))).toContain('质疑成立，冲正')
  })
  test('of a group of which the best counts, the next best counts when the best is taken back', async () => {
    const student = someone()
    const { db } = world.school.ctx
    await db
      .updateTable('evaluation')
      .set({ bestOnlyGroup: '同一竞赛' })
      .where('schoolId', '=', world.school.schoolId)
      .where('esId', '=', world.esId)
      .execute()
    const best = await world.noticed([{ ...student, result: '3', adId: world.awards.first }])
    const lesser = await world.noticed([student])
    await world.completed(best)
    await world.completed(lesser)
    expect([await world.hours(student.suId, best), await world.hours(student.suId, lesser)]).toEqual([300, 0])
    const qId = await lateUpheld(wrong(best, student.suId))
    await settle(qId, { qOutcome: questionOutcome.remove })
    expect([await world.hours(student.suId, best), await world.hours(student.suId, lesser)]).toEqual([0, 200])
    expect((await sums(student.suId))['2']).toBe(20)
    await db
      .updateTable('evaluation')
      .set({ bestOnlyGroup: '' })
      .where('schoolId', '=', world.school.schoolId)
      .where('esId', '=', world.esId)
      .execute()
  })
  test('who is found to have been there gets back what their absence took, once, where the school wants that', async () => {
    const [present, absent, other] = [someone(), someone(), someone()]
    const liId = await world.noticed([present, { ...absent, absent: true }, { ...other, absent: true }])
    await world.completed(liId)
    const credibility = async ({ suId }: { suId: string }) =>
      (await world.school.admin.send(studentApi.detail, { id: suId })).suiCredibility
    expect([await credibility(present), await credibility(absent)]).toEqual([100, 99])
    const qId = await lateUpheld({
      liId,
      qType: questionType.missing,
      reporterSuId: absent.suId,
      qContent: '本人到场参加，签到时设备故障',
    })
    expect((await settle(qId, { laResult: resultStatus.passed })).data).toMatchObject({
      after: '合格，2 学时',
      creditDelta: '2',
    })
    expect(await credibility(absent)).toBe(100)
    expect((await world.questionOf(qId)).credibilityDelta).toBe(1)
    const again = await lateUpheld(wrong(liId, absent.suId))
    await settle(again, { laResult: resultStatus.failed })
    await settle(
      await lateUpheld({
        liId,
        qType: questionType.missing,
        reporterSuId: absent.suId,
        qContent: '本人到场参加，签到时设备故障',
      }),
      { laResult: resultStatus.passed },
    )
    const log = await world.school.ctx.db
      .selectFrom('credibilityLog')
      .select(['reasonCode', 'change'])
      .where('schoolId', '=', world.school.schoolId)
      .where('suId', '=', absent.suId)
      .orderBy('change')
      .execute()
    expect(log).toEqual([
      { reasonCode: credibilityReason.absence, change: -1 },
      { reasonCode: credibilityReason.restored, change: 1 },
    ])
    await world.school.rules({ restoreOnSign: '0' })
    await settle(
      await lateUpheld({
        liId,
        qType: questionType.missing,
        reporterSuId: other.suId,
        qContent: '本人到场参加，签到时设备故障',
      }),
      { laResult: resultStatus.passed },
    )
    expect(await credibility(other)).toBe(99)
    await world.school.rules({ restoreOnSign: '1' })
  })
  test.each([
    ['before it is credited', false],
    ['once it is credited', true],
  ])(
    'who is found to have stayed to the end may be given the result, %s, and lost nothing by it',
    async (_, isDone) => {
      const student = someone()
      const liId = await world.noticed([{ ...student, result: resultStatus.failed }])
      await world.school.ctx.db
        .updateTable('registration')
        .set({ laSignStatus: signStatus.leftEarly })
        .where('schoolId', '=', world.school.schoolId)
        .where('liId', '=', liId)
        .execute()
      const missing = {
        liId,
        qType: questionType.missing,
        reporterSuId: student.suId,
        qContent: '本人到活动结束才离开',
      }
      const credibility = async () =>
        (await world.school.admin.send(studentApi.detail, { id: student.suId })).suiCredibility
      if (isDone) {
        await world.completed(liId)
        expect(await credibility()).toBe(98)
      }
      const qId = await (isDone ? lateUpheld(missing) : world.upheld(missing))
      expect((await settle(qId, { laResult: resultStatus.passed })).data).toMatchObject({ after: '合格，2 学时' })
      if (!isDone) await world.completed(liId)
      expect([await credibility(), await world.hours(student.suId)]).toEqual([100, 200])
    },
  )
  test('room under a cap that becomes free goes to what it had cut', async () => {
    const student = someone()
    await world.school.rules({ termCapHours: '3' })
    const [first, second] = [await world.noticed([student]), await world.noticed([student])]
    await world.completed(first)
    await world.completed(second)
    expect([await world.hours(student.suId, first), await world.hours(student.suId, second)]).toEqual([200, 100])
    const qId = await lateUpheld(wrong(first, student.suId))
    await settle(qId, { laResult: resultStatus.failed })
    expect([await world.hours(student.suId, first), await world.hours(student.suId, second)]).toEqual([0, 200])
    await world.school.rules({ termCapHours: '16' })
  })
  test('a course ended as abnormal gives nothing, and nobody but an administrator ends it', async () => {
    const [one, two, absent] = [someone(), someone(), someone()]
    const liId = await world.noticed([one, two, { ...absent, absent: true }])
    await world.completed(liId)
    const credibility = async () =>
      (await world.school.admin.send(studentApi.detail, { id: absent.suId })).suiCredibility
    expect(await credibility()).toBe(99)
    const qId = await lateUpheld({
      liId,
      qType: questionType.organiserBreach,
      reporterSuId: one.suId,
      qContent: '活动没有按计划举行',
    })
    expect((await settle(qId, { qOutcome: questionOutcome.remove })).reason).toBe('question-whole-course')
    expect((await world.leader.client.ask(disputeApi.abnormal, { qId, opinion: '活动没有举行' })).status).toBe(403)
    expect(await world.school.admin.send(disputeApi.abnormal, { qId, opinion: '活动没有举行' })).toMatchObject({
      people: 2,
    })
    expect(await world.stateOf(liId)).toBe('92')
    expect([await sums(one.suId), await sums(two.suId)]).toEqual([
      { '1': 0, '2': 0, '3': 0 },
      { '1': 0, '2': 0, '3': 0 },
    ])
    // everybody is told, as where the course is ended by itself, and nobody loses credibility by it
    for (const { suId } of [one, two, absent])
      expect(await messageTitles(world, suId)).toContainEqual(expect.stringMatching(/》不认定学时$/))
    expect(await messageTitles(world, world.teacher.suId)).toContainEqual(expect.stringMatching(/》异常结项$/))
    expect(await credibility()).toBe(100)
  })
})

/** A late dispute that the school takes, found justified. */
async function lateUpheld(input: Parameters<DisputeWorld['asked']>[0]) {
  const { qId } = await world.school.admin.send(disputeApi.add, input)
  await world.school.admin.send(disputeApi.accept, { qIds: [qId] })
  await world.a.client.send(approvalApi.questionPass, { taskIds: [(await world.taskFor(qId))!] })
  return qId
}

describe('rounds of public notice', () => {
  test('every round stands in the books; disputes stay open when a notice is revoked', async () => {
    const student = someone()
    const liId = await world.noticed([student])
    const qId = await world.asked(wrong(liId, student.suId))
    await world.leader.client.send(disputeApi.accept, { qIds: [qId] })
    await world.leader.client.send(lessonApi.unpublicty, { liId, reason: '名单有误，重新公示' })
    expect(await world.stateOf(liId)).toBe('50')
    const today = dayOf(world.school.clock.now())
    await world.leader.client.send(lessonApi.publicty, {
      liId,
      liPublictySdate: dayStart(today),
      liPublictyEdate: dayEnd(addDays(today, 4)),
    })
    expect(await world.stateOf(liId)).toBe('61')
    await world.leader.client.send(disputeApi.withdraw, { qId, opinion: '学生要求撤回' })
    await world.completed(liId)
    expect(await world.leader.client.send(lessonApi.publictyRounds, { liId })).toMatchObject([
      { roundNo: 2, publictyStatus: publictyStatus.ended, endReason: '公示期满' },
      { roundNo: 1, publictyStatus: publictyStatus.revoked, endReason: '名单有误，重新公示' },
    ])
  })
})

describe('import', () => {
  const titles = '学号,质疑类型,内容,申请奖项,被质疑人学号'
  const upload = (liId: string, lines: string[]) =>
    world.leader.client.upload(
      importApi.upload,
      { name: '质疑名单.csv', bytes: Buffer.from(`${[titles, ...lines].join('\n')}\n`) },
      { kind: 'question', liId },
    )
  test('the rules of entering hold for every row; what is faultless is entered, and can be taken back until it is taken up', async () => {
    const [one, two, three] = [someone(), someone(), someone()]
    const liId = await world.noticed([one, two])
    const batch = await upload(liId, [
      `${one.suiNumber},记错,学时与实际不符请核对,一等奖,`,
      `${three.suiNumber},漏记,本人参加了活动没有学时,,`,
      `${three.suiNumber},虚假参与或冒名代签,该同学没有到场由他人代签,,${two.suiNumber}`,
      `${two.suiNumber},漏记,已经有学时却说漏记,,`,
      `不存在的学号,记错,学时与实际不符请核对,,`,
      `${two.suiNumber},组织方违规,签到,没有这个奖,`,
    ])
    expect(batch.data).toMatchObject({ newCount: 2 })
    const { ibId } = batch.data
    await world.leader.client.send(importApi.commit, { kind: 'question', ibId, skipFaults: yesNo.yes })
    const { records } = await world.leader.client.send(disputeApi.list, { liId })
    expect(records.map(({ source, qStatus }) => [source, qStatus])).toEqual([
      [questionStatus.upheld, questionStatus.pending],
      [questionStatus.upheld, questionStatus.pending],
    ])
    await world.leader.client.send(importApi.undo, { kind: 'question', ibId })
    expect((await world.leader.client.send(disputeApi.list, { liId })).total).toBe(0)
  })
})
