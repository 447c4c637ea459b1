import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  applyWay,
  lessonStatus,
  partakeMode,
  resultStatus,
  signStatus,
  signType,
} from '../../../../contract/core/codes/programme.ts'
import { importApi } from '../../../../contract/platform/imports/imports.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { sheetIn } from '../../../testing/sheet-in.ts'
import { countersOf, lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'

const headers = { lessonApply: '学号,姓名,参与方式,备注', signIn: '学号,姓名,签到状态,签到时间' } as const
type Kind = keyof typeof headers
const csv = (kind: Kind, rows: string[]) => ({
  name: '名单.csv',
  bytes: Buffer.from([headers[kind], ...rows].join('\n')),
})
const upload = async ({ teacher }: LessonWorld, kind: Kind, liId: string, rows: string[]) => {
  const reply = await teacher.client.upload(importApi.upload, csv(kind, rows), { kind, liId })
  expect(reply.msg).toBe('操作成功')
  return reply.data
}
const rowFaults = async ({ teacher }: LessonWorld, kind: Kind, ibId: string) =>
  (await teacher.client.send(importApi.preview, { kind, ibId, pageSize: 200 })).records.map(({ verdict, faults }) => [
    verdict,
    ...faults.map(({ msg }) => msg),
  ])
const list = async ({ teacher }: LessonWorld, liId: string) =>
  (await teacher.client.send(registrationApi.view, { liId, pageSize: 200, sort: 'suiNumber' })).records
const exact = async ({ school }: LessonWorld, liId: string) => {
  const { stored, counted } = await countersOf(school, liId)
  expect(stored).toEqual(counted)
  return stored
}

describe('merits by sheet', () => {
  const kind = 'lessonApply'
  const sheet = (rows: string[]) => ({
    name: '名单.csv',
    bytes: Buffer.from(['学号,姓名,参与方式,奖项,是否签到,学时,备注', ...rows].join('\n')),
  })
  const put = async ({ teacher }: LessonWorld, liId: string, rows: string[]) =>
    (await teacher.client.upload(importApi.upload, sheet(rows), { kind, liId })).data
  const commit = (world: LessonWorld, ibId: string) =>
    world.teacher.client.send(importApi.commit, { kind, ibId, skipFaults: yesNo.yes })
  const line = ({ suiNumber, suiName }: { suiNumber: string; suiName: string }, more: string) =>
    `${suiNumber},${suiName},${more}`

  test('who came and who won is entered after the end, and taken back by undo', async () => {
    const world = await lessonWorld()
    const liId = await world.published({ quota: 10 }, -3)
    const [known, a, b, c, d] = await world.students(5)
    const [laId] = await world.enrol(liId, [known!])
    const rows = [
      line(known!, ',一等奖,是,,'),
      line(a!, '组织者,,是,,'),
      line(b!, ',一等奖,是,,'),
      line(c!, ',特等奖,是,,'),
      line(d!, ',二等奖,,3,'),
    ]
    const batch = await put(world, liId, rows)
    expect(await rowFaults(world, kind, batch.ibId)).toEqual([
      ['update'],
      ['new'],
      ['fault', '超过奖项“一等奖”的名额（1 人）'],
      ['fault', '本课程没有奖项“特等奖”，可填：一等奖、二等奖、优秀'],
      ['fault', '没有签到记录，不能评定为获奖', '本校不允许在名单中填写学时，请留空，由系统按评价规则计算'],
    ])
    await commit(world, batch.ibId)
    const after = await list(world, liId)
    expect(after.find((row) => row.laId === laId)).toMatchObject({
      laSignStatus: signStatus.signedIn,
      laResult: resultStatus.awarded,
      awardName: '一等奖',
      laHours: '3',
      signMethod: signType.imported,
    })
    expect(after.find(({ suId }) => suId === a!.suId)).toMatchObject({
      laSignStatus: signStatus.signedIn,
      laResult: resultStatus.unrated,
      partakeMode: partakeMode.organiser,
    })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 2, passCount: 2, signCount: 2, resultCount: 1 })
    expect(await put(world, liId, rows.slice(0, 2))).toMatchObject({ sameCount: 2 })
    await world.teacher.client.send(importApi.undo, { kind, ibId: batch.ibId })
    expect(await list(world, liId)).toMatchObject([
      {
        laId,
        laSignStatus: signStatus.notSigned,
        laResult: resultStatus.unrated,
        awardName: '',
        laHours: '0',
        signMethod: null,
        signInTime: null,
      },
    ])
    expect(await exact(world, liId)).toMatchObject({ applyCount: 1, passCount: 1, signCount: 0, resultCount: 0 })
  })

  test('hours where the school lets them be given, within the rule; neither before its time', async () => {
    const world = await lessonWorld()
    await world.school.rules({ importHours: '1' })
    const [a, b, c] = await world.students(3)
    const over = await world.published({ quota: 10 }, -3)
    const batch = await put(world, over, [line(a!, ',,是,3.5,'), line(b!, ',,是,4.5,'), line(c!, ',,否,1,')])
    expect(await rowFaults(world, kind, batch.ibId)).toEqual([
      ['new'],
      ['fault', '学时不能超过评价规则的上限 4'],
      ['fault', '没有签到记录，不能认定学时'],
    ])
    await commit(world, batch.ibId)
    expect(await list(world, over)).toMatchObject([
      { laResult: resultStatus.passed, laHours: '3.5', laSignStatus: signStatus.signedIn },
    ])
    const failing = await world.published({ quota: 10 }, -6)
    const laIds = await world.enrol(failing, [a!, b!])
    await world.teacher.client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
    await world.teacher.client.send(registrationApi.setAward, { laIds, laResult: resultStatus.failed })
    const failed = await put(world, failing, [line(a!, ',,是,3,'), line(b!, ',二等奖,是,3,')])
    expect(await rowFaults(world, kind, failed.ibId)).toEqual([
      ['fault', '该学生已评定为不合格，不能认定学时；请先在名单中改为合格或获奖'],
      ['update'],
    ])
    await commit(world, failed.ibId)
    const rated = await list(world, failing)
    expect([a, b].map((one) => rated.find(({ suId }) => suId === one!.suId))).toMatchObject([
      { laResult: resultStatus.failed, laHours: '0' },
      { laResult: resultStatus.awarded, laHours: '3' },
    ])
    const coming = await world.published({ quota: 10 }, 48)
    const early = await put(world, coming, [line(a!, ',二等奖,是,,')])
    expect(await rowFaults(world, kind, early.ibId)).toEqual([
      ['fault', '签到尚未开始，活动开始前 30 分钟起可登记', '活动尚未结束，不能评定结果'],
    ])
    const now = world.school.clock.now()
    const reviewed = await world.published(
      { applyWay: applyWay.review, applyStart: addMinutes(now, -300), applyEnd: addMinutes(now, -190) },
      -3,
    )
    const pending = await put(world, reviewed, [line(b!, ',,是,,')])
    expect(await rowFaults(world, kind, pending.ibId)).toEqual([['fault', '该学生未被录取，不能登记签到、奖项或学时']])
  })
})

