import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyWay,
  creditType,
  itemCategory,
  lessonKind,
  lessonStatus,
  partakeMode,
} from '../../../../contract/core/codes/programme.ts'
import { importApi } from '../../../../contract/platform/imports/imports.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { addDays, addMinutes, dayOf } from '../../../core/base/clock.ts'
import { sheetIn } from '../../../testing/sheet-in.ts'
import { lessonWorld, untilNoon, type LessonWorld } from '../../../testing/lessons.ts'
import { grant } from '../../credits/ledger.service.ts'
import { archiveLessons } from '../archive.service.ts'
import { publishDue } from '../publish-due.service.ts'
import { checkTurnout } from '../registration/turnout.service.ts'

const week = 7 * 24 * 60

describe('a series', () => {
  test('is made from a draft in one action, numbered, with sign-up moved along', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const form = world.form(
      { applyWay: applyWay.review, teacherIds: [world.leader.suId] },
      untilNoon(world.school.clock.now()),
    )
    const start = form.startTime as string
    Object.assign(form, { applyStart: addMinutes(start, -2880), applyEnd: addMinutes(start, -1440) })
    const { liId, version } = await client.send(lessonApi.save, form)
    const children = [2, 1].map((n) => ({
      startTime: addMinutes(start, n * week),
      endTime: addMinutes(start, n * week + 120),
    }))
    const made = await client.send(lessonApi.series, { liId, version, children })
    expect(made.affected).toBe(2)
    const detail = await client.send(lessonApi.details, { liId })
    expect(detail.series.map(({ liName }) => liName)).toEqual([1, 2, 3].map((n) => `${form.liName}（第 ${n} 期）`))
    expect(detail).toMatchObject({ itemCategory: itemCategory.seriesFirst, parentLiId: null })
    const second = await client.send(lessonApi.details, { liId: made.liIds[0]! })
    expect(second).toMatchObject({
      itemCategory: itemCategory.seriesItem,
      parentLiId: liId,
      liStatus: lessonStatus.draft,
      applyStart: addMinutes(start, week - 2880),
      applyEnd: addMinutes(start, week - 1440),
      teachers: [{ suId: world.leader.suId }],
      sessions: [{ startTime: addMinutes(start, week) }],
    })
    expect(await client.send(lessonApi.view, { parentLiId: liId })).toMatchObject({ total: 3 })
    expect(await client.ask(lessonApi.series, { liId: made.liIds[0]!, children })).toMatchObject({
      code: 300,
      reason: 'series-child',
    })
    expect(await client.ask(lessonApi.series, { liId, version, children })).toMatchObject({ status: 409 })
    const more = await client.send(lessonApi.series, {
      liId,
      children: [{ startTime: addMinutes(start, 3 * week), endTime: addMinutes(start, 3 * week + 120) }],
    })
    expect((await client.send(lessonApi.details, { liId: more.liIds[0]! })).liName).toBe(`${form.liName}（第 4 期）`)
  })

  test('is made wholly or not at all', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const form = world.form()
    const { liId } = await client.send(lessonApi.save, form)
    const at = (n: number) => ({
      startTime: addMinutes(form.startTime as string, n * week),
      endTime: addMinutes(form.endTime as string, n * week),
    })
    await client.send(lessonApi.save, { ...form, liName: `${form.liName}（第 3 期）`, ...at(1) })
    expect(await client.ask(lessonApi.series, { liId, children: [at(1), at(1)] })).toMatchObject({
      code: 300,
      reason: 'lesson-name-taken',
    })
    expect(await client.send(lessonApi.details, { liId })).toMatchObject({
      liName: form.liName,
      itemCategory: itemCategory.single,
      series: [],
    })
    expect(
      await client.ask(lessonApi.series, { liId, children: [{ startTime: at(1).endTime, endTime: at(1).startTime }] }),
    ).toMatchObject({ errors: [{ field: 'children.0.endTime' }] })
    expect(
      await world.leader.client.ask(lessonApi.series, {
        liId: (await world.school.admin.send(lessonApi.save, world.form())).liId,
        children: [at(1)],
      }),
    ).toMatchObject({ status: 404 })
  })
})

