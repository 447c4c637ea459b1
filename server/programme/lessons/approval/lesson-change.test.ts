import { describe, expect, test } from 'vitest'
import { approvalApi, lessonCaseApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { auditApi } from '../../../../contract/school/audit/audit.calls.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  approvalStatus,
  cooperationType,
  industryField,
  lessonStatus,
  lessonChangeStatus,
  resultStatus,
  signStatus,
} from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { offerForms } from '../../../testing/stored-lesson.ts'
import { countersOf, lessonWorld, untilNoon, type LessonWorld } from '../../../testing/lessons.ts'

/** A published course whose flow asks the college's committee, with the form it was made from. */
async function published(more = {}) {
  const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const form = world.form(more, untilNoon(world.school.clock.now()))
  const { liId } = await world.teacher.client.send(lessonApi.save, { ...form, submit: '1' })
  await decide(world, 'pass')
  await world.teacher.client.send(lessonApi.publish, { liId })
  const details = () => world.teacher.client.send(lessonApi.details, { liId })
  const save = async (change: object) =>
    world.teacher.client.ask(lessonApi.save, { ...form, liId, version: (await details()).version, ...change })
  return { world, form, liId, details, save }
}

async function decide({ leader }: LessonWorld, verdict: 'pass' | 'refuse') {
  const { records } = await leader.client.send(approvalApi.publishQueue, {})
  expect(records).toHaveLength(1)
  const taskIds = [records[0]!.taskId]
  return verdict === 'pass'
    ? leader.client.send(approvalApi.publishPass, { taskIds })
    : leader.client.send(approvalApi.publishRefuse, { taskIds, opinion: '时间与考试周冲突' })
}

