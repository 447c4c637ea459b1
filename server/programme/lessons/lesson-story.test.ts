import { expect, test } from 'vitest'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import {
  applyStatus,
  lessonPhase,
  lessonStatus,
  partakeMode,
  resultStatus,
  signStatus,
} from '../../../contract/core/codes/programme.ts'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { addDays, addSeconds, dayOf } from '../../core/base/clock.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { countersOf, lessonWorld } from '../../testing/lessons.ts'
import { completeLessons } from './credit/completion.service.ts'

test('one course from the form to the ledger, every step as the right person', async () => {
  const world = await lessonWorld(({ leader, school }) => [
    { node: 'PUBLISH', checkers: [leader.suId] },
    { node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [school.roles['SCHOOL_AUDIT']!] },
    { node: 'RESULT', checkers: [leader.suId] },
  ])
  const { school, teacher, leader, awards } = world
  const reviewer = await school.person('SCHOOL_AUDIT')
  const signer = await school.person('SIGN_MGR')
  const [ann, ben, cat, dan, eve] = await world.students(5)
  const decide = async (
    person: typeof teacher,
    queue: typeof approvalApi.publishQueue | typeof approvalApi.resultQueue,
    pass: typeof approvalApi.publishPass | typeof approvalApi.resultPass,
  ) => {
    const { records } = await person.client.send(queue, {})
    expect(records).toHaveLength(1)
    return person.client.send(pass, { taskIds: [records[0]!.taskId] })
  }
  const stateOf = async (liId: string) => (await teacher.client.send(lessonApi.details, { liId })).liStatus

  // the activity was held two hours ago and lasted one: registered, signed and rated afterwards by its organiser
  const { liId, liNo, liStatus } = await teacher.client.send(lessonApi.save, {
    ...world.form({ signerIds: [signer.suId], publictyDays: 2 }, -2),
    endTime: addSeconds(school.clock.now(), -3600),
    submit: '1',
  })
  expect(liNo).toMatch(/^EK\d{6}-0001$/)
  expect(liStatus).toBe(lessonStatus.publishInReview)
  expect(await teacher.client.ask(lessonApi.publish, { liId })).toMatchObject({ code: 300, msg: '请先通过发布审批' })
  await decide(leader, approvalApi.publishQueue, approvalApi.publishPass)
  await decide(reviewer, approvalApi.publishQueue, approvalApi.publishPass)
  expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
  await teacher.client.send(lessonApi.publish, { liId })
  expect(await teacher.client.send(lessonApi.details, { liId })).toMatchObject({
    liStatus: lessonStatus.published,
    liPhase: lessonPhase.awaitingResult,
    liHours: '2',
    liCredit: '0.2',
    liPoints: '0.8',
    liSponsorName: expect.any(String) as string,
    lsName: '思想成长 / 主题教育',
  })

  const ids = await world.enrol(liId, [ann!, ben!, cat!, dan!, eve!])
  expect(await teacher.client.send(registrationApi.view, { liId, sort: 'suiNumber' })).toMatchObject({
    total: 5,
    records: [{ laStatus: applyStatus.accepted, can: ['del', 'sign', 'award'] }, {}, {}, {}, {}],
  })
  await signer.client.send(registrationApi.sign, { laIds: ids.slice(0, 3), laSignStatus: signStatus.signedIn })
  await signer.client.send(registrationApi.sign, {
    laIds: [ids[3]!],
    laSignStatus: signStatus.madeUp,
    reason: '现场补登，手机没电',
  })
  await teacher.client.send(registrationApi.setAward, {
    laIds: [ids[0]!],
    laResult: resultStatus.awarded,
    adId: awards.first,
  })
  await teacher.client.send(registrationApi.setAward, {
    laIds: [ids[1]!],
    laResult: resultStatus.passed,
    partakeMode: partakeMode.organiser,
  })
  expect(await teacher.client.ask(lessonApi.resultAudit, { liId })).toMatchObject({ code: 300, msg: '还有 2 人未评定' })
  await teacher.client.send(registrationApi.rateRemaining, { liId })
  await teacher.client.send(lessonApi.resultAudit, { liId, resultSummary: '圆满结束' })
  const submitted = await countersOf(school, liId)
  expect(submitted.stored).toEqual(submitted.counted)
  expect(submitted.stored).toEqual({ applyCount: 5, pendingCount: 0, passCount: 5, signCount: 4, resultCount: 5 })
  expect(
    await teacher.client.ask(registrationApi.setAward, { laIds: ids, laResult: resultStatus.passed }),
  ).toMatchObject({
    code: 300,
    reason: 'wrong-state',
  })
  await decide(leader, approvalApi.resultQueue, approvalApi.resultPass)
  expect(await stateOf(liId)).toBe(lessonStatus.resultPassed)

  const today = dayOf(school.clock.now())
  expect(
    await leader.client.ask(lessonApi.publicty, {
      liId,
      liPublictySdate: `${today} 00:00:00`,
      liPublictyEdate: `${today} 23:59:59`,
    }),
  ).toMatchObject({ code: 300, msg: '公示期不得少于 2 个工作日' })
  const last = addDays(today, 6)
  await leader.client.send(lessonApi.publicty, {
    liId,
    liPublictySdate: `${today} 10:00:00`,
    liPublictyEdate: `${last} 10:00:00`,
  })
  const shown = await reviewer.client.send(lessonApi.publictyList, { liId })
  expect(shown.total).toBe(4)
  expect(shown.records.every(({ suiName, suiNumber }) => suiName.includes('*') && suiNumber.startsWith('*'))).toBe(true)
  // each is told with what they get
  expect(new Set(shown.records.map(({ laResult }) => laResult))).toContain(resultStatus.passed)
  await reviewer.client.send(lessonApi.publictyList, { liId, current: 2 })
  const views = await school.admin.send(auditApi.list, { action: '查看公示名单', bizType: 'lesson' })
  expect(views.records.map(({ actorName }) => actorName)).toEqual([reviewer.suiName])
  const timeline = await reviewer.client.send(auditApi.timeline, { bizType: 'lesson', bizId: liId })
  expect(timeline.records.map(({ action }) => action)).not.toContain('查看公示名单')

  expect(await completeLessons({ ...school.services, clock: { now: () => `${last} 23:59:59` } }, school.schoolId)).toBe(
    0,
  )
  expect(await stateOf(liId)).toBe(lessonStatus.inNotice)
  expect(
    await completeLessons(
      { ...school.services, clock: { now: () => `${addDays(last, 1)} 00:00:00` } },
      school.schoolId,
    ),
  ).toBe(1)
  expect(await teacher.client.send(lessonApi.details, { liId })).toMatchObject({
    liStatus: lessonStatus.completed,
    completeTime: `${addDays(last, 1)} 00:00:00`,
    liPublictySdate: `${today} 00:00:00`,
    liPublictyEdate: `${last} 23:59:59`,
  })
  expect(await reviewer.client.ask(lessonApi.publictyList, { liId })).toMatchObject({
    code: 300,
    msg: '不在公示期内，公示名单不公开；本人的结果请查看成绩单',
  })

  const ledger = async (suId: string) => {
    const rows = await school.ctx.db
      .selectFrom('creditLedger')
      .select(['clType', 'clValue', 'moduleId'])
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', suId)
      .orderBy('clType')
      .orderBy('clValue', 'desc')
      .execute()
    expect(rows.every(({ moduleId }) => moduleId === school.curriculum['SXCL'])).toBe(true)
    return rows.map(({ clType, clValue }) => [clType, clValue])
  }
  expect(await ledger(ann!.suId)).toEqual([
    ['1', 300],
    ['2', 30],
    ['3', 130],
    ['5', 180],
    ['5', 120],
  ])
  expect(await ledger(ben!.suId)).toEqual([
    ['1', 300],
    ['2', 30],
    ['3', 120],
    ['5', 180],
    ['5', 120],
  ])
  expect(await ledger(dan!.suId)).toEqual([
    ['1', 200],
    ['2', 20],
    ['3', 80],
    ['5', 120],
    ['5', 80],
  ])
  expect(await ledger(eve!.suId)).toEqual([])
  const lost = await school.ctx.db
    .selectFrom('person')
    .select(['suId', 'suiCredibility'])
    .where('schoolId', '=', school.schoolId)
    .where('suiCredibility', '<', 100)
    .execute()
  expect(lost).toEqual([{ suId: eve!.suId, suiCredibility: 99 }])

  const titles = async (suId: string) =>
    (
      await school.ctx.db
        .selectFrom('informationReceiver as r')
        .innerJoin('information as i', (join) =>
          join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'),
        )
        .select('i.iiTitle')
        .where('r.suId', '=', suId)
        .where('i.iiTitle', 'like', '%已完成%')
        .execute()
    ).map(({ iiTitle }) => iiTitle)
  expect(await titles(ann!.suId)).toEqual([expect.stringContaining('学时已入账')])
  expect(await titles(eve!.suId)).toEqual([])
  expect(await titles(teacher.suId)).toHaveLength(1)

  const trace = await teacher.client.send(registrationApi.explain, { laId: ids[0]! })
  expect(trace.gates.every(({ passed }) => passed)).toBe(true)
  expect(trace.entries[0]).toMatchObject({
    clType: '学时',
    value: '3',
    explain: '基础 2 学时 ＋ 一等奖 1 ＝ 3 学时（评价规则第 1 版，院（系）级）',
  })
  expect(
    (await teacher.client.send(registrationApi.explain, { laId: ids[4]! })).gates.find(({ failed }) => failed),
  ).toMatchObject({ name: '签到', note: '缺席' })

  const file = await teacher.client.download(registrationApi.export, { liId })
  const { lines } = await sheetIn(file.bytes)
  expect(lines).toHaveLength(6)
  expect(lines.find(({ cells }) => cells.includes(ann!.suiNumber))!.cells).toEqual(
    expect.arrayContaining([ann!.suiName, '已通过', '已签到', '获奖', '一等奖', '3', '0.3', '1.3']),
  )
  const { records: history } = await teacher.client.send(auditApi.timeline, {
    bizType: 'lesson',
    bizId: liId,
    pageSize: 100,
  })
  expect(history.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      '新增课程',
      '发布审批通过',
      '发布课程',
      '添加参与人员',
      '登记签到',
      '评定结果',
      '提交结果审批',
      '结果审批通过',
      '公示课程结果',
      '课程完成',
    ]),
  )
})