describe('acts on several courses', () => {
  test('tell for each what became of it', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const [a, b] = [await client.send(lessonApi.save, world.form()), await client.send(lessonApi.save, world.form())]
    const out = await world.school.admin.send(lessonApi.save, world.form({ liPrincipalId: world.leader.suId }))
    expect(await client.send(lessonApi.publishMany, { liIds: [a.liId] })).toEqual({
      affected: 0,
      failed: [{ id: a.liId, name: expect.any(String) as string, msg: '请先通过发布审批' }],
    })
    const sent = await client.send(lessonApi.submitMany, { liIds: [a.liId, b.liId, out.liId] })
    expect(sent).toMatchObject({
      affected: 2,
      failed: [{ id: out.liId, name: '（不可见的课程）', msg: '该记录不存在或已删除' }],
    })
    expect(await client.send(lessonApi.publishMany, { liIds: [a.liId, b.liId] })).toEqual({ affected: 2, failed: [] })
    expect(await client.ask(lessonApi.unpublishMany, { liIds: [a.liId], reason: '短' })).toMatchObject({ code: 300 })
    expect(
      await client.send(lessonApi.unpublishMany, { liIds: [a.liId, b.liId], reason: '主讲人临时有事' }),
    ).toMatchObject({ affected: 2 })
    expect(
      await client.send(lessonApi.cancelMany, { liIds: [a.liId, b.liId], reason: '主讲人不能到场' }),
    ).toMatchObject({ affected: 2 })
    expect(await client.send(lessonApi.details, { liId: a.liId })).toMatchObject({
      liStatus: lessonStatus.cancelled,
      exitReason: '主讲人不能到场',
    })
  })
})

describe('conflicts', () => {
  test('of place, people, name and students are told, and nothing else', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const form = world.form({ teacherIds: [world.leader.suId] })
    const { liId } = await client.send(lessonApi.save, form)
    const plan = {
      startTime: addMinutes(form.startTime as string, 30),
      endTime: addMinutes(form.endTime as string, 30),
      placeText: ' 礼 堂',
      liName: form.liName,
      liPrincipalId: world.leader.suId,
      teacherIds: [world.teacher.suId],
    }
    const found = await client.send(lessonApi.conflicts, plan)
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(['name', 'place', 'principal', 'teacher'])
    expect(found.find(({ kind }) => kind === 'principal')).toMatchObject({
      text: `负责人${world.leader.suiName}同一时间另有课程`,
      lessons: [{ liId, liName: form.liName }],
    })
    expect(await client.send(lessonApi.conflicts, { ...plan, liId })).toEqual([])
    expect(
      await client.send(lessonApi.conflicts, {
        ...plan,
        startTime: form.endTime as string,
        endTime: addMinutes(form.endTime as string, 60),
        liName: '别的',
      }),
    ).toEqual([])
    const elsewhere = await world.school.admin.send(lessonApi.conflicts, {
      ...plan,
      liPrincipalId: undefined,
      teacherIds: [],
      liName: '别的',
      placeText: '操场',
    })
    expect(elsewhere).toEqual([])
    const stranger = await world.school.person('GUIDE_TEACHER', [], { suiCollegeId: await world.school.college() })
    expect(
      (await stranger.client.send(lessonApi.conflicts, { ...plan, liPrincipalId: undefined, teacherIds: [] })).find(
        ({ kind }) => kind === 'place',
      )!.lessons,
    ).toEqual([{ liId: '', liName: '其他单位的课程', startTime: form.startTime, endTime: form.endTime }])
    expect(await stranger.client.ask(lessonApi.conflicts, { ...plan, liId })).toMatchObject({ status: 404 })
  })

  test('of the students admitted are counted', async () => {
    const world = await lessonWorld()
    const students = await world.students(3)
    const one = await world.published()
    await world.enrol(one, students)
    const later = {
      startTime: addMinutes(world.school.clock.now(), 3000),
      endTime: addMinutes(world.school.clock.now(), 3120),
    }
    const other = await world.published({ ...later, placeText: '操场', liPrincipalId: world.leader.suId })
    await world.enrol(other, students.slice(0, 2))
    const { startTime, endTime } = await world.teacher.client.send(lessonApi.details, { liId: one })
    expect(await world.teacher.client.send(lessonApi.conflicts, { liId: other, startTime, endTime })).toMatchObject([
      { kind: 'students', text: '已录取学生中有 2 人同一时间参加其他课程', lessons: [{ liId: one }] },
    ])
  })
})

