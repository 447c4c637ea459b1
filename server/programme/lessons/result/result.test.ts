import { describe, expect, test } from 'vitest'
import { holidayKind } from '../../../../contract/core/codes/school.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyWay,
  lessonPhase,
  lessonStatus,
  resultStatus,
  signStatus,
  signType,
} from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addDays, addMinutes, dayOf } from '../../../core/base/clock.ts'
import { newId } from '../../../core/base/ids.ts'
import { countersOf, lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'

/** A course that ended an hour ago, with participants who were all there. */
async function held(world: LessonWorld, count: number, more = {}) {
  const liId = await world.published({ quota: 50, ...more }, -3)
  const laIds = await world.enrol(liId, await world.students(count))
  await world.teacher.client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
  return { liId, laIds }
}
const rowsOf = async ({ teacher }: LessonWorld, liId: string) =>
  new Map(
    (await teacher.client.send(registrationApi.view, { liId, pageSize: 200 })).records.map((row) => [row.laId, row]),
  )
const set = (
  { school }: LessonWorld,
  liId: string,
  values: { liStatus?: string; endTime?: string; startTime?: string },
) =>
  school.ctx.db
    .updateTable('lesson')
    .set(values)
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .execute()

describe('signing in', () => {
  test('is for participants, from half an hour before; a late entry needs its reason', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published({
      applyWay: applyWay.review,
      applyStart: addMinutes(world.school.clock.now(), -60),
      applyEnd: addMinutes(world.school.clock.now(), 60),
    })
    const [a, b] = (await world.enrol(liId, await world.students(2))) as [string, string]
    expect(await client.ask(registrationApi.sign, { laIds: [a], laSignStatus: signStatus.signedIn })).toMatchObject({
      code: 300,
      reason: 'sign-not-open',
    })
    await client.send(registrationApi.pass, { laId: a })
    await set(world, liId, { startTime: addMinutes(world.school.clock.now(), 29) })
    const { suiName } = (await rowsOf(world, liId)).get(b)!
    expect(await client.ask(registrationApi.sign, { laIds: [a, b], laSignStatus: signStatus.signedIn })).toMatchObject({
      code: 300,
      msg: `${suiName} 未被录取，不能登记签到`,
    })
    expect(
      await client.ask(registrationApi.sign, { laIds: [a], laSignStatus: signStatus.madeUp, reason: '忘了' }),
    ).toMatchObject({
      code: 300,
      msg: '补签须填写不少于 5 个字的原因',
    })
    expect(await client.ask(registrationApi.sign, { laIds: [a], laSignStatus: signStatus.absent })).toMatchObject({
      code: 300,
      reason: 'invalid-input',
    })
    await client.send(registrationApi.sign, { laIds: [a], laSignStatus: signStatus.late })
    expect((await rowsOf(world, liId)).get(a)).toMatchObject({
      laSignStatus: signStatus.late,
      signMethod: signType.manual,
      signOutTime: null,
    })
    await client.send(registrationApi.sign, { laIds: [a], laSignStatus: signStatus.signedOut })
    expect((await rowsOf(world, liId)).get(a)).toMatchObject({
      laSignStatus: signStatus.signedOut,
      signInTime: expect.any(String) as string,
      signOutTime: expect.any(String) as string,
    })
    await client.send(registrationApi.sign, { laIds: [a], laSignStatus: signStatus.notSigned })
    expect((await rowsOf(world, liId)).get(a)).toMatchObject({
      laSignStatus: signStatus.notSigned,
      signMethod: null,
      signInTime: null,
    })
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
  })

  test('a manager signs for their course and no other; the list of managers is replaced whole', async () => {
    const world = await lessonWorld()
    const signer = await world.school.person('SIGN_MGR')
    const liId = await world.published({}, -0.2)
    const [laId] = await world.enrol(liId, await world.students(1))
    expect(
      await signer.client.ask(registrationApi.sign, { laIds: [laId], laSignStatus: signStatus.signedIn }),
    ).toMatchObject({
      status: 404,
    })
    const secrets = () =>
      world.school.ctx.db
        .selectFrom('lessonSession')
        .select('codeSecret')
        .where('schoolId', '=', world.school.schoolId)
        .where('liId', '=', liId)
        .execute()
    const before = await secrets()
    await world.teacher.client.send(lessonApi.signPrincipalAdd, { liId, suIds: [signer.suId] })
    expect(await secrets()).not.toEqual(before)
    expect((await secrets())[0]!.codeSecret).toHaveLength(32)
    expect(await world.teacher.client.send(lessonApi.signManagers, { liId })).toMatchObject([
      { suId: signer.suId, suiName: signer.suiName },
    ])
    await signer.client.send(registrationApi.sign, { laIds: [laId!], laSignStatus: signStatus.signedIn })
    for (const suIds of [[], [newId()], [signer.suId, newId()]])
      expect(await world.teacher.client.ask(lessonApi.signPrincipalAdd, { liId, suIds })).toMatchObject({
        code: 300,
        msg: '签到负责人须为在校师生，且至少一人',
      })
  })

  test('codes are to be had from a day before until the end', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const far = await world.published({}, 25)
    expect(await client.ask(lessonApi.codePackage, { liId: far })).toMatchObject({
      code: 300,
      msg: expect.stringContaining('未到可下载时间') as string,
    })
    const over = await world.published({}, -3)
    expect(await client.ask(lessonApi.codePackage, { liId: over })).toMatchObject({ code: 300, reason: 'wrong-state' })
    const start = addMinutes(world.school.clock.now(), 60)
    const near = await world.published({
      startTime: start,
      endTime: addMinutes(start, 300),
      signOutOn: yesNo.yes,
      sessions: [
        { startTime: start, endTime: addMinutes(start, 60) },
        { startTime: addMinutes(start, 120), endTime: addMinutes(start, 180) },
      ],
    })
    const file = await client.download(lessonApi.codePackage, { liId: near })
    expect(file).toMatchObject({ type: 'application/zip', name: expect.stringMatching(/^签到码_EK.*\.zip$/) as string })
    const names = [...new Set(file.bytes.toString('utf8').match(/第\d场-\d{4}-\d\d-\d\d-签[到退]\.png/g))]
    expect(names).toHaveLength(4)
  })
})

