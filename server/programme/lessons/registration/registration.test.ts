import { describe, expect, onTestFinished, test } from 'vitest'
import { fullPath, type Input } from '../../../../contract/core/call.ts'
import { backgroundStatus, yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  applyWay,
  lessonStatus,
  resultStatus,
  signStatus,
} from '../../../../contract/core/codes/programme.ts'
import { studentStatus } from '../../../../contract/core/codes/school.ts'
import { backgroundApi } from '../../../../contract/platform/background/background.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addDays, addMinutes } from '../../../core/base/clock.ts'
import { newId } from '../../../core/base/ids.ts'
import { runBackground, whenOver } from '../../../testing/background.ts'
import { countersOf, lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { messageTitles } from '../../../testing/participants.ts'

const reviewed = (world: LessonWorld, more = {}) => {
  const now = world.school.clock.now()
  return world.published({
    applyWay: applyWay.review,
    applyStart: addMinutes(now, -60),
    applyEnd: addMinutes(now, 60),
    ...more,
  })
}
const statuses = async ({ school }: LessonWorld, laIds: string[]) => {
  const rows = await school.ctx.db
    .selectFrom('registration')
    .select(['laId', 'laStatus'])
    .where('schoolId', '=', school.schoolId)
    .execute()
  return laIds.map((laId) => rows.find((row) => row.laId === laId)?.laStatus)
}
const exact = async ({ school }: LessonWorld, liId: string) => {
  const { stored, counted } = await countersOf(school, liId)
  expect(stored).toEqual(counted)
  return stored
}
const reason = '不符合本次活动要求'

describe('entering students', () => {
  test('each rule is told by name, and what fits is entered', async () => {
    const world = await lessonWorld()
    const { teacher, school } = world
    const { db } = school.ctx
    const liId = await world.published({ quota: 2, rangeColleges: [world.scId] })
    const other = await world.published({ quota: 5 })
    const [fits, twice, busy, black, third, late] = await world.students(6)
    const foreign = (await school.students(1, { ...world.place, suiCollegeId: await school.college() }))[0]!
    await db
      .updateTable('person')
      .set({ blackUntil: addDays(school.clock.now(), 3) })
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', black!.suId)
      .execute()
    await world.enrol(other, [busy!])
    await world.enrol(liId, [twice!])
    const { liName } = await teacher.client.send(lessonApi.details, { liId: other })
    const ask = (suId: string) => teacher.client.ask(registrationApi.add, { liId, suIds: [suId] })
    expect(await ask(twice!.suId)).toMatchObject({ code: 300, msg: `${twice!.suiName} 已在名单中` })
    expect(await ask(busy!.suId)).toMatchObject({ code: 300, msg: `该学生时间冲突：${liName}` })
    expect(await ask(black!.suId)).toMatchObject({ code: 300, msg: '该学生在黑名单期内，不能报名' })
    expect(await ask(foreign.suId)).toMatchObject({ code: 300, msg: '该学生不在报名范围内' })
    expect(await ask(teacher.suId)).toMatchObject({ code: 300, reason: 'not-a-student' })
    expect(await ask(newId())).toMatchObject({ status: 404 })
    const batch = await teacher.client.send(registrationApi.add, {
      liId,
      suIds: [fits, busy, third, late].map((one) => one!.suId),
    })
    expect(batch).toEqual({
      affected: 1,
      failed: [
        { id: busy!.suId, name: busy!.suiName, msg: `该学生时间冲突：${liName}` },
        { id: third!.suId, name: third!.suiName, msg: '名额已满' },
        { id: late!.suId, name: late!.suiName, msg: '名额已满' },
      ],
    })
    expect(await ask(third!.suId)).toMatchObject({ code: 300, msg: '名额已满' })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 2, passCount: 2 })
  })

  test('whose graduation is delayed still takes part; who has left school, or is away from it, does not', async () => {
    const world = await lessonWorld()
    const { school, teacher } = world
    const liId = await world.published()
    const admitted = async (suiStatus: string) => {
      const student = (await world.students(1))[0]!
      await school.ctx.db
        .updateTable('person')
        .set({ suiStatus })
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', student.suId)
        .execute()
      return (await teacher.client.ask(registrationApi.add, { liId, suIds: [student.suId] })).reason ?? 'admitted'
    }
    expect(await admitted(studentStatus.delayed)).toBe('admitted')
    expect(await admitted(studentStatus.suspended)).toBe('not-a-student')
    expect(await admitted(studentStatus.graduated)).toBe('not-a-student')
  })

  test('five hundred at once for fifty places: fifty get in, the others are told', async () => {
    const world = await lessonWorld()
    const liId = await world.published({ quota: 50 })
    const students = await world.students(500)
    const replies = await Promise.all(
      students.map(({ suId }) => world.teacher.client.ask(registrationApi.add, { liId, suIds: [suId] })),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(50)
    expect(new Set(replies.filter(({ code }) => code !== 200).map(({ code, msg }) => `${code} ${msg}`))).toEqual(
      new Set(['300 名额已满']),
    )
    expect(await exact(world, liId)).toMatchObject({ applyCount: 50, passCount: 50 })
  }, 60_000)

  test('the same student twenty times at once is one participant', async () => {
    const world = await lessonWorld()
    const liId = await world.published()
    const [student] = await world.students(1)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => world.teacher.client.ask(registrationApi.add, { liId, suIds: [student!.suId] })),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.filter(({ reason: name }) => name === 'already-registered')).toHaveLength(19)
    expect(await exact(world, liId)).toMatchObject({ applyCount: 1, passCount: 1 })
  })

  test('two courses at the same hour cannot both take a student', async () => {
    const world = await lessonWorld()
    const [one, two] = [await world.published({ quota: 100 }), await world.published({ quota: 100 })]
    const students = await world.students(20)
    await Promise.all(
      students.flatMap(({ suId }) =>
        [one, two].map((liId) => world.teacher.client.ask(registrationApi.add, { liId, suIds: [suId] })),
      ),
    )
    const [first, second] = [await exact(world, one), await exact(world, two)]
    expect(first.passCount + second.passCount).toBe(20)
  })
})