describe('too few have come forward', () => {
  const open = async (world: LessonWorld) => {
    const { clock } = world.school
    return world.published(
      {
        applyWay: applyWay.firstCome,
        quota: 4,
        applyStart: addMinutes(clock.now(), -60),
        applyEnd: addMinutes(clock.now(), 60),
      },
      24,
    )
  }
  const late = (world: LessonWorld) => ({
    ...world.school.services,
    clock: { now: () => addMinutes(world.school.clock.now(), 61) },
  })
  const messagesOf = ({ school, teacher }: LessonWorld) =>
    school.ctx.db
      .selectFrom('informationReceiver as r')
      .innerJoin('information as i', (join) =>
        join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'),
      )
      .select('iiTitle')
      .where('r.suId', '=', teacher.suId)
      .where('iiTitle', 'like', '%报名人数不足')
      .execute()

  test('the organisers are told, once', async () => {
    const world = await lessonWorld()
    const liId = await open(world)
    await world.enrol(liId, await world.students(2))
    expect(await checkTurnout(world.school.services, world.school.schoolId)).toBe(0)
    expect(await Promise.all([1, 2, 3].map(() => checkTurnout(late(world), world.school.schoolId)))).toEqual(
      expect.arrayContaining([1, 0, 0]),
    )
    expect(await messagesOf(world)).toHaveLength(1)
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.published,
    })
  })
  test('or the course is taken down where the school wants that; enough is enough', async () => {
    const world = await lessonWorld()
    await world.school.rules({ turnoutAct: 'unpublish', turnoutRate: 60 })
    const [few, enough] = [await open(world), await open(world)]
    await world.enrol(few, await world.students(2))
    await world.enrol(enough, await world.students(3))
    expect(await checkTurnout(late(world), world.school.schoolId)).toBe(1)
    expect(await world.teacher.client.send(lessonApi.details, { liId: few })).toMatchObject({
      liStatus: lessonStatus.unpublished,
      passCount: 2,
      exitReason: '报名人数不足：截止报名时 2 人，计划 4 人，不足 60%',
    })
    expect(await world.teacher.client.send(lessonApi.details, { liId: enough })).toMatchObject({
      liStatus: lessonStatus.published,
    })
  })
})

describe('a planned publication', () => {
  test('happens once, at its time, for what is approved', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const now = world.school.clock.now()
    expect(await client.ask(lessonApi.save, world.form({ publishAt: addMinutes(now, 24 * 60) }))).toMatchObject({
      errors: [{ field: 'publishAt', msg: '自动发布时间须早于活动开始时间' }],
    })
    const approved = async (publishAt: string) =>
      (await client.send(lessonApi.save, { ...world.form({ publishAt }), submit: '1' })).liId
    const [due, later] = [await approved(addMinutes(now, -5)), await approved(addMinutes(now, 60))]
    const { liId: draft } = await client.send(lessonApi.save, world.form({ publishAt: addMinutes(now, -5) }))
    const counts = await Promise.all([1, 2, 3].map(() => publishDue(world.school.services, world.school.schoolId)))
    expect(counts.toSorted()).toEqual([0, 0, 1])
    const states = await Promise.all(
      [due, later, draft].map(async (liId) => (await client.send(lessonApi.details, { liId })).liStatus),
    )
    expect(states).toEqual(['30', '20', '0'])
    expect((await client.send(lessonApi.details, { liId: due })).publishTime).not.toBeNull()
  })
})

