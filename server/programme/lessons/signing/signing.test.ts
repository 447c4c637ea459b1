import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyWay, resultStatus, signStatus, signType } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { signingApi } from '../../../../contract/programme/lessons/signing.calls.ts'
import { managedSigningApi } from '../../../../contract/programme/lessons/managed-signing.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { countersOf, lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { movingCode, readMoving, signCode, typedCode } from './codes.ts'

/** A course that begins in some minutes, with its admitted participants. */
async function soon(world: LessonWorld, minutes: number, people = 2, more = {}) {
  const startTime = addMinutes(world.school.clock.now(), minutes)
  const liId = await world.published({ quota: 100, startTime, endTime: addMinutes(startTime, 60), ...more })
  const students = await world.students(people)
  const laIds = await world.enrol(liId, students)
  const board = (input = {}) => world.teacher.client.send(signingApi.board, { liId, ...input })
  const scan = (code: string | null, suiNumber = students[0]!.suiNumber, place = {}) =>
    world.teacher.client.ask(signingApi.scan, { liId, code: code ?? '', suiNumber, ...place })
  return { liId, startTime, students, laIds, board, scan }
}
/** Moves the sessions of a course, with them the course and who signed in to it, by minutes: time passes for it. */
async function pass({ school }: LessonWorld, liId: string, minutes: number) {
  const { db } = school.ctx
  const sessions = await db
    .selectFrom('lessonSession')
    .select(['lseNo', 'startTime', 'endTime'])
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .orderBy('lseNo')
    .execute()
  for (const { lseNo, startTime, endTime } of sessions)
    await db
      .updateTable('lessonSession')
      .set({ startTime: addMinutes(startTime, -minutes), endTime: addMinutes(endTime, -minutes) })
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', liId)
      .where('lseNo', '=', lseNo)
      .execute()
  const { startTime, endTime } = await db
    .selectFrom('lesson')
    .select(['startTime', 'endTime'])
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('lesson')
    .set({ startTime: addMinutes(startTime, -minutes), endTime: addMinutes(endTime, -minutes) })
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .execute()
  const earlier = (column: string) => sql<string>`${sql.ref(column)} - make_interval(mins => ${minutes})`
  await db
    .updateTable('registration')
    .set({ signInTime: earlier('signInTime'), signOutTime: earlier('signOutTime') })
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .execute()
}
const rowOf = async ({ teacher }: LessonWorld, liId: string, laId: string) =>
  (await teacher.client.send(registrationApi.view, { liId })).records.find((row) => row.laId === laId)!