describe('deciding on applications', () => {
  test('pass, refuse, remove: states, places and counters agree at every step', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await reviewed(world, { quota: 2 })
    const students = await world.students(5)
    const [a, b, c, d, e] = (await world.enrol(liId, students)) as [string, string, string, string, string]
    expect(await exact(world, liId)).toMatchObject({ pendingCount: 5, passCount: 0 })
    expect((await client.send(registrationApi.view, { liId, laStatus: applyStatus.pending })).records[0]!.can).toEqual([
      'pass',
      'refuse',
      'del',
      'cancel',
    ])
    await client.send(registrationApi.pass, { laId: a })
    expect(await client.ask(registrationApi.pass, { laId: a })).toMatchObject({
      code: 300,
      reason: 'registration-decided',
    })
    expect(await client.ask(registrationApi.refuse, { laId: b, reason: '短' })).toMatchObject({
      code: 300,
      msg: '拒绝原因不能少于 5 个字',
    })
    await client.send(registrationApi.refuse, { laId: b, reason })
    expect(await client.send(registrationApi.batchPass, { laIds: [b, c, d, e] })).toMatchObject({
      affected: 1,
      failed: [{ id: b }, { id: d, msg: '名额已满' }, { id: e, msg: '名额已满' }],
    })
    expect(await client.ask(registrationApi.pass, { laId: d })).toMatchObject({ code: 300, msg: '名额已满' })
    expect(await exact(world, liId)).toMatchObject({ pendingCount: 2, passCount: 2 })
    await client.send(registrationApi.remove, { laId: [a], reason })
    await client.send(registrationApi.pass, { laId: d })
    expect(await client.send(registrationApi.batchRefuse, { laIds: [e], reason })).toEqual({ affected: 1, failed: [] })
    expect(await statuses(world, [a, b, c, d, e])).toEqual(['6', '2', '1', '1', '2'])
    expect(await client.send(registrationApi.counts, { liId })).toMatchObject({
      quota: 2,
      applyTotal: 5,
      pending: 0,
      passed: 2,
      refused: 2,
      waiting: 0,
      unrated: 2,
    })
    const accepted = { laStatus: applyStatus.accepted }
    for (const filter of [{}, { suiNumber: students[3]!.suiNumber }, { collegeId: newId() }]) {
      const found = await client.send(registrationApi.counts, { liId, ...filter })
      const listed = async (state: Omit<Input<typeof registrationApi.view>, 'liId'>) =>
        (await client.send(registrationApi.view, { liId, ...filter, ...state })).total
      expect(found).toMatchObject({
        quota: 2,
        applyTotal: await listed({}),
        pending: await listed({ laStatus: applyStatus.pending }),
        passed: await listed(accepted),
        refused: await listed({ laStatus: applyStatus.refused }),
        notSigned: await listed({ ...accepted, laSignStatus: signStatus.notSigned }),
        unrated: await listed({ ...accepted, laResult: resultStatus.unrated }),
        withoutWork: await listed({ ...accepted, hasWork: yesNo.no }),
      })
    }
    expect(await client.ask(registrationApi.remove, { laId: [c, a] })).toMatchObject({
      code: 300,
      reason: 'registration-decided',
    })
    await client.send(registrationApi.delJoin, { ids: [c, b] })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 3, passCount: 1 })
    expect(
      await client.send(registrationApi.add, { liId, suIds: [students[0]!.suId, students[2]!.suId] }),
    ).toMatchObject({ affected: 2 })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 4, pendingCount: 2, passCount: 1 })
  })

  test('sixty passed at once for twenty places: twenty', async () => {
    const world = await lessonWorld()
    const liId = await reviewed(world, { quota: 20 })
    const laIds = await world.enrol(liId, await world.students(60))
    const replies = await Promise.all(laIds.map((laId) => world.teacher.client.ask(registrationApi.pass, { laId })))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(20)
    expect(replies.filter(({ msg }) => msg === '名额已满')).toHaveLength(40)
    expect(await exact(world, liId)).toMatchObject({ passCount: 20, pendingCount: 40 })
  })

  test('a storm of passes, removals and additions ends with exact counters and no more than the places', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await reviewed(world, { quota: 5, waitlistOn: yesNo.yes })
    const students = await world.students(12)
    const laIds = await world.enrol(liId, students)
    const acts = laIds.flatMap((laId, at) => [
      () => client.ask(registrationApi.pass, { laId }),
      () => client.ask(registrationApi.remove, { laId: [laId] }),
      () => client.ask(registrationApi.add, { liId, suIds: [students[at]!.suId] }),
      () => client.ask(registrationApi.batchPass, { laIds: [laId, laIds[(at + 1) % laIds.length]!] }),
    ])
    const replies = await Promise.all(acts.map((act) => act()))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await exact(world, liId)).passCount).toBeLessThanOrEqual(5)
  })

  test('after the end nobody is passed any more, but the list can still be put right', async () => {
    const world = await lessonWorld()
    const liId = await reviewed(world)
    const [one, two] = await world.students(2)
    const [laId] = await world.enrol(liId, [one!])
    const now = world.school.clock.now()
    await world.school.ctx.db
      .updateTable('lesson')
      .set({ startTime: addMinutes(now, -120), endTime: addMinutes(now, -60) })
      .where('schoolId', '=', world.school.schoolId)
      .where('liId', '=', liId)
      .execute()
    expect(await world.teacher.client.ask(registrationApi.pass, { laId })).toMatchObject({
      code: 300,
      msg: '当前状态不可审核报名，请刷新后查看',
    })
    expect((await world.teacher.client.send(registrationApi.view, { liId })).records[0]!.can).toEqual(['del'])
    expect(await world.teacher.client.send(registrationApi.add, { liId, suIds: [two!.suId] })).toMatchObject({
      affected: 1,
    })
    await world.school.ctx.db
      .updateTable('lesson')
      .set({ liStatus: lessonStatus.resultInReview })
      .where('schoolId', '=', world.school.schoolId)
      .where('liId', '=', liId)
      .execute()
    for (const [call, input] of [
      [registrationApi.add, { liId, suIds: [two!.suId] }],
      [registrationApi.remove, { laId: [laId!] }],
      [registrationApi.delJoin, { ids: [laId!] }],
      [registrationApi.sign, { laIds: [laId!], laSignStatus: signStatus.signedIn }],
    ] as const) {
      expect(await world.teacher.client.ask(call, input)).toMatchObject({ code: 300, reason: 'wrong-state' })
    }
  })

  test('records of two courses are not mixed in one action', async () => {
    const world = await lessonWorld()
    const [one, two] = await world.students(2)
    const [first] = await world.enrol(await world.published(), [one!])
    const [second] = await world.enrol(await world.published({}, 48), [two!])
    expect(await world.teacher.client.ask(registrationApi.remove, { laId: [first, second] })).toMatchObject({
      code: 300,
      reason: 'one-lesson-only',
    })
    expect(await world.teacher.client.ask(registrationApi.remove, { laId: [first, newId()] })).toMatchObject({
      status: 404,
    })
    expect(await statuses(world, [first!, second!])).toEqual(['1', '1'])
  })
})

