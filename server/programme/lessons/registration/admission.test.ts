import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, applyWay, signStatus } from '../../../../contract/core/codes/programme.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { newId } from '../../../core/base/ids.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { applying, closed, exact, move, rowsOf, messageTitles } from '../../../testing/participants.ts'
import { pickParticipants } from './pick.service.ts'

const reason = '身体不适需要休息'
const secondCollege = async ({ school }: LessonWorld) => {
  const scId = await school.college()
  const majorId = await school.major(scId)
  return { suiCollegeId: scId, majorId, scClassId: await school.schoolClass(majorId, scId) }
}

describe('places of colleges', () => {
  test('each college has its own within the whole; who waits moves up where there is one', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const place = await secondCollege(world)
    const [ours, theirs] = [await world.students(3), await world.school.students(2, place)]
    const liId = await world.published({ quota: 3, waitlistOn: yesNo.yes })
    await client.send(admissionApi.saveRules, { liId, quotaByCollege: [{ scId: world.scId, quota: 1 }] })
    const laIds = await world.enrol(liId, [...ours, ...theirs])
    const statuses = async () => {
      const rows = await rowsOf(world, liId)
      return laIds.map((laId) => rows.get(laId)!.laStatus)
    }
    expect(await statuses()).toEqual(['1', '3', '3', '1', '1'])
    expect(await messageTitles(world, ours[1]!.suId)).toEqual(['进入候补'])
    expect(await client.send(admissionApi.rules, { liId })).toMatchObject({
      quota: 3,
      passCount: 3,
      quotaByCollege: [{ scId: world.scId, quota: 1, admitted: 1 }],
      rangeOpen: false,
      can: ['save'],
    })
    // a place of the other college is none of theirs
    await client.send(registrationApi.remove, { laId: [laIds[3]!] })
    expect(await statuses()).toEqual(['1', '3', '3', '6', '1'])
    await client.send(admissionApi.saveRules, { liId, quotaByCollege: [{ scId: world.scId, quota: 2 }] })
    expect(await statuses()).toEqual(['1', '1', '3', '6', '1'])
    expect(await messageTitles(world, ours[1]!.suId)).toEqual(['进入候补', '候补转为录取'])
    const { scName } = (await client.send(admissionApi.rules, { liId })).quotaByCollege[0]!
    expect(
      await client.ask(admissionApi.saveRules, { liId, quotaByCollege: [{ scId: world.scId, quota: 1 }] }),
    ).toMatchObject({ code: 300, msg: `“${scName}”已录取 2 人，其名额不能少于已录取人数` })
    expect(await exact(world, liId)).toMatchObject({ passCount: 3 })
  })

  test('many at once for the last place of a college: one gets it', async () => {
    const world = await lessonWorld()
    const liId = await world.published({ quota: 30 })
    await world.teacher.client.send(admissionApi.saveRules, { liId, quotaByCollege: [{ scId: world.scId, quota: 1 }] })
    const replies = await Promise.all(
      (await world.students(20)).map(({ suId }) =>
        world.teacher.client.ask(registrationApi.add, { liId, suIds: [suId] }),
      ),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(new Set(replies.filter(({ code }) => code !== 200).map(({ msg }) => msg))).toEqual(
      new Set(['该学生所在学院的名额已满（1 人）']),
    )
    expect(await exact(world, liId)).toMatchObject({ applyCount: 1, passCount: 1 })
  })

  test('reviewed: passing keeps to them too, row by row', async () => {
    const world = await lessonWorld()
    const liId = await applying(world, { quota: 5 })
    await world.teacher.client.send(admissionApi.saveRules, { liId, quotaByCollege: [{ scId: world.scId, quota: 1 }] })
    const laIds = await world.enrol(liId, await world.students(3))
    expect(await world.teacher.client.send(registrationApi.batchPass, { laIds })).toMatchObject({
      affected: 1,
      failed: [{ id: laIds[1], msg: '该学生所在学院的名额已满（1 人）' }, { id: laIds[2] }],
    })
  })

  test('what is said must exist and fit; a range is fixed once the course is approved', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const draft = (await client.send(lessonApi.save, world.form())).liId
    const ask = (more: object, liId = draft) => client.ask(admissionApi.saveRules, { liId, ...more })
    expect(
      await ask({
        quotaByCollege: [
          { scId: world.scId, quota: 1 },
          { scId: world.scId, quota: 2 },
        ],
      }),
    ).toMatchObject({ errors: [{ field: 'quotaByCollege', msg: '同一学院只能出现一次' }] })
    expect(await ask({ signLng: 117 })).toMatchObject({ errors: [{ field: 'signLat', msg: '经度与纬度须同时填写' }] })
    expect(
      await ask({ rangeMajors: [newId()], rangeClasses: [newId()], quotaByCollege: [{ scId: newId(), quota: 1 }] }),
    ).toMatchObject({ errors: [{ field: 'rangeMajors' }, { field: 'rangeClasses' }, { field: 'quotaByCollege' }] })
    expect(await ask({ rangeClasses: [world.place.scClassId], version: 9 })).toMatchObject({ reason: 'stale-version' })
    await client.send(admissionApi.saveRules, {
      liId: draft,
      rangeClasses: [world.place.scClassId],
      rangeMajors: [world.place.majorId],
    })
    expect(await client.send(admissionApi.rules, { liId: draft })).toMatchObject({
      rangeClasses: [{ id: world.place.scClassId }],
      rangeMajors: [{ id: world.place.majorId }],
      rangeOpen: true,
    })
    await client.send(lessonApi.submit, { liId: draft })
    await client.send(lessonApi.publish, { liId: draft })
    expect(await ask({ rangeMajors: [] })).toMatchObject({ code: 300, reason: 'range-after-publish' })
    const outsider = (await world.school.students(1, await secondCollege(world)))[0]!
    expect(await client.ask(registrationApi.add, { liId: draft, suIds: [outsider.suId] })).toMatchObject({
      code: 300,
      msg: '该学生不在报名范围内',
    })
    expect(
      await client.send(registrationApi.add, { liId: draft, suIds: [(await world.students(1))[0]!.suId] }),
    ).toMatchObject({ affected: 1 })
  })

  test('a school may ask for credibility', async () => {
    const world = await lessonWorld()
    const [student] = await world.students(1)
    const liId = await world.published()
    await world.school.ctx.db
      .updateTable('person')
      .set({ suiCredibility: 59 })
      .where('schoolId', '=', world.school.schoolId)
      .where('suId', '=', student!.suId)
      .execute()
    await world.school.rules({ applyCredibility: 60 })
    expect(await world.teacher.client.ask(registrationApi.add, { liId, suIds: [student!.suId] })).toMatchObject({
      code: 300,
      msg: '该学生诚信分为 59 分，低于报名所需的 60 分',
    })
    await world.school.rules({ applyCredibility: 59 })
    expect(await world.teacher.client.ask(registrationApi.add, { liId, suIds: [student!.suId] })).toMatchObject({
      code: 200,
    })
  })
})