describe('the changing code', () => {
  test('signs in once, in its window, late after the minutes of the course; every refusal is told', async () => {
    const world = await lessonWorld()
    const { liId, students, laIds, board, scan } = await soon(world, 29)
    const shown = await board()
    expect(shown).toMatchObject({
      open: true,
      direction: 'in',
      lseNo: 1,
      every: 30,
      passCount: 2,
      signCount: 0,
      picture: expect.stringMatching(/^data:image\/png;base64,/) as string,
    })
    expect(shown.leftSeconds).toBeGreaterThan(0)
    expect(await scan('EK9.x.y')).toMatchObject({ code: 300, msg: '签到码不正确或已更换，请扫描屏幕上的最新签到码' })
    const elsewhere = await soon(world, 24 * 60 + 1000, 1)
    expect(await world.teacher.client.ask(signingApi.board, { liId: elsewhere.liId })).toMatchObject({
      code: 300,
      reason: 'sign-not-open',
    })
    expect(await scan(shown.code, '没有此人')).toMatchObject({ code: 300, msg: '学号 没有此人 不在本课程名单中' })
    const replies = await Promise.all(Array.from({ length: 12 }, () => scan(shown.code)))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.filter(({ msg }) => msg === `${students[0]!.suiName} 本场已签到，请勿重复扫码`)).toHaveLength(11)
    expect(await rowOf(world, liId, laIds[0]!)).toMatchObject({
      laSignStatus: signStatus.signedIn,
      signMethod: signType.activityCode,
      attended: 1,
    })
    expect(await board()).toMatchObject({
      signCount: 1,
      sessions: [{ came: 1, left: 0 }],
      last: [{ suiName: students[0]!.suiName }],
    })
    await pass(world, liId, 29 + 16)
    expect(await scan((await board()).code, students[1]!.suiNumber)).toMatchObject({
      data: { laSignStatus: signStatus.late, direction: 'in' },
    })
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
    await world.teacher.client.send(registrationApi.sign, { laIds: [laIds[0]!], laSignStatus: signStatus.notSigned })
    expect(await rowOf(world, liId, laIds[0]!)).toMatchObject({ laSignStatus: signStatus.notSigned, attended: 0 })
    await pass(world, liId, 15)
    expect(await board()).toMatchObject({ open: false, code: null, picture: null })
    expect(await scan(shown.code)).toMatchObject({ code: 300 })
  })

  test('an old picture counts for nothing, and a printed code only in its window', async () => {
    const world = await lessonWorld()
    const { liId, startTime, board, scan } = await soon(world, 20)
    const { code } = await board()
    // the code of two steps ago, made as the screen made it then
    const [session] = await world.school.ctx.db
      .selectFrom('lessonSession')
      .selectAll()
      .where('schoolId', '=', world.school.schoolId)
      .where('liId', '=', liId)
      .execute()
    const of = readMoving(code!)!
    for (const [step, reason] of [
      [of.step - 2, 'code-wrong'],
      [of.step + 1, 'code-wrong'],
      [of.step, undefined],
    ] as const) {
      if (reason) expect(await scan(movingCode(session!.codeSecret, { ...of, step }))).toMatchObject({ reason })
      else expect(movingCode(session!.codeSecret, of)).toBe(code)
    }
    const printed = (lseNo: number, liIdOf = liId) =>
      signCode(session!.codeSecret, {
        schoolId: world.school.schoolId,
        liId: liIdOf,
        lseNo,
        direction: 'in',
        expires: addMinutes(startTime, 30),
      })
    expect(await scan(printed(7))).toMatchObject({ reason: 'code-wrong' })
    expect(
      await scan(
        printed(
          1,
          session!.liId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        ),
      ),
    ).toMatchObject({ code: 300, msg: '这不是本课程的签到码' })
    await pass(world, liId, 20 + 31)
    expect(await scan(printed(1))).toMatchObject({ code: 300, msg: '签到已关闭（活动开始 30 分钟后），请由负责人补签' })
    await world.school.rules({ signCloseMinutes: 45 })
    expect(await scan(printed(1))).toMatchObject({ data: { laSignStatus: signStatus.late } })
    await world.teacher.client.send(lessonApi.signPrincipalAdd, { liId, suIds: [world.teacher.suId] })
    expect(await scan(printed(1))).toMatchObject({ reason: 'code-wrong' })
  })

  test('signing out: after coming, in its window, once; without it nobody passes', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const { liId, students, laIds, board, scan } = await soon(world, 5, 3, { signOutOn: yesNo.yes })
    expect(await scan((await board()).code)).toMatchObject({ code: 200 })
    expect(await scan((await board()).code, students[1]!.suiNumber)).toMatchObject({ code: 200 })
    await pass(world, liId, 40)
    expect(await board({ direction: 'out' })).toMatchObject({ open: false })
    await pass(world, liId, 20)
    const { code, direction } = await board()
    expect(direction).toBe('out')
    expect(await scan(code, students[2]!.suiNumber)).toMatchObject({
      code: 300,
      msg: `${students[2]!.suiName} 本场还没有签到，不能签退`,
    })
    expect(await scan(code)).toMatchObject({ data: { laSignStatus: signStatus.signedOut, direction: 'out' } })
    expect(await scan(code)).toMatchObject({ code: 300, reason: 'signed-out-already' })
    await pass(world, liId, 30)
    expect(
      await client.ask(registrationApi.setAward, { laIds: [laIds[1]!], laResult: resultStatus.passed }),
    ).toMatchObject({
      code: 300,
      msg: `${students[1]!.suiName} 没有签退，不能评定为合格或获奖；可先登记为已签退`,
    })
    expect(await client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.yes })).toEqual({ affected: 1 })
    expect(
      (await client.send(registrationApi.explain, { laId: laIds[1]! })).gates.find(({ failed }) => failed),
    ).toMatchObject({ name: '签退', pending: false })
    await client.send(registrationApi.sign, { laIds: [laIds[1]!], laSignStatus: signStatus.signedOut })
    await client.send(registrationApi.setAward, { laIds: [laIds[1]!], laResult: resultStatus.passed })
    const path = await client.send(registrationApi.explain, { laId: laIds[1]! })
    expect(path).toMatchObject({
      expected: true,
      entries: [
        {
          clType: '学时',
          value: '2',
          grantedAt: null,
          steps: [
            { label: '基础', value: '2' },
            { label: '计入', value: '2' },
          ],
        },
        {},
        {},
        {},
        {},
      ],
    })
    expect(path.gates.find(({ failed }) => failed)).toMatchObject({
      name: '结果审批',
      pending: true,
      hint: '请负责人提交结果',
    })
  })

  test('whoever did not sign out by themselves has left early when the result is submitted', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const { liId, students, laIds, board, scan } = await soon(world, 5, 3, { signOutOn: yesNo.yes })
    for (const { suiNumber } of students.slice(0, 2))
      expect(await scan((await board()).code, suiNumber)).toMatchObject({ code: 200 })
    await pass(world, liId, 60)
    expect(await scan((await board({ direction: 'out' })).code)).toMatchObject({
      data: { laSignStatus: signStatus.signedOut },
    })
    await pass(world, liId, 60)
    await client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.yes })
    await client.send(lessonApi.resultAudit, { liId })
    const status = await Promise.all(laIds.map(async (laId) => rowOf(world, liId, laId)))
    expect(status.map(({ laSignStatus, laResult }) => [laSignStatus, laResult])).toEqual([
      [signStatus.signedOut, signStatus.signedIn],
      [signStatus.leftEarly, signStatus.late],
      [signStatus.absent, signStatus.late],
    ])
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
  })

  test('whoever came to too few sessions does not pass; who was entered by hand was there', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const start = addMinutes(world.school.clock.now(), 10)
    const sessions = [0, 120, 240].map((after) => ({
      startTime: addMinutes(start, after),
      endTime: addMinutes(start, after + 60),
    }))
    const { liId, students, laIds, board, scan } = await soon(world, 10, 3, {
      sessions,
      endTime: addMinutes(start, 320),
      minAttendRate: 60,
    })
    for (const { suiNumber } of students.slice(0, 2))
      expect(await scan((await board()).code, suiNumber)).toMatchObject({ code: 200 })
    await pass(world, liId, 120)
    expect(await scan((await board()).code)).toMatchObject({ data: { lseNo: 2 } })
    await client.send(registrationApi.sign, { laIds: [laIds[2]!], laSignStatus: signStatus.signedIn })
    await pass(world, liId, 300)
    expect(await client.ask(registrationApi.setAward, { laIds, laResult: resultStatus.passed })).toMatchObject({
      code: 300,
      msg: `${students[1]!.suiName} 参加 1 / 3 场，未达到 60% 的最低出勤率，不能评定为合格或获奖`,
    })
    expect(
      (await client.send(registrationApi.explain, { laId: laIds[1]! })).gates.find(({ failed }) => failed),
    ).toMatchObject({ name: '出勤率', note: '参加 1 / 3 场' })
    await client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.no })
    expect((await Promise.all(laIds.map((laId) => rowOf(world, liId, laId)))).map(({ laResult }) => laResult)).toEqual([
      resultStatus.passed,
      resultStatus.failed,
      resultStatus.passed,
    ])
  })

  test('a number that was typed counts for its session, and a scan takes nothing from what was entered by hand', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const start = addMinutes(world.school.clock.now(), 10)
    const sessions = [0, 120, 240].map((after) => ({
      startTime: addMinutes(start, after),
      endTime: addMinutes(start, after + 60),
    }))
    const { liId, students, laIds, board, scan } = await soon(world, 10, 3, {
      sessions,
      endTime: addMinutes(start, 320),
      minAttendRate: 80,
    })
    await client.send(lessonApi.signPrincipalAdd, { liId, suIds: [world.teacher.suId] })
    const [last, entered, always] = [students[0]!, students[1]!, students[2]!]
    const type = ({ suiNumber }: { suiNumber: string }) =>
      client.send(managedSigningApi.scan, { liId, scanned: suiNumber })
    await client.send(registrationApi.sign, {
      laIds: [laIds[1]!],
      laSignStatus: signStatus.madeUp,
      reason: '设备故障，现场登记',
    })
    await type(always)
    for (const lseNo of [2, 3]) {
      await pass(world, liId, 120)
      expect(await scan((await board()).code, entered.suiNumber)).toMatchObject({ data: { lseNo } })
      expect(await scan((await board()).code, always.suiNumber)).toMatchObject({ data: { lseNo } })
    }
    await type(last)
    await pass(world, liId, 100)
    expect(await rowOf(world, liId, laIds[1]!)).toMatchObject({
      signMethod: signType.manual,
      attended: 2,
    })
    expect(await client.ask(registrationApi.setAward, { laIds, laResult: resultStatus.passed })).toMatchObject({
      code: 300,
      msg: expect.stringMatching(/ 参加 1 \/ 3 场，未达到 80% 的最低出勤率/) as string,
    })
    await client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.no })
    expect((await Promise.all(laIds.map((laId) => rowOf(world, liId, laId)))).map(({ laResult }) => laResult)).toEqual([
      resultStatus.failed,
      resultStatus.passed,
      resultStatus.passed,
    ])
  })

  test('whoever was removed after signing in and comes back signs in anew', async () => {
    const world = await lessonWorld()
    const { liId, students, laIds, board, scan } = await soon(world, 20, 1)
    expect(await scan((await board()).code)).toMatchObject({ code: 200 })
    await world.teacher.client.send(registrationApi.remove, { laId: laIds, reason: '误加入名单' })
    await world.enrol(liId, students)
    expect(await rowOf(world, liId, laIds[0]!)).toMatchObject({ laSignStatus: signStatus.notSigned, attended: 0 })
    expect(await scan((await board()).code)).toMatchObject({ data: { laSignStatus: signStatus.signedIn } })
  })

  test('digits may be typed where the course takes them, wrong ones eight times', async () => {
    const world = await lessonWorld()
    const { liId, students, laIds, board, scan } = await soon(world, 20, 2, {
      signType: [signType.activityCode, signType.password],
    })
    const { typed } = await board()
    expect(typed).toMatch(/^\d{6}$/)
    expect(await scan(typed)).toMatchObject({ data: { laSignStatus: signStatus.signedIn, direction: 'in' } })
    expect(await rowOf(world, liId, laIds[0]!)).toMatchObject({ signMethod: signType.password })
    const wrong = typed === '000000' ? '000001' : '000000'
    const replies = await Promise.all(Array.from({ length: 30 }, () => scan(wrong, students[1]!.suiNumber)))
    expect(replies.filter(({ reason }) => reason === 'code-wrong')).toHaveLength(8)
    expect(replies.filter(({ msg }) => msg === '签到密码连续输错 8 次，请 5 分钟后再试，或改为扫码')).toHaveLength(22)
    expect(await scan((await board()).typed, students[1]!.suiNumber)).toMatchObject({ reason: 'code-tries' })
    expect(await scan((await board()).code, students[1]!.suiNumber)).toMatchObject({ code: 200 })
    const plain = await soon(world, 20, 1, { liName: '不用密码的课程' })
    expect((await plain.board()).typed).toBeNull()
    const [session] = await world.school.ctx.db
      .selectFrom('lessonSession')
      .select('codeSecret')
      .where('liId', '=', plain.liId)
      .execute()
    const step = Math.floor(Date.now() / 1000 / 150)
    expect(
      (
        await Promise.all(
          [step - 1, step, step + 1].map((one) =>
            plain.scan(typedCode(session!.codeSecret, { lseNo: 1, direction: 'in', step: one })),
          ),
        )
      ).map(({ reason }) => reason),
    ).toEqual(Array(3).fill('code-wrong'))
  })

  test('sessions are signed in to one by one', async () => {
    const world = await lessonWorld()
    const start = addMinutes(world.school.clock.now(), 10)
    const sessions = [0, 300].map((after) => ({
      startTime: addMinutes(start, after),
      endTime: addMinutes(start, after + 60),
    }))
    const { liId, laIds, board, scan } = await soon(world, 10, 1, { sessions, endTime: addMinutes(start, 400) })
    expect(await scan((await board()).code)).toMatchObject({ data: { lseNo: 1, laSignStatus: signStatus.signedIn } })
    await pass(world, liId, 300)
    expect(await board()).toMatchObject({ lseNo: 2, open: true })
    expect(await scan((await board()).code)).toMatchObject({ data: { lseNo: 2 } })
    expect(await rowOf(world, liId, laIds[0]!)).toMatchObject({ laSignStatus: signStatus.signedIn, attended: 2 })
  })

  test('signing out of one session is not leaving the last one as asked', async () => {
    const world = await lessonWorld()
    const start = addMinutes(world.school.clock.now(), 5)
    const sessions = [0, 300].map((after) => ({
      startTime: addMinutes(start, after),
      endTime: addMinutes(start, after + 60),
    }))
    const { liId, laIds, students, board, scan } = await soon(world, 5, 2, {
      sessions,
      endTime: addMinutes(start, 360),
      signOutOn: yesNo.yes,
    })
    for (const { suiNumber } of students)
      expect(await scan((await board()).code, suiNumber)).toMatchObject({ code: 200 })
    await pass(world, liId, 60)
    for (const { suiNumber } of students)
      expect(await scan((await board()).code, suiNumber)).toMatchObject({ data: { lseNo: 1, direction: 'out' } })
    await pass(world, liId, 240)
    expect(await scan((await board()).code)).toMatchObject({ data: { lseNo: 2, direction: 'in' } })
    await pass(world, liId, 60)
    expect(await scan((await board()).code)).toMatchObject({ data: { lseNo: 2, direction: 'out' } })
    await pass(world, liId, 10)
    expect(
      await world.teacher.client.ask(registrationApi.setAward, { laIds: [laIds[1]!], laResult: resultStatus.passed }),
    ).toMatchObject({ code: 300, reason: 'left-early-no-award' })
    await world.teacher.client.send(registrationApi.rateRemaining, { liId, onlySigned: yesNo.yes })
    await world.teacher.client.send(lessonApi.resultAudit, { liId })
    expect(
      (await Promise.all(laIds.map((laId) => rowOf(world, liId, laId)))).map((row) => [row.laSignStatus, row.laResult]),
    ).toEqual([
      [signStatus.signedOut, resultStatus.passed],
      [signStatus.leftEarly, resultStatus.failed],
    ])
  })

  test('where the place counts, the scan says where it was made and is near', async () => {
    const world = await lessonWorld()
    const { liId, board, scan, students } = await soon(world, 10, 2, {
      signType: [signType.activityCode, signType.location],
    })
    const { code } = await board()
    await world.teacher.client.send(admissionApi.saveRules, { liId, signLng: 117.2272, signLat: 31.8206 })
    expect(await scan(code)).toMatchObject({ code: 300, msg: '本课程须定位签到，请允许获取位置后再试' })
    expect(await scan(code, students[0]!.suiNumber, { lng: 117.2272, lat: 31.8306 })).toMatchObject({
      code: 300,
      msg: '距活动地点约 1,112 米，超出允许的 200 米，不能签到',
    })
    expect(await scan(code, students[0]!.suiNumber, { lng: 117.2272, lat: 31.8216 })).toMatchObject({ code: 200 })
    await world.teacher.client.send(admissionApi.saveRules, {
      liId,
      signLng: 117.2272,
      signLat: 31.8206,
      signRadius: 2000,
    })
    expect(await scan(code, students[1]!.suiNumber, { lng: 117.2272, lat: 31.8306 })).toMatchObject({ code: 200 })
  })

  test('is for those in charge of the course, and for admitted students', async () => {
    const world = await lessonWorld()
    const now = world.school.clock.now()
    const { liId, board, scan, laIds, students } = await soon(world, 20, 1, {
      applyWay: applyWay.review,
      applyStart: addMinutes(now, -60),
      applyEnd: addMinutes(now, 10),
    })
    const { code } = await board()
    expect(await scan(code)).toMatchObject({ code: 300, msg: `${students[0]!.suiName} 未被录取，不能签到` })
    await world.teacher.client.send(registrationApi.pass, { laId: laIds[0]! })
    const other = await world.school.person('GUIDE_TEACHER', [], world.place)
    for (const [call, input] of [
      [signingApi.board, { liId }],
      [signingApi.scan, { liId, code, suiNumber: students[0]!.suiNumber }],
    ] as const)
      expect(await other.client.ask(call, input)).toMatchObject({ status: 404 })
    expect(await scan(code)).toMatchObject({ code: 200 })
  })
})
