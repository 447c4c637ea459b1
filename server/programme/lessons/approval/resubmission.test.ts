import { expect, test } from 'vitest'
import { approvalApi, lessonCaseApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { resultStatus, signStatus, signType } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { lessonWorld, untilNoon, type LessonWorld } from '../../../testing/lessons.ts'

const steps = ({ leader }: { leader: { suId: string } }) => [
  { node: 'PUBLISH' as const, checkers: [leader.suId] },
  { node: 'RESULT' as const, checkers: [leader.suId] },
]
const opinion = '请修改后重新提交'

/** A course of the form that waits for its reviewer; and how it is changed, returned and shown to them. */
async function submitted() {
  const world = await lessonWorld(steps)
  const { teacher, leader } = world
  const form = world.form({}, untilNoon(world.school.clock.now()))
  const { liId } = await teacher.client.send(lessonApi.save, { ...form, submit: '1' })
  const task = async () => (await leader.client.send(approvalApi.publishQueue, {})).records[0]!.taskId
  return {
    world,
    form,
    liId,
    save: async (change: object) => {
      const { version } = await teacher.client.send(lessonApi.details, { liId })
      return teacher.client.send(lessonApi.save, { ...form, ...change, liId, version })
    },
    submit: () => teacher.client.send(lessonApi.submit, { liId }),
    refuse: async () => leader.client.send(approvalApi.publishRefuse, { taskIds: [await task()], opinion }),
    pass: async () => leader.client.send(approvalApi.publishPass, { taskIds: [await task()] }),
    withdraw: () => teacher.client.send(lessonApi.withdraw, { liId }),
    shown: () => shownTo(world, liId),
  }
}
const shownTo = async ({ leader }: LessonWorld, liId: string) => {
  const { differences } = await leader.client.send(lessonCaseApi.lessonResult, { liId })
  return differences.map(({ since, label, before, after }) => [since, label, before, after])
}

test('a course that was refused comes back with every field that is different, in words', async () => {
  const { world, form, save, submit, refuse, shown } = await submitted()
  const [member] = await world.students(1)
  expect(await shown()).toEqual([])
  await refuse()
  const start = form.startTime as string
  const first = { startTime: start, endTime: addMinutes(start, 60), placeText: '礼堂' }
  await save({
    placeText: '体育馆',
    quota: 30,
    signType: [signType.activityCode],
    rangeColleges: [world.scId],
    signerIds: [member!.suId],
    liIntro: '活动简介，另附日程',
    sessions: [first, { ...first, startTime: first.endTime, endTime: addMinutes(start, 120), placeText: '操场' }],
  })
  await submit()
  const day = start.slice(0, 10)
  expect(await shown()).toEqual([
    ['returned', '课程简介', '活动简介', '活动简介，另附日程'],
    ['returned', '签到负责人', '未填写', `${member!.suiName}（${member!.suiNumber}）`],
    ['returned', '活动地点', '礼堂', '体育馆'],
    ['returned', '名额', '10 人', '30 人'],
    ['returned', '可报名学院', '不限', expect.stringContaining('学院')],
    [
      'returned',
      '场次',
      `${day} ${start.slice(11, 16)} 至 ${(form.endTime as string).slice(11, 16)} 礼堂`,
      `${day} ${start.slice(11, 16)} 至 ${first.endTime.slice(11, 16)} 礼堂；${day} ${first.endTime.slice(11, 16)} 至 ${(form.endTime as string).slice(11, 16)} 操场`,
    ],
    ['returned', '签到方式', '手动', '活动码'],
  ])
  await refuse()
  await submit()
  expect(await shown()).toEqual([])
})

test('a withdrawn course is compared with what was decided last, or with what was withdrawn', async () => {
  const { save, submit, refuse, withdraw, pass, shown } = await submitted()
  await withdraw()
  await save({ quota: 20 })
  await submit()
  expect(await shown()).toEqual([['returned', '名额', '10 人', '20 人']])
  await refuse()
  await save({ quota: 30 })
  await submit()
  await withdraw()
  await save({ quota: 40 })
  await submit()
  // what the reviewer has seen and returned had 20
  expect(await shown()).toEqual([['returned', '名额', '20 人', '40 人']])
  await pass()
  await save({ quota: 35 })
  expect(await shown()).toEqual([['approved', '名额', '40 人', '35 人']])
  await withdraw()
  await submit()
  expect(await shown()).toEqual([['approved', '名额', '40 人', '35 人']])
})

test('a change of a published course that was refused comes back with both: what it changes, and what is new since', async () => {
  const { world, save, pass, refuse, shown, liId } = await submitted()
  await pass()
  await world.teacher.client.send(lessonApi.publish, { liId })
  await save({ quota: 8 })
  expect(await shown()).toEqual([['approved', '名额', '10 人', '8 人']])
  await refuse()
  await save({ quota: 9 })
  expect(await shown()).toEqual([
    ['approved', '名额', '10 人', '9 人'],
    ['returned', '名额', '8 人', '9 人'],
  ])
})

test('a result that was refused comes back with whoever is rated, signed in or listed otherwise', async () => {
  const world = await lessonWorld(steps)
  const { teacher, leader, awards } = world
  const form = world.form({}, -3)
  const { liId } = await teacher.client.send(lessonApi.save, { ...form, submit: '1' })
  const queue = async (call: typeof approvalApi.publishQueue | typeof approvalApi.resultQueue) =>
    (await leader.client.send(call, {})).records.map(({ taskId }) => taskId)
  await leader.client.send(approvalApi.publishPass, { taskIds: await queue(approvalApi.publishQueue) })
  await teacher.client.send(lessonApi.publish, { liId })
  const people = await world.students(5)
  const laIds = await world.enrol(liId, people.slice(0, 4))
  const name = (at: number) => `${people[at]!.suiName} ${people[at]!.suiNumber}`
  const sign = (which: number[], laSignStatus: string) =>
    teacher.client.send(registrationApi.sign, {
      laIds: which.map((at) => laIds[at]!),
      laSignStatus: laSignStatus as never,
      reason: '签到设备故障补登',
    })
  await sign([0, 1, 2], signStatus.signedIn)
  await teacher.client.send(registrationApi.rateRemaining, { liId })
  await teacher.client.send(lessonApi.resultAudit, { liId })
  expect(await shownTo(world, liId)).toEqual([])
  await leader.client.send(approvalApi.resultRefuse, { taskIds: await queue(approvalApi.resultQueue), opinion })

  await teacher.client.send(registrationApi.setAward, {
    laIds: [laIds[0]!],
    laResult: resultStatus.awarded,
    adId: awards.first,
  })
  await teacher.client.send(registrationApi.remove, { laId: laIds[1]!, reason: '由他人代签' })
  await sign([3], signStatus.madeUp)
  const [late] = await world.enrol(liId, [people[4]!])
  await teacher.client.send(registrationApi.sign, { laIds: [late!], laSignStatus: signStatus.late })
  await teacher.client.send(registrationApi.rateRemaining, { liId })
  await teacher.client.send(lessonApi.resultAudit, { liId, resultSummary: '共 4 人到场' })
  expect((await shownTo(world, liId)).toSorted()).toEqual(
    [
      ['returned', '结果说明', '未填写', '共 4 人到场'],
      ['returned', name(0), '已签到，合格，2 学时', '已签到，获奖（一等奖），3 学时'],
      ['returned', name(1), '已签到，合格，2 学时', '不在名单中'],
      ['returned', name(3), '缺席，不合格', '补签，合格，2 学时'],
      ['returned', name(4), '不在名单中', '迟到，合格，2 学时'],
    ].toSorted(),
  )
})
