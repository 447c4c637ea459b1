import { expect, test } from 'vitest'
import { applyWay, signStatus, signType } from '../../contract/core/codes/programme.ts'
import { signHint } from '../../contract/core/codes/signing.ts'
import { admissionApi } from '../../contract/programme/lessons/admission.calls.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { signingApi } from '../../contract/programme/lessons/signing.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { managedSigningApi } from '../../contract/programme/lessons/managed-signing.calls.ts'
import { ownSigningApi } from '../../contract/student/signing.calls.ts'
import { addMinutes, addSeconds, epochOf, secondsBetween } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { movingCode } from '../programme/lessons/signing/codes.ts'
import { forgetSignPlaces } from '../programme/lessons/signing/sign-hints.service.ts'
import { lessonWorld, type LessonWorld } from '../testing/lessons.ts'
import { beginsIn, signedIn, type StudentClient } from '../testing/own-side.ts'
import { applying } from '../testing/participants.ts'

test('wrong digits of one student keep neither another one nor the course from signing in', async () => {
  const world = await lessonWorld()
  const [guesser, other] = (await signedIn(world, 2)) as [StudentClient, StudentClient]
  const liId = await applying(world, {
    applyWay: applyWay.firstCome,
    signType: [signType.activityCode, signType.password],
  })
  for (const { client } of [guesser, other]) await client.send(ownActivityApi.join, { liId })
  await beginsIn(world, liId, 10)
  const { typed, code } = await world.teacher.client.send(signingApi.board, { liId })
  const wrong = typed === '000000' ? '000001' : '000000'
  const typing = (text: string, { client }: StudentClient) => client.ask(ownActivityApi.sign, { liId, code: text })
  const tries = await Promise.all(Array.from({ length: 12 }, () => typing(wrong, guesser)))
  expect(tries.filter(({ reason }) => reason === 'code-wrong')).toHaveLength(8)
  expect(await typing(typed!, guesser)).toMatchObject({ reason: 'code-tries' })
  expect(await typing(typed!, other)).toMatchObject({ code: 200 })
  // whoever is out of tries can still scan
  expect(await typing(code!, guesser)).toMatchObject({ code: 200 })
})

/** A course that takes place in some minutes, with students in it, and what its screen shows. */
async function beginning(world: LessonWorld, count: number, more = {}) {
  const students = await signedIn(world, count)
  const liId = await applying(world, { applyWay: applyWay.firstCome, quota: 50, ...more })
  for (const { client } of students) await client.send(ownActivityApi.join, { liId })
  await beginsIn(world, liId, 10)
  const session = await world.school.ctx.db
    .selectFrom('lessonSession')
    .select('codeSecret')
    .where('schoolId', '=', world.school.schoolId)
    .where('liId', '=', liId)
    .executeTakeFirstOrThrow()
  const { schoolId, clock } = world.school
  /** The code that the screen showed so many seconds ago. */
  const shownAgo = (seconds: number) =>
    movingCode(session.codeSecret, {
      schoolId,
      liId,
      lseNo: 1,
      direction: 'in',
      step: Math.floor(epochOf(addSeconds(clock.now(), -seconds)) / 30_000),
    })
  const sign = ({ client }: StudentClient, input: object) =>
    client.ask(ownActivityApi.sign, { code: shownAgo(0), ...input })
  const hints = async () =>
    (await world.teacher.client.send(signingApi.hints, { liId }))
      .map(({ suiNumber, kind, text }) => ({ suiNumber, kind, text }))
      .toSorted((a, b) => (a.suiNumber + a.kind < b.suiNumber + b.kind ? -1 : 1))
  return { liId, students, shownAgo, sign, hints, ago: (seconds: number) => addSeconds(clock.now(), -seconds) }
}