describe('the lottery', () => {
  const lottery = (world: LessonWorld, more = {}) => applying(world, { applyWay: applyWay.draw, quota: 3, ...more })

  test('promises its seed, draws once after the deadline, and can be done again by anybody', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await lottery(world)
    const before = (await client.send(admissionApi.drawInfo, { liId }))!
    expect(before).toMatchObject({ seed: null, drawnTime: null, entrants: 0, ranked: [], can: [] })
    expect(before.digest).toMatch(/^[0-9a-f]{64}$/)
    const students = await world.students(8)
    const laIds = await world.enrol(liId, students)
    expect(await client.ask(admissionApi.draw, { liId })).toMatchObject({ code: 300, reason: 'draw-early' })
    expect(await client.ask(registrationApi.pass, { laId: laIds[0] })).toMatchObject({
      code: 300,
      msg: '抽签录取的课程请先抽签，不能逐个录取',
    })
    expect((await rowsOf(world, liId)).get(laIds[0]!)!.can).not.toContain('pass')
    expect(await client.ask(admissionApi.drawSheet, { liId })).toMatchObject({ status: 404 })
    await closed(world, liId)
    const replies = await Promise.all(Array.from({ length: 8 }, () => client.ask(admissionApi.draw, { liId })))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(new Set(replies.filter(({ code }) => code !== 200).map(({ reason: name }) => name))).toEqual(
      new Set(['drawn-already']),
    )
    const after = (await client.send(admissionApi.drawInfo, { liId }))!
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(after).toMatchObject({
      digest: before.digest,
      places: 3,
      entrants: 8,
      drawnBy: expect.any(String) as string,
      can: [],
    })
    expect(sha(after.seed!)).toBe(before.digest)
    const byHand = laIds.toSorted((a, b) => (sha(`${after.seed}:${a}`) < sha(`${after.seed}:${b}`) ? -1 : 1))
    expect(after.ranked.map(({ laId }) => laId)).toEqual(byHand)
    const rows = await rowsOf(world, liId)
    expect(byHand.map((laId) => rows.get(laId)!.laStatus)).toEqual([
      applyStatus.accepted,
      applyStatus.accepted,
      applyStatus.accepted,
      applyStatus.refused,
      applyStatus.refused,
      applyStatus.refused,
      applyStatus.refused,
      applyStatus.refused,
    ])
    expect(byHand.map((laId) => rows.get(laId)!.drawNo)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await exact(world, liId)).toMatchObject({ applyCount: 8, pendingCount: 0, passCount: 3 })
    expect(await messageTitles(world, rows.get(byHand[0]!)!.suId)).toEqual(['抽签中签'])
    expect(await messageTitles(world, rows.get(byHand[7]!)!.suId)).toEqual(['抽签未中'])
    const sheet = (await client.download(admissionApi.drawSheet, { liId })).bytes.toString('utf8')
    for (const laId of laIds) expect(sheet).toContain(`${laId},${sha(`${after.seed}:${laId}`)}`)
    for (const { suiName, suiNumber } of students)
      expect(sheet.includes(suiName) || sheet.includes(suiNumber)).toBe(false)
  })

  test('those without a place wait in the order of the draw; a later entrant is decided on by hand', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await lottery(world, { quota: 2, waitlistOn: yesNo.yes })
    await world.enrol(liId, await world.students(5))
    await closed(world, liId)
    expect(await client.send(admissionApi.draw, { liId })).toMatchObject({ affected: 2, waiting: 3, refused: 0 })
    const { ranked } = (await client.send(admissionApi.drawInfo, { liId }))!
    await client.send(registrationApi.remove, { laId: [ranked[0]!.laId] })
    const rows = await rowsOf(world, liId)
    expect(ranked.map(({ laId }) => rows.get(laId)!.laStatus)).toEqual([
      applyStatus.removed,
      applyStatus.accepted,
      applyStatus.accepted,
      applyStatus.waitlisted,
      applyStatus.waitlisted,
    ])
    const [late] = await world.enrol(liId, await world.students(1))
    expect(await client.ask(registrationApi.pass, { laId: late })).toMatchObject({ code: 300, msg: '名额已满' })
  })

  test('where nobody draws in time the system does, with the same seed; elsewhere it reminds once', async () => {
    const world = await lessonWorld()
    const { school, teacher } = world
    const [liId, slow] = [await lottery(world), await applying(world)]
    await world.enrol(liId, await world.students(5))
    await world.enrol(slow, await world.school.students(1, world.place))
    const { digest } = (await teacher.client.send(admissionApi.drawInfo, { liId }))!
    for (const one of [liId, slow]) await move(world, one, { applyEnd: addMinutes(school.clock.now(), -60 * 4) })
    expect(await pickParticipants(school.services, school.schoolId)).toBe(0)
    for (const one of [liId, slow]) await move(world, one, { applyEnd: addMinutes(school.clock.now(), -60 * 5 - 1) })
    const runs = await Promise.all([1, 2, 3].map(() => pickParticipants(school.services, school.schoolId)))
    expect(runs.reduce((sum, n) => sum + n, 0)).toBe(2)
    const after = (await teacher.client.send(admissionApi.drawInfo, { liId }))!
    expect(after).toMatchObject({ digest, drawnBy: '系统', entrants: 5 })
    expect(await exact(world, liId)).toMatchObject({ passCount: 3, pendingCount: 0 })
    expect(
      (await messageTitles(world, teacher.suId))
        .filter((title) => title === '请审核报名' || title === '已自动抽签')
        .toSorted(),
    ).toEqual(['已自动抽签', '请审核报名'])
    expect(await exact(world, slow)).toMatchObject({ pendingCount: 1 })
  })

  test('other courses have none', async () => {
    const world = await lessonWorld()
    const liId = await applying(world)
    expect(await world.teacher.client.send(admissionApi.drawInfo, { liId })).toBe(null)
    expect(await world.teacher.client.ask(admissionApi.draw, { liId })).toMatchObject({
      code: 300,
      reason: 'not-a-lottery',
    })
    const empty = await lottery(world)
    await closed(world, empty)
    expect(await world.teacher.client.ask(admissionApi.draw, { liId: empty })).toMatchObject({
      code: 300,
      msg: '没有待抽签的报名',
    })
  })
})