describe('rating', () => {
  test('only after the end, only participants who were there, all or none', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const running = await world.published({}, -0.2)
    const [early] = await world.enrol(running, await world.students(1))
    expect(await client.ask(registrationApi.setAward, { laIds: [early], laResult: resultStatus.failed })).toMatchObject(
      {
        code: 300,
        msg: '活动尚未结束，不能评定结果',
      },
    )
    expect(await client.ask(lessonApi.resultAudit, { liId: running })).toMatchObject({
      code: 300,
      msg: '活动尚未结束，不能提交结果',
    })
    const { liId, laIds } = await held(world, 3)
    await client.send(registrationApi.sign, { laIds: [laIds[2]!], laSignStatus: signStatus.notSigned })
    const absent = (await rowsOf(world, liId)).get(laIds[2]!)!
    expect(await client.ask(registrationApi.setAward, { laIds, laResult: resultStatus.passed })).toMatchObject({
      code: 300,
      msg: `${absent.suiName} 没有签到记录，不能评定为合格或获奖`,
    })
    expect([...(await rowsOf(world, liId)).values()].map(({ laResult }) => laResult)).toEqual([
      resultStatus.unrated,
      resultStatus.unrated,
      resultStatus.unrated,
    ])
    await client.send(registrationApi.setAward, { laIds: laIds.slice(0, 2), laResult: resultStatus.passed })
    await client.send(registrationApi.setAward, { laIds: [laIds[2]!], laResult: resultStatus.failed })
    const rows = await rowsOf(world, liId)
    expect(laIds.map((laId) => rows.get(laId)!.laHours)).toEqual(['2', '2', '0'])
    await client.send(registrationApi.sign, { laIds: [laIds[0]!], laSignStatus: signStatus.notSigned })
    expect((await rowsOf(world, liId)).get(laIds[0]!)).toMatchObject({
      laSignStatus: signStatus.notSigned,
      laResult: resultStatus.unrated,
      laHours: '0',
    })
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
  })

  test('awards have places, also when many ask at once', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const { liId, laIds } = await held(world, 10)
    expect(await client.send(registrationApi.loadAward, { liId })).toEqual([
      { adId: world.awards.first, adName: '一等奖', hours: '0.5', credit: '0.05', points: '0.1', quota: 1, used: 0 },
      {
        adId: world.awards.second,
        adName: '二等奖',
        hours: '0.5',
        credit: '0.05',
        points: '0.1',
        quota: null,
        used: 0,
      },
      { adId: world.awards.share, adName: '优秀', hours: '0.5', credit: '0.05', points: '0.1', quota: 2, used: 0 },
    ])
    const replies = await Promise.all(
      laIds.map((laId) =>
        client.ask(registrationApi.setAward, {
          laIds: [laId],
          laResult: resultStatus.awarded,
          adId: world.awards.first,
        }),
      ),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.filter(({ msg }) => msg === '超过奖项“一等奖”的名额（1 人）')).toHaveLength(9)
    expect(
      await client.ask(registrationApi.setAward, {
        laIds: laIds.slice(0, 3),
        laResult: resultStatus.awarded,
        adId: world.awards.share,
      }),
    ).toMatchObject({ reason: 'award-quota-full' })
    await client.send(registrationApi.setAward, {
      laIds: laIds.slice(0, 2),
      laResult: resultStatus.awarded,
      adId: world.awards.share,
    })
    await client.send(registrationApi.setAward, {
      laIds: laIds.slice(0, 2),
      laResult: resultStatus.awarded,
      adId: world.awards.share,
    })
    expect(
      await client.ask(registrationApi.setAward, { laIds: [laIds[0]], laResult: resultStatus.awarded }),
    ).toMatchObject({
      reason: 'award-not-of-lesson',
    })
    expect(
      await client.ask(registrationApi.setAward, { laIds: [laIds[0]], laResult: resultStatus.awarded, adId: newId() }),
    ).toMatchObject({ reason: 'award-not-of-lesson' })
    expect((await rowsOf(world, liId)).get(laIds[0]!)).toMatchObject({
      laResult: resultStatus.awarded,
      awardName: '优秀',
      laHours: '2.5',
      laCredit: '0.25',
      laPoints: '0.9',
    })
    const counts = await client.send(registrationApi.counts, { liId })
    expect(counts.awardCounts.find(({ awardName }) => awardName === '优秀')).toEqual({
      awardName: '优秀',
      count: 2,
      quota: 2,
    })
  })

  test('the rest is rated by attendance', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const { liId, laIds } = await held(world, 4)
    await client.send(registrationApi.sign, { laIds: [laIds[3]!], laSignStatus: signStatus.notSigned })
    await client.send(registrationApi.setAward, { laIds: [laIds[0]!], laResult: resultStatus.failed })
    expect(await client.send(registrationApi.rateRemaining, { liId })).toEqual({ affected: 2 })
    expect(await client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.no })).toEqual({ affected: 1 })
    const rows = await rowsOf(world, liId)
    expect(laIds.map((laId) => rows.get(laId)!.laResult)).toEqual([
      resultStatus.failed,
      resultStatus.passed,
      resultStatus.passed,
      resultStatus.failed,
    ])
  })
})