test('a code scanned without network is taken for ten minutes, once, as of its own moment, and managers are told', async () => {
  const world = await lessonWorld()
  const { liId, students, shownAgo, sign, hints, ago } = await beginning(world, 3)
  const [me, slow, cheat] = students as [StudentClient, StudentClient, StudentClient]
  const kept = { code: shownAgo(300), scannedAt: ago(295) }
  expect(await sign(me, kept)).toMatchObject({ code: 200, data: { liId } })
  expect(await sign(me, kept)).toMatchObject({ reason: 'signed-in-already' })
  const { records } = await world.teacher.client.send(registrationApi.view, { liId })
  const { signInTime } = records.find(({ suId }) => suId === me.suId)!
  // a second or two pass while the test runs
  expect(Math.abs(secondsBetween(signInTime!, ago(295)))).toBeLessThan(10)
  expect(await sign(slow, { code: shownAgo(720), scannedAt: ago(719) })).toMatchObject({ reason: 'scan-expired' })
  // what the phone's clock says wins nothing over what the code proves, and an old code without it is no code
  expect(await sign(cheat, { code: shownAgo(720), scannedAt: ago(10) })).toMatchObject({ reason: 'scan-expired' })
  expect(await sign(cheat, { code: shownAgo(300) })).toMatchObject({ reason: 'code-wrong' })
  expect(await hints()).toEqual(
    [
      { suiNumber: me.suiNumber, kind: signHint.offline, text: '无网络时扫码，5 分钟后补交' },
      { suiNumber: slow.suiNumber, kind: signHint.forwarded, text: expect.stringMatching(/1[12] 分钟/) as string },
      { suiNumber: cheat.suiNumber, kind: signHint.forwarded, text: expect.stringContaining('失效') as string },
    ].toSorted((a, b) => (a.suiNumber < b.suiNumber ? -1 : 1)),
  )
  const counted = (await world.teacher.client.send(registrationApi.view, { liId })).records
  expect(counted.filter(({ laSignStatus }) => laSignStatus === signStatus.signedIn)).toHaveLength(1)
})

test('one device for several and a place far away are told to managers and decide nothing; the terms of keeping take them', async () => {
  const world = await lessonWorld()
  const { school } = world
  const { liId, students, sign, hints } = await beginning(world, 3, {
    signType: [signType.activityCode, signType.location],
  })
  await world.teacher.client.send(admissionApi.saveRules, { liId, signLng: 117.2272, signLat: 31.8206 })
  const [a, b, c] = students as [StudentClient, StudentClient, StudentClient]
  const here = { lng: 117.2272, lat: 31.8206 }
  const device = newId()
  expect(await sign(c, { lng: 117.2272, lat: 31.9206, device })).toMatchObject({ reason: 'too-far' })
  expect(await sign(a, { ...here, device })).toMatchObject({ code: 200 })
  expect(await sign(b, { ...here, device })).toMatchObject({ code: 200 })
  expect(await sign(c, { ...here, device: newId() })).toMatchObject({ code: 200 })
  const shared = '本场另有 1 人使用同一设备签到'
  expect(await hints()).toEqual([
    { suiNumber: a.suiNumber, kind: signHint.device, text: shared },
    { suiNumber: b.suiNumber, kind: signHint.device, text: shared },
    { suiNumber: c.suiNumber, kind: signHint.far, text: '在距活动地点约 11.1 千米处签到，未计入' },
  ])
  const kept = () =>
    school.ctx.db
      .selectFrom('sessionSign')
      .select(['signLng', 'deviceHash', 'signInTime'])
      .where('schoolId', '=', school.schoolId)
      .execute()
  // the id itself is nowhere, and one of another course could not be compared with it
  expect((await kept())[0]!.deviceHash!.toString('utf8')).not.toContain(device)
  expect(await forgetSignPlaces(school.ctx.db, school.schoolId, addMinutes(school.clock.now(), -60))).toBe(0)
  expect(await forgetSignPlaces(school.ctx.db, school.schoolId, addMinutes(school.clock.now(), 1))).toBe(3)
  expect(await hints()).toEqual([])
  expect(await kept()).toEqual(
    Array.from({ length: 3 }, () => ({
      signLng: null,
      deviceHash: null,
      signInTime: expect.any(String) as string,
    })),
  )
})

