import { describe, expect, test } from 'vitest'
import { fileState } from '../../../../contract/core/codes/platform.ts'
import { personType } from '../../../../contract/core/codes/school.ts'
import { auditApi } from '../../../../contract/school/audit/audit.calls.ts'
import type { Call } from '../../../../contract/core/call.ts'
import {
  applyStatus,
  lessonPhase,
  lessonStatus,
  resultStatus,
  signStatus,
} from '../../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../../contract/platform/files/files.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { teamApi } from '../../../../contract/programme/lessons/teams.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { qrPng } from '../signing/code-package.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import type { TestPerson } from '../../../testing/school.ts'

const seen = async (world: LessonWorld, { client }: Pick<TestPerson, 'client'>, input = {}) => {
  const page = await client.send(lessonApi.view, { pageSize: 200, ...input })
  expect(page.total).toBe(page.records.length)
  return page.records.map(({ liName }) => liName).toSorted()
}

describe('who sees which courses', () => {
  test('the school all, a college its own, others what they have to do with', async () => {
    const world = await lessonWorld()
    const { school, teacher, leader } = world
    const otherCollege = await school.college()
    const otherTeacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: otherCollege })
    const [signer, stranger] = [
      await school.person('SIGN_MGR'),
      await school.person('GUIDE_TEACHER', [], { suiCollegeId: world.scId }),
    ]
    const owner = await school.person('MODULE_OWNER', [{ caType: 'curriculum', caTarget: school.curriculum['CXCY']! }])
    await teacher.client.send(lessonApi.save, world.form({ liName: '本院课程', signerIds: [signer.suId] }))
    await otherTeacher.client.send(
      lessonApi.save,
      world.form({
        liName: '外院课程',
        liPrincipalId: otherTeacher.suId,
        teacherIds: [teacher.suId],
        lsId: school.curriculum['CXCY/学术讲座']!,
      }),
    )
    expect(await seen(world, { client: school.admin })).toEqual(['外院课程', '本院课程'])
    expect(await seen(world, leader)).toEqual(['本院课程'])
    expect(await seen(world, teacher)).toEqual(['外院课程', '本院课程'])
    expect(await seen(world, otherTeacher)).toEqual(['外院课程'])
    expect(await seen(world, signer)).toEqual(['本院课程'])
    expect(await seen(world, owner)).toEqual(['外院课程'])
    expect(await seen(world, stranger)).toEqual([])
    expect(await seen(world, { client: school.admin }, { myLesson: '1' })).toEqual([])
    expect(await seen(world, leader, { liCollegeId: otherCollege })).toEqual([])
  })

  test('the secretary of a class publishes and ends what they organise, deletes their drafts, and nobody else’s', async () => {
    const world = await lessonWorld()
    const { school, place, teacher } = world
    const secretary = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: place.scClassId }], {
      suiType: personType.student,
      suiCollegeId: place.suiCollegeId,
    })
    const form = () => world.form({ liPrincipalId: secretary.suId })
    const { client } = secretary
    const { liId } = await client.send(lessonApi.save, { ...form(), submit: '1' })
    await client.send(lessonApi.publish, { liId })
    expect(await client.send(lessonApi.details, { liId })).toMatchObject({ liStatus: lessonStatus.published })
    await client.send(lessonApi.unpublish, { liId, reason: '时间有变，另行通知' })
    await client.send(lessonApi.cancel, { liId, reason: '场地不能使用' })
    const draft = await client.send(lessonApi.save, form())
    await client.send(lessonApi.del, { liId: draft.liId })
    expect(await seen(world, secretary)).toEqual([expect.any(String)])
    const theirs = await teacher.client.send(lessonApi.save, world.form())
    for (const call of [lessonApi.publish, lessonApi.del])
      expect(await client.ask(call, { liId: theirs.liId })).toMatchObject({ status: 404, reason: 'not-found' })
  })

  test('out of sight is the same as not there, for every call on a course', async () => {
    const [world, elsewhere] = [await lessonWorld(), await lessonWorld()]
    const liId = await world.published()
    const [student] = await world.students(1)
    const [laId] = await world.enrol(liId, [student!])
    const stranger = await world.school.person('GUIDE_TEACHER', [], { suiCollegeId: world.scId })
    const reason = '理由足够长了'
    const calls: [Call, object][] = [
      [lessonApi.details, { liId }],
      [lessonApi.edit, { liId }],
      [lessonApi.submit, { liId }],
      [lessonApi.withdraw, { liId }],
      [lessonApi.del, { liId }],
      [lessonApi.publish, { liId }],
      [lessonApi.unpublish, { liId, reason }],
      [lessonApi.cancel, { liId, reason }],
      [lessonApi.resultAudit, { liId }],
      [lessonApi.signPrincipalAdd, { liId, suIds: [stranger.suId] }],
      [lessonApi.signManagers, { liId }],
      [lessonApi.codePackage, { liId }],
      [lessonApi.listUser, { liId }],
      [lessonApi.exit, { liId }],
      [lessonApi.publictyList, { liId }],
      [lessonApi.save, { ...world.form(), liId, version: 0 }],
      [registrationApi.view, { liId }],
      [registrationApi.add, { liId, suIds: [student!.suId] }],
      [registrationApi.pass, { laId }],
      [registrationApi.refuse, { laId, reason }],
      [registrationApi.remove, { laId: [laId] }],
      [registrationApi.delJoin, { ids: [laId] }],
      [registrationApi.sign, { laIds: [laId], laSignStatus: signStatus.signedIn }],
      [registrationApi.setAward, { laIds: [laId], laResult: resultStatus.passed }],
      [registrationApi.loadAward, { liId }],
      [registrationApi.counts, { liId }],
      [registrationApi.export, { liId }],
      [teamApi.exportList, { liId }],
      [registrationApi.exportTemplate, { liId }],
      [registrationApi.explain, { laId }],
      [auditApi.timeline, { bizType: 'lesson', bizId: liId }],
      [registrationApi.rateRemaining, { liId }],
    ]
    for (const { client } of [stranger, elsewhere.teacher, { client: elsewhere.school.admin }]) {
      for (const [call, input] of calls)
        expect(await client.ask(call, input), call.path).toMatchObject({ status: 404, reason: 'not-found' })
    }
    expect(
      await world.school.ctx.db
        .selectFrom('registration')
        .select('laStatus')
        .where('schoolId', '=', world.school.schoolId)
        .execute(),
    ).toEqual([{ laStatus: applyStatus.accepted }])
  })

  test('a file of a course is for those who see the course', async () => {
    const world = await lessonWorld()
    const { teacher, leader } = world
    const { data } = await teacher.client.upload(
      fileApi.upload,
      { name: '海报.png', bytes: await qrPng('poster') },
      { kind: 'image' },
    )
    const form = world.form({ liPoster: data.fileId })
    const { liId } = await teacher.client.send(lessonApi.save, form)
    expect((await leader.client.download(lessonApi.fileDownload, { id: data.fileId })).name).toBe('海报.png')
    const stranger = await world.school.person('GUIDE_TEACHER', [], { suiCollegeId: world.scId })
    expect(await stranger.client.ask(lessonApi.fileDownload, { id: data.fileId })).toMatchObject({ status: 404 })
    const uses = async () =>
      (await world.school.ctx.db
        .selectFrom('file')
        .select(['uses', 'fileState'])
        .where('schoolId', '=', world.school.schoolId)
        .executeTakeFirst()) as object
    expect(await uses()).toEqual({ uses: 1, fileState: fileState.inUse })
    await teacher.client.send(lessonApi.save, { ...form, liPoster: undefined, liId, version: 0 })
    expect(await uses()).toEqual({ uses: 0, fileState: fileState.abandoned })
  })

  test('a helper sees the course but does not run it', async () => {
    const world = await lessonWorld()
    const helper = await world.school.person('GUIDE_TEACHER', [], { suiCollegeId: world.scId })
    const liId = await world.published({ teacherIds: [helper.suId] })
    expect((await helper.client.send(lessonApi.details, { liId })).can).toEqual(['codes', 'exit', 'export'])
    expect(await helper.client.ask(lessonApi.unpublish, { liId, reason: '我不想办了' })).toMatchObject({ status: 403 })
    expect(await helper.client.ask(registrationApi.add, { liId, suIds: [helper.suId] })).toMatchObject({ status: 403 })
    await helper.client.send(lessonApi.exit, { liId })
    expect(await helper.client.ask(lessonApi.details, { liId })).toMatchObject({ status: 404 })
    expect(await world.teacher.client.ask(lessonApi.exit, { liId })).toMatchObject({ code: 300, msg: '请先移交负责人' })
  })
})