describe('the end', () => {
  test('a course that is over may be deleted with a reason once it gives nothing, by the school', async () => {
    const world = await lessonWorld()
    const { school } = world
    const {
      admin,
      ctx: { db },
      schoolId,
    } = school
    const liId = await world.published()
    const [student] = await world.students(1)
    const reason = '重复创建，按校团委意见删除'
    expect(await admin.ask(lessonApi.purge, { liId, reason })).toMatchObject({ code: 300, msg: '已发布的课程不可删除' })
    await db
      .updateTable('lesson')
      .set({ liStatus: lessonStatus.completed })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    expect(await world.leader.client.ask(lessonApi.purge, { liId, reason })).toMatchObject({ status: 403 })
    const grantOf = (clValue: number, source: 'LESSON' | 'REVERSE', reverseOf: string | null) =>
      grant(school.ctx, schoolId, [
        {
          suId: student!.suId,
          clType: creditType.hours,
          sqlId: null,
          lsId: school.curriculum['SXCL']!,
          moduleId: school.curriculum['SXCL']!,
          clValue,
          source,
          bizId: liId,
          bizName: '课程',
          ruleVersion: 1,
          explain: { base: 0, factor: 100, award: 0, partakeMode: partakeMode.participant, ruleVersion: 1, text: '' },
          occurTime: school.clock.now(),
          reverseOf,
        },
      ])
    await grantOf(200, 'LESSON', null)
    expect(await admin.ask(lessonApi.purge, { liId, reason })).toMatchObject({
      code: 300,
      msg: '该课程已有入账的学时或学分，须先冲正后再删除',
    })
    const { clId } = await db
      .selectFrom('creditLedger')
      .select('clId')
      .where('schoolId', '=', schoolId)
      .where('bizId', '=', liId)
      .executeTakeFirstOrThrow()
    await grantOf(-200, 'REVERSE', clId)
    expect(await admin.ask(lessonApi.purge, { liId, reason: '短' })).toMatchObject({ errors: [{ field: 'reason' }] })
    expect(await admin.send(lessonApi.purge, { liId, reason })).toEqual({ affected: 1 })
    expect(await admin.ask(lessonApi.details, { liId })).toMatchObject({ status: 404 })
  })

  test('abnormal is for those who look after the area, and gives nothing', async () => {
    const world = await lessonWorld()
    const liId = await world.published({}, -4)
    expect(await world.teacher.client.ask(lessonApi.abnormal, { liId, reason: '未按计划开展' })).toMatchObject({
      status: 403,
    })
    await world.leader.client.send(lessonApi.abnormal, { liId, reason: '未按计划开展' })
    expect(await world.leader.client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.abnormal,
      exitReason: '未按计划开展',
      can: ['export'],
    })
  })
  test('archived are completed courses of terms that are over, after the time for late appeals', async () => {
    const world = await lessonWorld()
    const { school } = world
    const now = school.clock.now()
    const made = await Promise.all([world.published(), world.published(), world.published()])
    const set = (liId: string, days: number, done: number) =>
      school.ctx.db
        .updateTable('lesson')
        .set({
          liStatus: lessonStatus.completed,
          startTime: `${addDays(dayOf(now), -days)} 08:00:00`,
          endTime: `${addDays(dayOf(now), -days)} 09:00:00`,
          completeTime: `${addDays(dayOf(now), -done)} 00:00:00`,
        })
        .where('schoolId', '=', school.schoolId)
        .where('liId', '=', liId)
        .execute()
    await set(made[0], 400, 300)
    await set(made[1], 400, 10)
    expect(await archiveLessons(school.services, school.schoolId)).toBe(1)
    expect(
      await Promise.all(
        made.map(async (liId) => (await world.teacher.client.send(lessonApi.details, { liId })).liStatus),
      ),
    ).toEqual(['80', '70', '30'])
    await world.leader.client.send(lessonApi.archive, { liId: made[1] })
    expect((await world.teacher.client.send(lessonApi.details, { liId: made[1] })).liStatus).toBe(lessonStatus.archived)
  })
})