test('a student whom a course names looks after its sign-in on the phone, there and then only', async () => {
  const world = await lessonWorld()
  const { liId, students } = await beginning(world, 3)
  const [manager, one, other] = students as [StudentClient, StudentClient, StudentClient]
  const inputs = [
    [managedSigningApi.board, { liId }],
    [managedSigningApi.people, { liId }],
    [managedSigningApi.scan, { liId, scanned: one.suiNumber }],
  ] as const
  for (const [call, input] of inputs)
    expect(await manager.client.ask(call, input as never)).toMatchObject({ status: 404 })
  expect(await manager.client.send(managedSigningApi.managed, {})).toEqual([])
  await world.teacher.client.send(lessonApi.signPrincipalAdd, { liId, suIds: [manager.suId] })
  expect(await manager.client.send(managedSigningApi.managed, {})).toMatchObject([{ liId, verdict: '', passCount: 3 }])
  const board = await manager.client.send(managedSigningApi.board, { liId })
  expect(board).toMatchObject({ open: true, picture: expect.stringContaining('data:image/png') as string })
  // what is shown on the manager's phone counts like the code of the big screen
  await manager.client.send(ownActivityApi.sign, { code: board.code! })

  const { code, suiName } = await one.client.send(ownSigningApi.code, {})
  const scan = (scanned: string, by = manager) => by.client.ask(managedSigningApi.scan, { liId, scanned })
  expect(await scan(`${code}x`)).toMatchObject({ reason: 'person-code-wrong' })
  expect(await scan(code, other)).toMatchObject({ status: 404 })
  expect(await scan(code)).toMatchObject({ data: { suiName, laSignStatus: signStatus.signedIn } })
  expect(await scan(code)).toMatchObject({ reason: 'signed-in-already' })
  expect(await scan('20990000')).toMatchObject({ reason: 'not-on-list' })
  expect(await scan(other.suiNumber)).toMatchObject({ data: { laSignStatus: signStatus.signedIn } })

  const { records } = await manager.client.send(managedSigningApi.people, { liId, search: other.suiName })
  expect(records).toMatchObject([{ suiNumber: other.suiNumber, laSignStatus: signStatus.signedIn, hints: [] }])
  const correct = (laSignStatus: '7' | '0', reason: string) =>
    manager.client.ask(managedSigningApi.correct, { laId: records[0]!.laId, laSignStatus, reason })
  expect(await correct(signStatus.madeUp, '迟')).toMatchObject({ reason: 'sign-reason-needed' })
  expect(await correct(signStatus.notSigned, '替人刷码，本人不在场')).toMatchObject({ code: 200 })
  const rows = (await world.teacher.client.send(registrationApi.view, { liId })).records
  expect(rows.find(({ suId }) => suId === one.suId)).toMatchObject({ signMethod: signType.studentCode })
  expect(rows.find(({ suId }) => suId === other.suId)).toMatchObject({ laSignStatus: signStatus.notSigned })
  // whom the course names among staff does the same by the right of their role, and sees nothing else there
  const { client: leader } = world.teacher
  expect(await leader.send(managedSigningApi.managed, {})).toMatchObject([{ liId, verdict: '' }])
  expect(await leader.send(managedSigningApi.board, { liId })).toMatchObject({ open: true })
  expect((await leader.send(managedSigningApi.people, { liId })).total).toBe(3)
  expect(await leader.ask(managedSigningApi.scan, { liId, scanned: one.suiNumber })).toMatchObject({
    reason: 'signed-in-already',
  })
  expect(await leader.ask(ownSigningApi.code, {})).toMatchObject({ status: 403 })
  // a right over the whole school is none over a course that does not name its holder
  expect(await world.school.admin.send(managedSigningApi.managed, {})).toEqual([])
  expect(await world.school.admin.ask(managedSigningApi.board, { liId })).toMatchObject({ status: 404 })
  // the right opens nothing of the console, and it is over with the naming
  expect(await manager.client.ask(registrationApi.view, { liId })).toMatchObject({ status: 403 })
  await beginsIn(world, liId, 200)
  expect(await scan(one.suiNumber)).toMatchObject({ reason: 'sign-not-open' })
  expect((await manager.client.send(managedSigningApi.managed, {}))[0]!.verdict).toContain('30')
  await world.teacher.client.send(lessonApi.signPrincipalAdd, { liId, suIds: [other.suId] })
  expect(await scan(one.suiNumber)).toMatchObject({ status: 404 })
})