const letters = ({ school }: LessonWorld, suId: string) =>
  school.ctx.db
    .selectFrom('informationReceiver as r')
    .innerJoin('information as i', (join) => join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'))
    .select(['iiTitle', 'iiContent'])
    .where('r.suId', '=', suId)
    .orderBy('i.sendTime')
    .execute()

describe('a change of a published course', () => {
  test('waits for approval while the course stays as it was, and takes effect when it is passed', async () => {
    const { world, form, liId, details, save } = await published()
    const [student] = await world.students(1)
    await world.enrol(liId, [student!])
    const before = await details()
    const startTime = addMinutes(form.startTime as string, 60)
    const endTime = addMinutes(form.endTime as string, 60)
    expect(await save({ startTime, endTime, quota: 8, placeText: '体育馆' })).toMatchObject({
      data: { liStatus: lessonStatus.published, isChanging: true },
    })
    const waiting = await details()
    expect(waiting).toMatchObject({
      startTime: before.startTime,
      quota: 10,
      placeText: '礼堂',
      isChanging: true,
      change: { createName: expect.any(String) as string },
    })
    expect(waiting.change!.differences.map(({ label }) => label).toSorted()).toEqual([
      '名额',
      '场次',
      '活动开始时间',
      '活动结束时间',
    ])
    expect(waiting.can).toContain('withdraw')
    expect(waiting.can.filter((act) => ['edit', 'unpublish', 'cancel', 'resultAudit'].includes(act))).toEqual([])
    expect(await save({ quota: 7 })).toMatchObject({
      code: 300,
      reason: 'change-pending',
      msg: '课程变更正在审批，请待审批结束或撤回变更后再编辑',
    })
    expect(await world.teacher.client.ask(lessonApi.cancel, { liId, reason: '临时有事不办了' })).toMatchObject({
      code: 300,
      reason: 'change-pending',
    })

    const { records } = await world.leader.client.send(approvalApi.publishQueue, {})
    expect(records[0]!.summary).toBe('变更：名额、活动开始时间、活动结束时间、场次')
    const shown = await world.leader.client.send(lessonCaseApi.lessonResult, { liId })
    expect(shown.differences).toContainEqual({
      field: 'quota',
      label: '名额',
      before: '10 人',
      after: '8 人',
      since: 'approved',
    })
    await decide(world, 'pass')
    const after = await details()
    expect(after).toMatchObject({
      liStatus: lessonStatus.published,
      startTime,
      endTime,
      quota: 8,
      placeText: '体育馆',
      isChanging: false,
      change: null,
      sessions: [{ startTime, endTime }],
    })
    expect(after.can).toContain('edit')
    expect((await countersOf(world.school, liId)).stored.passCount).toBe(1)
    expect((await letters(world, student!.suId)).at(-1)).toMatchObject({
      iiTitle: `《${form.liName}》时间或地点有调整`,
      iiContent: expect.stringContaining('礼堂 改为 体育馆') as string,
    })
    const { records: trail } = await world.teacher.client.send(auditApi.timeline, {
      bizType: 'lesson',
      bizId: liId,
      pageSize: 50,
    })
    expect(trail.map(({ action }) => action)).toEqual(expect.arrayContaining(['申请变更课程', '课程变更生效']))
  })

  test('that is refused or taken back leaves the course as it was approved', async () => {
    const { world, liId, details, save } = await published()
    const before = await details()
    await save({ liHours: '3' })
    await decide(world, 'refuse')
    expect(await details()).toMatchObject({
      liStatus: lessonStatus.published,
      liHours: before.liHours,
      isChanging: false,
      change: null,
    })
    await save({ liName: '换个名字' })
    expect(await world.leader.client.ask(lessonApi.withdraw, { liId })).toMatchObject({ status: 403 })
    await world.teacher.client.send(lessonApi.withdraw, { liId })
    expect(await details()).toMatchObject({
      liStatus: lessonStatus.published,
      liName: before.liName,
      isChanging: false,
      flows: [
        { insStatus: approvalStatus.withdrawn },
        { insStatus: approvalStatus.refused },
        { insStatus: approvalStatus.passed },
      ],
    })
    expect(await world.teacher.client.ask(lessonApi.withdraw, { liId })).toMatchObject({ status: 403 })
    const rows = await world.school.ctx.db
      .selectFrom('lessonChange')
      .select(['lcStatus', 'reason'])
      .where('schoolId', '=', world.school.schoolId)
      .orderBy('createTime')
      .execute()
    expect(rows).toEqual([
      { lcStatus: lessonChangeStatus.refused, reason: '时间与考试周冲突' },
      { lcStatus: lessonChangeStatus.withdrawn, reason: '' },
    ])
  })

  test('never takes a place from somebody admitted meanwhile, and does not touch what others changed', async () => {
    const { world, liId, details, save } = await published()
    await save({ quota: 2, signerIds: [] })
    await world.enrol(liId, await world.students(4))
    const signer = await world.school.person('SIGN_MGR')
    await world.teacher.client.send(lessonApi.signPrincipalAdd, { liId, suIds: [signer.suId] })
    await decide(world, 'pass')
    expect(await details()).toMatchObject({ quota: 4, passCount: 4, signers: [{ suId: signer.suId }] })
  })

  test('calls up who waits where it makes room in their college, and where they may take part by it', async () => {
    const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
    const { school, teacher } = world
    const places = (quota: number) => [{ scId: world.scId, quota }]
    const form = world.form(
      { waitlistOn: yesNo.yes, rangeGrades: ['2024'], quotaByCollege: places(1) },
      untilNoon(school.clock.now()),
    )
    const { liId } = await teacher.client.send(lessonApi.save, { ...form, submit: '1' })
    await decide(world, 'pass')
    await teacher.client.send(lessonApi.publish, { liId })
    const students = await world.students(3)
    const laIds = await world.enrol(liId, students)
    const change = async (more: object) => {
      const { version } = await teacher.client.send(lessonApi.details, { liId })
      await teacher.client.send(lessonApi.save, { ...form, liId, version, ...more })
      await decide(world, 'pass')
      const { records } = await teacher.client.send(registrationApi.view, { liId })
      return laIds.map((laId) => records.find((row) => row.laId === laId)!.laStatus)
    }
    await school.ctx.db
      .updateTable('person')
      .set({ suiGrade: '2025' })
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', students[2]!.suId)
      .execute()
    const { accepted, waitlisted } = applyStatus
    expect(await change({ liHours: '3' })).toEqual([accepted, waitlisted, waitlisted])
    const roomy = { liHours: '4', quotaByCollege: places(3) }
    expect(await change(roomy)).toEqual([accepted, accepted, waitlisted])
    expect(await change({ ...roomy, rangeGrades: ['2024', '2025'] })).toEqual([accepted, accepted, accepted])
  })

  test('that nobody need approve takes effect at once; what is free never asks', async () => {
    const world = await lessonWorld()
    const form = world.form()
    const { liId } = await world.teacher.client.send(lessonApi.save, { ...form, submit: '1' })
    await world.teacher.client.send(lessonApi.publish, { liId })
    const version = async () => (await world.teacher.client.send(lessonApi.details, { liId })).version
    expect(
      await world.teacher.client.send(lessonApi.save, { ...form, liId, version: await version(), quota: 6 }),
    ).toMatchObject({ isChanging: false, version: await version() })
    expect(
      await world.teacher.client.send(lessonApi.save, {
        ...form,
        quota: 6,
        liId,
        version: await version(),
        contactPhone: '025-1',
      }),
    ).toMatchObject({ isChanging: false })
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({
      quota: 6,
      contactPhone: '025-1',
      liStatus: lessonStatus.published,
    })
  })

  test('is held to the school’s lead time only where the time changes', async () => {
    const { world, form, save } = await published()
    await world.school.rules({ leadRefuse: '1', leadDays: 10 })
    expect(await save({ quota: 9, startTime: addMinutes(form.startTime as string, 10) })).toMatchObject({
      code: 300,
      reason: 'lead-too-short',
    })
    expect(await save({ quota: 9 })).toMatchObject({ code: 200 })
  })

  test('of signing out and of being late waits too, and holds only once it is approved', async () => {
    const { liId, details, save, world } = await published({ signOutOn: yesNo.yes, lateMinutes: 15 })
    await save({ signOutOn: yesNo.no, lateMinutes: 60 })
    const waiting = await details()
    expect(waiting).toMatchObject({ signOutOn: yesNo.yes, lateMinutes: 15, isChanging: true })
    expect(waiting.change!.differences.map(({ label }) => label)).toEqual(['迟到界限（分钟）', '需要签退'])
    await decide(world, 'pass')
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({
      signOutOn: yesNo.no,
      lateMinutes: 60,
    })
  })

  test('by two at once: one is kept, the other told', async () => {
    const { world, form, liId, details } = await published()
    const { version } = await details()
    const replies = await Promise.all(
      [3, 4, 5].map((quota) => world.teacher.client.ask(lessonApi.save, { ...form, liId, version, quota })),
    )
    expect(replies.map(({ code }) => code).filter((code) => code === 200)).toHaveLength(1)
    expect(
      replies
        .filter(({ code }) => code !== 200)
        .every(({ reason }) => ['stale-version', 'change-pending'].includes(reason!)),
    ).toBe(true)
    expect((await world.leader.client.send(approvalApi.publishQueue, {})).total).toBe(1)
  })

  test('asked for while the course is taken down: one of both happens', async () => {
    for (let round = 0; round < 3; round++) {
      const { world, form, liId, details } = await published()
      const { version } = await details()
      const [edit, down] = await Promise.all([
        world.teacher.client.ask(lessonApi.save, { ...form, liId, version, quota: 5 }),
        world.teacher.client.ask(lessonApi.unpublish, { liId, reason: '场地临时被占用' }),
      ])
      expect([edit.code, down.code].filter((code) => code === 200)).toHaveLength(1)
      expect(await details()).toMatchObject(
        edit.code === 200
          ? { liStatus: lessonStatus.published, isChanging: true }
          : { liStatus: lessonStatus.unpublished, isChanging: false },
      )
    }
  })
})

describe('a change of what people were rated by', () => {
  /** A course that is over, whose participants have all passed. */
  async function rated() {
    const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
    const { client } = world.teacher
    const form = world.form({ liHours: '4' }, -3)
    const { liId } = await client.send(lessonApi.save, { ...form, submit: '1' })
    await decide(world, 'pass')
    await client.send(lessonApi.publish, { liId })
    const laIds = await world.enrol(liId, await world.students(2))
    await client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
    await client.send(registrationApi.rateRemaining, { liId })
    const hours = async () =>
      (await client.send(registrationApi.view, { liId })).records.map(({ laResult, laHours }) => [laResult, laHours])
    const change = async (more: object) => {
      const { version } = await client.send(lessonApi.details, { liId })
      await client.send(lessonApi.save, { ...form, liId, version, ...more })
      await decide(world, 'pass')
    }
    return { world, form, liId, hours, change }
  }
  const open = [resultStatus.unrated, '0']

  test('takes the ratings back, tells who looks after it, and the new hours are what is credited', async () => {
    const { world, form, liId, hours, change } = await rated()
    const { client } = world.teacher
    expect(await hours()).toEqual(Array(2).fill([resultStatus.passed, '4']))
    await change({ liHours: '2' })
    expect(await hours()).toEqual(Array(2).fill(open))
    expect((await letters(world, world.teacher.suId)).map(({ iiTitle }) => iiTitle)).toContain(
      `《${form.liName}》须重新评定`,
    )
    const { records } = await client.send(auditApi.timeline, { bizType: 'lesson', bizId: liId, pageSize: 50 })
    expect(records.find(({ action }) => action === '课程变更生效')!.changes).toContainEqual(
      expect.objectContaining({ label: '须重新评定人数', after: '2' }),
    )
    expect(await client.ask(lessonApi.resultAudit, { liId })).toMatchObject({ code: 300, reason: 'not-rated-yet' })
    await client.send(registrationApi.rateRemaining, { liId })
    expect(await hours()).toEqual(Array(2).fill([resultStatus.passed, '2']))
    const { stored, counted } = await countersOf(world.school, liId)
    expect(stored).toEqual(counted)
  })

  test.each<[string, (form: { startTime: string; endTime: string }) => object, boolean]>([
    ['the level', () => ({ liLevel: '5' }), true],
    ['the awards', () => ({ atId: undefined }), true],
    ['the sessions', ({ startTime }) => ({ endTime: addMinutes(startTime, 90) }), true],
    ['who may register', () => ({ rangeGrades: ['2023'] }), false],
  ])('reaches ratings: %s', async (_, more, isReached) => {
    const { form, hours, change } = await rated()
    await change({ liHours: '4', ...more(form as { startTime: string; endTime: string }) })
    expect(await hours()).toEqual(Array(2).fill(isReached ? open : [resultStatus.passed, '4']))
  })
})

describe('an industry course', () => {
  const code = '91320102MA1XXXXX0P'
  test('asks for its partner and keeps what it is told', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const form = world.form({ liScheme: 'industry' })
    await offerForms(world.school, { isGydx: true })
    const missing = await client.ask(lessonApi.save, form)
    expect(missing.errors?.map(({ field }) => field)).toEqual([
      'liExt.industryField',
      'liExt.cooperationType',
      'liExt.cooperationUnit',
    ])
    expect(
      await client.ask(lessonApi.save, {
        ...form,
        liExt: {
          industryField: industryField.informationTechnology,
          cooperationType: cooperationType.project,
          cooperationUnit: '某软件公司',
          cooperationCode: code,
        },
      }),
    ).toMatchObject({ errors: [{ field: 'liExt.cooperationCode' }] })
    const liExt = {
      industryField: industryField.informationTechnology,
      cooperationType: cooperationType.project,
      cooperationUnit: '某软件公司',
      cooperationCode: '91350100M000100Y43',
      insurance: yesNo.yes,
    } as const
    const { liId } = await client.send(lessonApi.save, { ...form, liExt })
    expect(await client.send(lessonApi.details, { liId })).toMatchObject({ liScheme: 'industry', liExt, extFiles: [] })
    expect(await client.send(lessonApi.view, { liScheme: 'industry' })).toMatchObject({ total: 1 })
  })

  test('is what a curriculum node may ask for', async () => {
    const world = await lessonWorld()
    const { school, teacher } = world
    await school.ctx.db
      .updateTable('curriculum')
      .set({ lsFormScheme: 'industry' })
      .where('schoolId', '=', school.schoolId)
      .where('lsId', '=', school.curriculum['SXCL/主题教育']!)
      .execute()
    expect(await teacher.client.ask(lessonApi.save, world.form())).toMatchObject({
      errors: [{ field: 'lsId', msg: expect.stringContaining('行业课程表单') as string }],
    })
  })
})