describe('submitting and publishing the result', () => {
  test('whoever never came is absent and has not passed; without participants there is no result', async () => {
    const world = await lessonWorld(({ leader }) => [{ node: 'RESULT', checkers: [leader.suId] }])
    const { client } = world.teacher
    expect(await client.ask(lessonApi.resultAudit, { liId: await world.published({}, -3) })).toMatchObject({
      code: 300,
      msg: '没有已录取的参与人员，不能提交结果',
    })
    const { liId, laIds } = await held(world, 2)
    await client.send(registrationApi.sign, { laIds: [laIds[1]!], laSignStatus: signStatus.notSigned })
    expect(await client.ask(lessonApi.resultAudit, { liId })).toMatchObject({ code: 300, msg: '还有 1 人未评定' })
    await client.send(registrationApi.rateRemaining, { liId })
    await client.send(lessonApi.resultAudit, { liId, resultSummary: '总结' })
    expect((await rowsOf(world, liId)).get(laIds[1]!)).toMatchObject({
      laSignStatus: signStatus.absent,
      laResult: resultStatus.failed,
      can: [],
    })
    expect(await client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.resultInReview,
      resultCount: 2,
      resultSummary: '总结',
      can: ['withdraw', 'export'],
    })
    await client.send(lessonApi.withdraw, { liId })
    expect(await client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.published,
      liPhase: lessonPhase.awaitingResult,
    })
    // they were there after all: the refusal for absence falls, and nothing is submitted until they are rated
    await client.send(registrationApi.sign, {
      laIds: [laIds[1]!],
      laSignStatus: signStatus.madeUp,
      reason: '签到设备故障，已核实',
    })
    expect((await rowsOf(world, liId)).get(laIds[1]!)).toMatchObject({ laResult: resultStatus.unrated })
    expect(await client.ask(lessonApi.resultAudit, { liId })).toMatchObject({ code: 300, msg: '还有 1 人未评定' })
    expect(await client.send(registrationApi.rateRemaining, { liId })).toEqual({ affected: 1 })
    expect((await rowsOf(world, liId)).get(laIds[1]!)).toMatchObject({ laResult: resultStatus.passed })
    // whoever was there and has not passed stays so, whatever is corrected about when they came
    await client.send(registrationApi.setAward, { laIds: [laIds[0]!], laResult: resultStatus.failed })
    await client.send(registrationApi.sign, { laIds: [laIds[0]!], laSignStatus: signStatus.late })
    expect((await rowsOf(world, liId)).get(laIds[0]!)).toMatchObject({ laResult: resultStatus.failed })
  })

  test('the notice lasts its working days, begins no earlier than today, and can be taken back', async () => {
    const world = await lessonWorld()
    const { school, leader } = world
    const { liId, laIds } = await held(world, 2, { publictyDays: 3 })
    await world.teacher.client.send(registrationApi.setAward, { laIds, laResult: resultStatus.passed })
    await world.teacher.client.send(lessonApi.resultAudit, { liId })
    // a week in which only Wednesday and Saturday are worked
    const monday = (() => {
      let day = addDays(dayOf(school.clock.now()), 1)
      while (new Date(`${day}T00:00:00Z`).getUTCDay() !== 1) day = addDays(day, 1)
      return day
    })()
    const days = [
      ...[0, 1, 3, 4].map((at) => ({ hdDate: addDays(monday, at), hdKind: holidayKind.dayOff })),
      { hdDate: addDays(monday, 5), hdKind: holidayKind.workday },
    ]
    await school.ctx.db
      .insertInto('holiday')
      .values(days.map((day) => ({ ...day, schoolId: school.schoolId, hdName: '调休' })))
      .execute()
    const ask = (from: string, to: string) =>
      leader.client.ask(lessonApi.publicty, {
        liId,
        liPublictySdate: `${from} 00:00:00`,
        liPublictyEdate: `${to} 23:59:59`,
      })
    expect(await ask(addDays(dayOf(school.clock.now()), -1), addDays(monday, 20))).toMatchObject({
      code: 300,
      msg: '公示开始日期不能早于今天',
    })
    expect(await ask(monday, addDays(monday, 6))).toMatchObject({ code: 300, msg: '公示期不得少于 3 个工作日' })
    expect(
      await world.teacher.client.ask(lessonApi.publicty, {
        liId,
        liPublictySdate: `${monday} 00:00:00`,
        liPublictyEdate: `${addDays(monday, 7)} 23:59:59`,
      }),
    ).toMatchObject({ status: 403 })
    expect(await leader.client.ask(lessonApi.publictyList, { liId })).toMatchObject({
      code: 300,
      reason: 'not-in-notice',
    })
    expect(await ask(monday, addDays(monday, 7))).toMatchObject({ code: 200 })
    expect((await leader.client.send(lessonApi.publictyList, { liId })).total).toBe(2)
    const [{ suiNumber }] = (await rowsOf(world, liId)).values() as unknown as [{ suiNumber: string }]
    const found = (text: string) => leader.client.send(lessonApi.publictyList, { liId, suiNumber: text })
    expect(await found(suiNumber)).toMatchObject({ total: 1, records: [{ suiNumber: expect.stringMatching(/^\*/) }] })
    expect((await found(suiNumber.slice(1))).total, 'a part of a number finds nobody').toBe(0)
    expect(await leader.client.ask(lessonApi.unpublicty, { liId })).toMatchObject({
      code: 300,
      msg: '请填写取消公示原因',
    })
    await leader.client.send(lessonApi.unpublicty, { liId, reason: '名单需要核对' })
    expect(await leader.client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.resultPassed,
      liPublictySdate: null,
      liPublictyEdate: null,
    })
  })
})