describe('participants by sheet', () => {
  test('every rule is told per row; what fits is entered once, and taken back by undo', async () => {
    const world = await lessonWorld()
    const { teacher, school } = world
    const kind = 'lessonApply'
    const liId = await world.published({ quota: 3, rangeColleges: [world.scId] })
    const elsewhere = await world.published({ quota: 5 })
    const [known, a, b, full, busy, misnamed] = await world.students(6)
    const foreign = (await school.students(1, { ...world.place, suiCollegeId: await school.college() }))[0]!
    await world.enrol(liId, [known!])
    await world.enrol(elsewhere, [busy!])
    const line = ({ suiNumber, suiName }: { suiNumber: string; suiName: string }, more = ',') =>
      `${suiNumber},${suiName},${more}`
    const rows = [
      line(known!, '组织者,队长'),
      line(a!, '志愿者,'),
      line(b!),
      line(full!),
      line(busy!),
      `${misnamed!.suiNumber},某人,,`,
      'X999,无此人,,',
      line(foreign),
      line(foreign),
    ]
    const batch = await upload(world, kind, liId, rows)
    const { liName } = await teacher.client.send(lessonApi.details, { liId: elsewhere })
    expect(await rowFaults(world, kind, batch.ibId)).toEqual([
      ['update'],
      ['new'],
      ['new'],
      ['conflict', '名额已满'],
      ['conflict', `该学生时间冲突：${liName}`],
      ['fault', '姓名与学号不符'],
      ['fault', '学号 X999 不存在'],
      ['conflict', '该学生不在报名范围内', '学号与第 10 行重复'],
      ['conflict', '该学生不在报名范围内', '学号与第 9 行重复'],
    ])
    expect(await exact(world, liId)).toMatchObject({ passCount: 1 })
    await teacher.client.send(importApi.commit, { kind, ibId: batch.ibId, skipFaults: yesNo.yes })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 3, passCount: 3 })
    const entered = await list(world, liId)
    expect(entered.find(({ suId }) => suId === known!.suId)).toMatchObject({
      partakeMode: partakeMode.organiser,
      remark: '队长',
      applyFrom: 'proxy',
    })
    expect(entered.find(({ suId }) => suId === a!.suId)).toMatchObject({
      partakeMode: partakeMode.volunteer,
      laStatus: applyStatus.accepted,
      applyFrom: 'import',
    })
    const again = await upload(world, kind, liId, rows.slice(0, 3))
    expect(again).toMatchObject({ sameCount: 3, newCount: 0 })

    const errors = await teacher.client.download(registrationApi.errorExcel, { errorId: batch.errorId })
    expect((await sheetIn(errors.bytes)).lines).toHaveLength(7)
    expect(await world.leader.client.ask(registrationApi.errorExcel, { errorId: batch.errorId })).toMatchObject({
      status: 404,
    })
    const template = await teacher.client.download(registrationApi.exportTemplate, { liId })
    expect((await sheetIn(template.bytes)).template).toEqual({ kind: 'lessonApply', version: 1 })

    await teacher.client.send(importApi.undo, { kind, ibId: batch.ibId })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 1, passCount: 1 })
    expect(await list(world, liId)).toMatchObject([
      { suId: known!.suId, partakeMode: partakeMode.participant, remark: '', laStatus: applyStatus.accepted },
    ])
  })

  test('an import that has been used since is not undone', async () => {
    const world = await lessonWorld()
    const liId = await world.published({}, -0.2)
    const students = await world.students(2)
    const batch = await upload(
      world,
      'lessonApply',
      liId,
      students.map(({ suiNumber, suiName }) => `${suiNumber},${suiName},,`),
    )
    await world.teacher.client.send(importApi.commit, { kind: 'lessonApply', ibId: batch.ibId })
    const [first] = await list(world, liId)
    await world.teacher.client.send(registrationApi.sign, { laIds: [first!.laId], laSignStatus: signStatus.signedIn })
    expect(await world.teacher.client.ask(importApi.undo, { kind: 'lessonApply', ibId: batch.ibId })).toMatchObject({
      code: 300,
      reason: 'import-undo-late',
      msg: expect.stringContaining(`${first!.suiName}（${first!.suiNumber}）的参与记录在导入之后已被修改`) as string,
    })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 2, signCount: 1 })
  })

  test('two imports committed at once never exceed the places', async () => {
    const world = await lessonWorld()
    const liId = await world.published({ quota: 10 })
    const students = await world.students(16)
    const batches = await Promise.all(
      [0, 8].map((from) =>
        upload(
          world,
          'lessonApply',
          liId,
          students.slice(from, from + 8).map(({ suiNumber, suiName }) => `${suiNumber},${suiName},,`),
        ),
      ),
    )
    const replies = await Promise.all(
      batches.map(({ ibId }) =>
        world.teacher.client.ask(importApi.commit, { kind: 'lessonApply', ibId, skipFaults: yesNo.yes }),
      ),
    )
    expect(replies.map(({ code }) => code)).toEqual([200, 200])
    expect(await exact(world, liId)).toMatchObject({ applyCount: 10, passCount: 10 })
  })

  test('a course out of reach, in another state, or without the right is refused', async () => {
    const world = await lessonWorld()
    const liId = await world.published()
    const stranger = await world.school.person('GUIDE_TEACHER', [], { suiCollegeId: world.scId })
    const viewer = await world.school.person('DATA_VIEWER')
    expect(
      await stranger.client.upload(importApi.upload, csv('lessonApply', ['1,2,,']), { kind: 'lessonApply', liId }),
    ).toMatchObject({ status: 404 })
    expect(
      await viewer.client.upload(importApi.upload, csv('lessonApply', ['1,2,,']), { kind: 'lessonApply', liId }),
    ).toMatchObject({ status: 403 })
    await world.school.ctx.db
      .updateTable('lesson')
      .set({ liStatus: lessonStatus.resultInReview })
      .where('schoolId', '=', world.school.schoolId)
      .where('liId', '=', liId)
      .execute()
    expect(
      await world.teacher.client.upload(importApi.upload, csv('lessonApply', ['1,2,,']), { kind: 'lessonApply', liId }),
    ).toMatchObject({ code: 300, reason: 'wrong-state' })
  })
})