describe('the list', () => {
  test('finds by every filter, sorts and pages', async () => {
    const world = await lessonWorld()
    const { teacher, school } = world
    const now = school.clock.now()
    const names = ['志愿服务100%', '志愿_培训', '党课学习'] as const
    for (const [at, liName] of names.entries())
      await teacher.client.send(
        lessonApi.save,
        world.form(
          { liName, quota: at + 1, ...(at === 2 ? { lsId: school.curriculum['CXCY/学术讲座']!, liLevel: '5' } : {}) },
          24 * (at + 1),
        ),
      )
    const liId = await world.published(
      { liName: '进行中的课', applyStart: addMinutes(now, -300), applyEnd: addMinutes(now, -120) },
      -1,
    )
    await world.published({ liName: '报名中的课', applyStart: addMinutes(now, -60), applyEnd: addMinutes(now, 60) })
    expect(await seen(world, teacher, { liName: '志愿' })).toEqual(['志愿_培训', '志愿服务100%'])
    expect(await seen(world, teacher, { liName: '%' })).toEqual(['志愿服务100%'])
    expect(await seen(world, teacher, { liName: '_' })).toEqual(['志愿_培训'])
    expect(await seen(world, teacher, { lsId: school.curriculum['CXCY']! })).toEqual(['党课学习'])
    expect(await seen(world, teacher, { liLevel: '5' })).toEqual(['党课学习'])
    expect(await seen(world, teacher, { liStatus: lessonStatus.published })).toEqual(['报名中的课', '进行中的课'])
    expect(await seen(world, teacher, { liStatus: '30.4' })).toEqual(['进行中的课'])
    expect(await seen(world, teacher, { liStatus: '30.2,0' })).toEqual(
      ['党课学习', '志愿_培训', '志愿服务100%', '报名中的课'].toSorted(),
    )
    expect(await teacher.client.ask(lessonApi.view, { liStatus: '30;drop' })).toMatchObject({ code: 300 })
    expect(await seen(world, teacher, { startTime: addMinutes(now, -30), endTime: now })).toEqual(['进行中的课'])
    const page = await teacher.client.send(lessonApi.view, {
      sort: 'quota',
      order: 'asc',
      liStatus: lessonStatus.draft,
      pageSize: 2,
      current: 2,
    })
    expect(page).toMatchObject({
      total: 3,
      pages: 2,
      current: 2,
      records: [{ liName: '党课学习', quota: 3, lsName: '创新创业 / 学术讲座', liLevelName: '校级', liPhase: null }],
    })
    expect(await teacher.client.ask(lessonApi.view, { sort: 'schoolId' })).toMatchObject({ code: 300 })
    expect(
      (
        await teacher.client.send(lessonApi.selectList, {
          createStartDate: now.slice(0, 10),
          createEndDate: now.slice(0, 10),
          pageSize: 50,
        })
      ).total,
    ).toBe(5)
    expect(await teacher.client.send(lessonApi.count, {})).toEqual([
      { liStatus: lessonStatus.draft, count: 3 },
      { liStatus: lessonStatus.published, count: 2 },
    ])
    expect((await teacher.client.send(lessonApi.details, { liId })).liPhase).toBe(lessonPhase.underway)
    expect(await teacher.client.send(lessonApi.listUser, { liId })).toMatchObject([
      { suId: teacher.suId, lpRole: 'principal' },
    ])
    expect((await teacher.client.download(lessonApi.export, { liStatus: lessonStatus.draft })).name).toMatch(
      /^课程一览_.*\.xlsx$/,
    )
  })

  test('asks the same number of statements for one course and for a hundred', async () => {
    const world = await lessonWorld()
    const { teacher } = world
    await teacher.client.send(lessonApi.save, world.form())
    const few = await statements(world, () => teacher.client.send(lessonApi.view, { pageSize: 200 }))
    for (let at = 0; at < 20; at++) await teacher.client.send(lessonApi.save, world.form())
    expect(await statements(world, () => teacher.client.send(lessonApi.view, { pageSize: 200 }))).toBe(few)
    expect(few).toBeGreaterThan(0)
  })
})

/** How many statements the database is sent meanwhile. */
async function statements({ school }: LessonWorld, work: () => Promise<unknown>): Promise<number> {
  const executor = school.services.db.getExecutor()
  const original = executor.executeQuery.bind(executor)
  let count = 0
  const counting: typeof original = (...args) => {
    count++
    return original(...args)
  }
  Object.assign(executor, { executeQuery: counting })
  try {
    await work()
    count = 0
    await work()
    return count
  } finally {
    Object.assign(executor, { executeQuery: original })
  }
}