describe('the waiting list', () => {
  test('moves up in its order when places become free or more', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published({ quota: 2, waitlistOn: yesNo.yes })
    const laIds = (await world.enrol(liId, await world.students(5))) as [string, string, string, string, string]
    const byWait = (
      await client.send(registrationApi.view, { liId, laStatus: applyStatus.waitlisted })
    ).records.toSorted((x, y) => x.waitNo! - y.waitNo!)
    expect(byWait.map(({ waitNo }) => waitNo)).toEqual([1, 2, 3])
    const passed = laIds.filter((laId) => !byWait.some((row) => row.laId === laId))
    await client.send(registrationApi.remove, { laId: [passed[0]!] })
    expect(
      await statuses(
        world,
        byWait.map(({ laId }) => laId),
      ),
    ).toEqual(['1', '3', '3'])
    expect(await exact(world, liId)).toMatchObject({ passCount: 2 })
    const detail = await client.send(lessonApi.details, { liId })
    const form = {
      ...world.form({
        liName: detail.liName,
        startTime: detail.startTime,
        endTime: detail.endTime,
        waitlistOn: yesNo.yes,
        quota: 3,
      }),
      liId,
      version: detail.version,
    }
    await client.send(lessonApi.save, form)
    expect(
      await statuses(
        world,
        byWait.map(({ laId }) => laId),
      ),
    ).toEqual(['1', '1', '3'])
    expect(await exact(world, liId)).toMatchObject({ passCount: 3 })
  })

  test('passes over who could not register now, tells them why once, and calls them up when they can', async () => {
    const world = await lessonWorld()
    const { school, teacher } = world
    const liId = await world.published({ quota: 1, waitlistOn: yesNo.yes })
    const other = await world.published({ quota: 5 })
    const students = await world.students(5)
    const [, busy, away, banned, fits] = students
    const laIds = await world.enrol(liId, students)
    // the order of the list is that of entering
    expect(await statuses(world, laIds)).toEqual(['1', '3', '3', '3', '3'])
    const [inOther] = await world.enrol(other, [busy!])
    await school.setPerson(away!.suId, { suiStatus: studentStatus.suspended })
    await school.setPerson(banned!.suId, { blackUntil: addDays(school.clock.now(), 3) })
    await teacher.client.send(registrationApi.remove, { laId: [laIds[0]!] })
    expect(await statuses(world, laIds)).toEqual(['6', '3', '3', '3', '1'])
    expect(await exact(world, liId)).toMatchObject({ passCount: 1 })
    await teacher.client.send(registrationApi.remove, { laId: [laIds[4]!] })
    expect(await statuses(world, laIds)).toEqual(['6', '3', '3', '3', '6'])
    const passedOver = async (suId: string) =>
      (await messageTitles(world, suId)).filter((title) => title === '候补未能递补').length
    expect(await Promise.all([busy, away, banned, fits].map((one) => passedOver(one!.suId)))).toEqual([1, 1, 1, 0])
    const { iiContent } = await school.ctx.db
      .selectFrom('information')
      .select('iiContent')
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', liId)
      .where('iiContent', 'like', '%时间冲突%')
      .executeTakeFirstOrThrow()
    const { liName } = await teacher.client.send(lessonApi.details, { liId: other })
    expect(iiContent).toContain(`原因：与您已录取的课程“${liName}”时间冲突。您仍在候补名单中`)
    // the place is still free, and what stood in the way alone has gone
    await teacher.client.send(registrationApi.remove, { laId: [inOther!] })
    expect(await statuses(world, laIds)).toEqual(['6', '1', '3', '3', '6'])
    expect(await exact(world, liId)).toMatchObject({ passCount: 1 })
  })

  test('who is let go of in the background is called up elsewhere as well, once that is kept', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published({ quota: 1, waitlistOn: yesNo.yes })
    const [first, busy] = await world.students(2)
    const laIds = await world.enrol(liId, [first!, busy!])
    const other = await world.published({ quota: 5 })
    await world.enrol(other, [busy!])
    await client.send(registrationApi.remove, { laId: [laIds[0]!] })
    expect(await statuses(world, laIds)).toEqual(['6', '3'])
    const runner = await runBackground()
    onTestFinished(() => runner.stop(100))
    const { btId } = await client.send(backgroundApi.actOnAll, {
      act: fullPath(registrationApi.remove),
      list: fullPath(registrationApi.view),
      filter: { liId: other },
      total: 1,
    })
    expect(await whenOver(client, btId)).toMatchObject({ btStatus: backgroundStatus.done })
    await expect.poll(() => statuses(world, laIds)).toEqual(['6', '1'])
  })

  test('nobody is called up once the activity has begun', async () => {
    const world = await lessonWorld()
    const liId = await world.published({ quota: 1, waitlistOn: yesNo.yes }, -0.2)
    const laIds = await world.enrol(liId, await world.students(2))
    const before = await statuses(world, laIds)
    expect(before.toSorted()).toEqual(['1', '3'])
    await world.teacher.client.send(registrationApi.remove, { laId: [laIds[before.indexOf('1')]!] })
    expect((await statuses(world, laIds)).toSorted()).toEqual(['3', '6'])
    expect(await exact(world, liId)).toMatchObject({ passCount: 0 })
  })
})