describe('attendance by sheet', () => {
  test('is checked, written, and taken back', async () => {
    const world = await lessonWorld()
    const { teacher } = world
    const kind = 'signIn'
    const liId = await world.published({}, -3)
    const [a, b, c, out] = await world.students(4)
    const laIds = await world.enrol(liId, [a!, b!, c!, out!])
    await teacher.client.send(registrationApi.remove, { laId: [laIds[3]!] })
    await teacher.client.send(registrationApi.sign, { laIds: [laIds[2]!], laSignStatus: signStatus.signedIn })
    const { startTime } = await world.school.ctx.db
      .selectFrom('lesson')
      .select('startTime')
      .where('schoolId', '=', world.school.schoolId)
      .where('liId', '=', liId)
      .executeTakeFirstOrThrow()
    const late = addMinutes(startTime, 20).slice(0, 16)
    const batch = await upload(world, kind, liId, [
      `${a!.suiNumber},${a!.suiName},,`,
      `${b!.suiNumber},${b!.suiName},迟到,${late}`,
      `${c!.suiNumber},${c!.suiName},已签到,`,
      `${out!.suiNumber},${out!.suiName},,`,
      'X1,谁,,',
    ])
    expect(await rowFaults(world, kind, batch.ibId)).toEqual([
      ['new'],
      ['new'],
      ['same'],
      ['fault', '该学生未被录取，不能登记签到'],
      ['fault', '学号 X1 不在本课程名单中'],
    ])
    await teacher.client.send(importApi.commit, { kind, ibId: batch.ibId, skipFaults: yesNo.yes })
    const rows = await list(world, liId)
    expect(rows.find(({ suId }) => suId === a!.suId)).toMatchObject({
      laSignStatus: signStatus.signedIn,
      signInTime: startTime,
      signMethod: signType.imported,
    })
    expect(rows.find(({ suId }) => suId === b!.suId)).toMatchObject({
      laSignStatus: signStatus.late,
      signInTime: `${late}:00`,
    })
    expect(await exact(world, liId)).toMatchObject({ signCount: 3 })
    await teacher.client.send(importApi.undo, { kind, ibId: batch.ibId })
    expect(await exact(world, liId)).toMatchObject({ signCount: 1 })
    expect((await list(world, liId)).find(({ suId }) => suId === a!.suId)).toMatchObject({
      laSignStatus: signStatus.notSigned,
      signInTime: null,
      signMethod: null,
    })
    const wrong = await upload(world, kind, liId, [
      `${a!.suiNumber},别人,,2030-01-01 08:00`,
      `${b!.suiNumber},${b!.suiName},,2020-01-01 08:00`,
      `${c!.suiNumber},${c!.suiName},缺席,`,
    ])
    expect(
      (await rowFaults(world, kind, wrong.ibId)).map(([verdict, ...msgs]) => [
        verdict,
        ...msgs.map((msg) => msg!.slice(0, 6)),
      ]),
    ).toEqual([
      ['fault', '姓名与学号不', '签到时间不能'],
      ['fault', '签到时间不能'],
      ['fault', '签到状态“缺'],
    ])
  })
})