describe('leaving', () => {
  test('cancelling is open until the deadline the school sets, leave until the activity; the place goes to who waits', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const now = world.school.clock.now()
    const liId = await world.published({
      applyWay: applyWay.firstCome,
      applyStart: addMinutes(now, -60),
      applyEnd: addMinutes(now, 60),
      quota: 2,
      waitlistOn: yesNo.yes,
    })
    const students = await world.students(4)
    const laIds = (await world.enrol(liId, students)) as [string, string, string, string]
    const ordered = [...(await rowsOf(world, liId)).values()]
    const [first, second] = ordered.filter(({ laStatus }) => laStatus === applyStatus.accepted)
    expect(first!.can).toEqual(expect.arrayContaining(['cancel', 'leave']))
    await client.send(admissionApi.cancel, { laId: first!.laId })
    expect(await messageTitles(world, first!.suId)).toEqual(['已录取', '已取消报名'])
    expect((await rowsOf(world, liId)).get(first!.laId)).toMatchObject({ laStatus: applyStatus.cancelled, can: [] })
    expect(await client.ask(admissionApi.cancel, { laId: first!.laId })).toMatchObject({
      code: 300,
      reason: 'registration-decided',
    })
    await closed(world, liId)
    expect(await client.ask(admissionApi.cancel, { laId: second!.laId })).toMatchObject({
      code: 300,
      msg: expect.stringMatching(/^已过取消报名的时限（报名截止 .*），请改为登记请假$/) as string,
    })
    expect(await client.ask(admissionApi.leave, { laId: second!.laId, reason: '短' })).toMatchObject({
      code: 300,
      msg: '请假原因不能少于 5 个字',
    })
    await client.send(admissionApi.leave, { laId: second!.laId, reason })
    expect((await rowsOf(world, liId)).get(second!.laId)).toMatchObject({
      laStatus: applyStatus.onLeave,
      refuseReason: reason,
    })
    expect(await exact(world, liId)).toMatchObject({ passCount: 2 })
    expect([...(await rowsOf(world, liId)).values()].map(({ laStatus }) => laStatus).toSorted()).toEqual([
      applyStatus.accepted,
      applyStatus.accepted,
      applyStatus.cancelled,
      applyStatus.onLeave,
    ])
    const third = laIds.find((laId) => ![first!.laId, second!.laId].includes(laId))!
    await world.school.rules({ cancelUntil: 'start', leaveAllowed: '0' })
    expect(await client.ask(admissionApi.leave, { laId: third, reason })).toMatchObject({
      code: 300,
      msg: '本校未开启请假，不能登记',
    })
    await client.send(admissionApi.cancel, { laId: third })
    await world.school.rules({ cancelUntil: 'never', leaveAllowed: '1' })
    const last = [...(await rowsOf(world, liId)).values()].find(({ laStatus }) => laStatus === applyStatus.accepted)!
    expect(last.can).not.toContain('cancel')
    expect(await client.ask(admissionApi.cancel, { laId: last.laId })).toMatchObject({
      code: 300,
      reason: 'cancel-late',
    })
    await move(world, liId, { startTime: addMinutes(now, -10) })
    expect(await client.ask(admissionApi.leave, { laId: last.laId, reason })).toMatchObject({
      code: 300,
      msg: '活动已经开始，不能登记请假',
    })
  })

  test('nobody leaves who has signed in; a storm of leaving and coming fills every place once', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    await world.school.rules({ cancelUntil: 'start' })
    const soon = await world.published({ quota: 5 }, 0.3)
    const [laId] = await world.enrol(soon, await world.students(1))
    await client.send(registrationApi.sign, { laIds: [laId!], laSignStatus: signStatus.signedIn })
    const { suiName } = (await rowsOf(world, soon)).get(laId!)!
    expect(await client.ask(admissionApi.cancel, { laId })).toMatchObject({
      code: 300,
      msg: `${suiName} 已有签到记录，不能取消报名`,
    })

    const liId = await world.published({ quota: 5, waitlistOn: yesNo.yes }, 48)
    const laIds = await world.enrol(liId, await world.students(15))
    await Promise.all(
      [...(await rowsOf(world, liId)).values()]
        .filter(({ laStatus }) => laStatus === applyStatus.accepted)
        .flatMap((row, at) => [
          client.ask(
            at % 2 ? admissionApi.cancel : admissionApi.leave,
            at % 2 ? { laId: row.laId } : { laId: row.laId, reason },
          ),
          client.ask(registrationApi.remove, { laId: [row.laId] }),
        ]),
    )
    expect(await exact(world, liId)).toMatchObject({ applyCount: 15, passCount: 5 })
    const waits = [...(await rowsOf(world, liId)).values()].filter(
      ({ laStatus }) => laStatus === applyStatus.waitlisted,
    )
    expect(waits).toHaveLength(5)
    expect(laIds).toHaveLength(15)
  })
})

test('students are told what is decided about them', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const liId = await applying(world)
  const students = await world.students(2)
  const [a, b] = (await world.enrol(liId, students)) as [string, string]
  await client.send(registrationApi.pass, { laId: a })
  await client.send(registrationApi.refuse, { laId: b, reason })
  await client.send(registrationApi.remove, { laId: [a], reason })
  expect(await messageTitles(world, students[0]!.suId)).toEqual(['已录取', '已移出名单'])
  expect(await messageTitles(world, students[1]!.suId)).toEqual(['报名未通过'])
})