describe('a sheet of courses', () => {
  const kind = 'lesson' as const
  const headers =
    '课程名称*,课程体系*,课程级别*,课程类型,开展形式,主办学院,负责人工号*,活动开始时间*,活动结束时间*,活动地点*,报名方式,报名开始时间,报名截止时间,名额*,认定学时,奖励模板,课程简介*'
  const row = ({ school, teacher }: LessonWorld, liName: string, more: Record<string, string> = {}) => {
    const day = addDays(dayOf(school.clock.now()), 20)
    const cells = {
      liName,
      lsName: '思想成长 / 主题教育',
      levelName: '院（系）级',
      liKind: '',
      liForm: '',
      collegeName: '',
      principal: teacher.suiNumber,
      start: `${day} 14:00`,
      end: `${day} 16:00`,
      place: '礼堂',
      way: '无需报名',
      from: '',
      to: '',
      quota: '30',
      hours: '',
      award: '',
      intro: '介绍',
      ...more,
    }
    return Object.values(cells).join(',')
  }
  const upload = async (world: LessonWorld, rows: string[]) =>
    (
      await world.teacher.client.upload(
        importApi.upload,
        { name: '课程.csv', bytes: Buffer.from([headers, ...rows].join('\r\n')) },
        { kind },
      )
    ).data

  test('becomes drafts after the checks of the form, and can be taken back', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    await client.send(lessonApi.save, world.form({ liName: '已有的课' }))
    const batch = await upload(world, [
      row(world, '导入一'),
      row(world, '导入二', { hours: '9' }),
      row(world, '导入三', { lsName: '没有', principal: '0' }),
      row(world, '导入四', { way: '审核录取' }),
      row(world, '已有的课'),
      row(world, '导入五', { liKind: '讲座', hours: '1.5' }),
    ])
    expect(batch).toMatchObject({ newCount: 2, faultCount: 3, conflictCount: 1 })
    const { records } = await client.send(importApi.preview, { kind, ibId: batch.ibId, pageSize: 20 })
    expect(records.map(({ faults }) => faults.map(({ key }) => key))).toEqual([
      [],
      ['liHours'],
      ['lsName', 'principalNumber'],
      ['applyStart'],
      ['liName'],
      [],
    ])
    await client.send(importApi.commit, { kind, ibId: batch.ibId, skipFaults: yesNo.yes })
    const { records: made } = await client.send(lessonApi.view, { liName: '导入', sort: 'liName', order: 'asc' })
    expect(made).toMatchObject([
      { liName: '导入一', liStatus: lessonStatus.draft, quota: 30, liHours: '2' },
      { liName: '导入五', liKind: lessonKind.lecture, liHours: '1.5' },
    ])
    await client.send(importApi.undo, { kind, ibId: batch.ibId })
    expect((await client.send(lessonApi.view, { liName: '导入' })).total).toBe(0)
  })

  test('is not taken back once a draft has gone its way', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const batch = await upload(world, [row(world, '导入一')])
    await client.send(importApi.commit, { kind, ibId: batch.ibId })
    const { records } = await client.send(lessonApi.view, { liName: '导入' })
    await client.send(lessonApi.submit, { liId: records[0]!.liId })
    expect(await client.ask(importApi.undo, { kind, ibId: batch.ibId })).toMatchObject({
      code: 300,
      reason: 'import-undo-late',
    })
  })

  test('has a template with the words of the school', async () => {
    const world = await lessonWorld()
    const file = await world.teacher.client.download(lessonApi.exportTemplate)
    expect(file.name).toBe('课程导入模板.xlsx')
    await expect(sheetIn(file.bytes)).resolves.toMatchObject({ lines: expect.any(Array) as unknown[] })
  })
})