describe('taking a course down', () => {
  test('is possible until somebody has signed in; calling it off frees everybody', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published({}, -0.5)
    const [laId] = await world.enrol(liId, await world.students(1))
    await client.send(lessonApi.unpublish, { liId, reason })
    expect(await client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.unpublished,
      exitReason: reason,
      can: ['publish', 'cancel', 'export'],
    })
    await client.send(lessonApi.publish, { liId })
    await client.send(registrationApi.sign, { laIds: [laId!], laSignStatus: signStatus.signedIn })
    expect(await client.ask(lessonApi.unpublish, { liId, reason })).toMatchObject({
      code: 300,
      msg: '已有签到记录，不能取消发布',
    })
    expect(await client.ask(lessonApi.del, { liId })).toMatchObject({ code: 300, msg: '已发布的课程不可删除' })
    await client.send(lessonApi.cancel, { liId, reason })
    expect(await statuses(world, [laId!])).toEqual(['7'])
    expect(await exact(world, liId)).toMatchObject({ applyCount: 1, passCount: 0, signCount: 0 })
  })

  test('a storm of publishing and taking down ends in a legal state, with a history that fits', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published()
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        at % 2 ? client.ask(lessonApi.publish, { liId }) : client.ask(lessonApi.unpublish, { liId, reason }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const rows = await world.school.ctx.db
      .selectFrom('auditLog')
      .select(['before', 'after', 'logId'])
      .where('schoolId', '=', world.school.schoolId)
      .where('bizId', '=', liId)
      .where('action', 'in', ['发布课程', '取消发布'])
      .orderBy('logTime')
      .orderBy('logId')
      .execute()
    const edges = rows.map(
      ({ before, after }) => `${(before as { liStatus: string }).liStatus}>${(after as { liStatus: string }).liStatus}`,
    )
    expect(edges.every((edge) => ['20>30', '30>90', '90>30'].includes(edge))).toBe(true)
    expect(edges.filter((edge) => edge === '30>90').length - edges.filter((edge) => edge === '90>30').length).toBe(
      (await client.send(lessonApi.details, { liId })).liStatus === lessonStatus.unpublished ? 1 : 0,
    )
  })

  test('drafts are deleted together or not at all', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const drafts = [
      await client.send(lessonApi.save, world.form()),
      await client.send(lessonApi.save, world.form()),
    ].map(({ liId }) => liId)
    expect(await client.ask(lessonApi.del, { liId: [...drafts, await world.published()] })).toMatchObject({
      code: 300,
      reason: 'lesson-published',
    })
    expect(await client.send(lessonApi.del, { liId: drafts })).toEqual({ affected: 2 })
    expect(await client.ask(lessonApi.details, { liId: drafts[0] })).toMatchObject({ status: 404 })
  })
})
