import { describe, expect, test } from 'vitest'
import { applyWay, approvalStatus, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType } from '../../../../contract/core/codes/rules.ts'
import { studentStatus } from '../../../../contract/core/codes/school.ts'
import { auditApi } from '../../../../contract/school/audit/audit.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { newId } from '../../../core/base/ids.ts'
import { lessonWorld, untilNoon } from '../../../testing/lessons.ts'
import { makeFlow } from '../../../testing/flows.ts'
import { newSchool } from '../../../testing/school.ts'
import { lessonForm } from '../../../testing/stored-lesson.ts'

const fieldsOf = (reply: { errors?: { field: string }[] }) => reply.errors?.map(({ field }) => field)

describe('a new course', () => {
  test('is kept as the form says, with number, rule, credit and one session', async () => {
    const world = await lessonWorld()
    const { teacher, school } = world
    const form = world.form({
      liHours: '3.5',
      contactName: '李老师',
      rangeGrades: ['2024'],
      liExt: { cooperationUnit: '某企业' },
    })
    const saved = await teacher.client.send(lessonApi.save, form)
    expect(saved).toMatchObject({
      liStatus: lessonStatus.draft,
      version: 0,
      liNo: expect.stringMatching(/^EK\d{6}-0001$/) as string,
    })
    const detail = await teacher.client.send(lessonApi.edit, { liId: saved.liId })
    expect(detail).toMatchObject({
      liName: form.liName,
      liHours: '3.5',
      liCredit: '0.2',
      liPoints: '0.8',
      contactName: '李老师',
      contactPhone: '',
      rangeGrades: ['2024'],
      liExt: { cooperationUnit: '某企业' },
      liCollegeId: world.scId,
      principal: { suId: teacher.suId, suiName: teacher.suiName },
      sessions: [{ lseNo: 1, startTime: form.startTime, endTime: form.endTime, placeText: '礼堂' }],
      flows: [],
      can: ['edit', 'submit', 'series', 'del', 'export'],
    })
    const { esId } = await school.ctx.db
      .selectFrom('lesson')
      .select('esId')
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', saved.liId)
      .executeTakeFirstOrThrow()
    expect(esId).toBe(world.esId)
    expect((await teacher.client.send(lessonApi.save, world.form())).liNo).toMatch(/-0002$/)
  })

  test('is led, signed in and attended by students whose graduation is delayed as by any other', async () => {
    const world = await lessonWorld()
    const { teacher, school } = world
    const [delayed, away] = await world.students(2)
    const become = (suId: string, suiStatus: string) =>
      school.ctx.db.updateTable('person').set({ suiStatus }).where('suId', '=', suId).execute()
    await become(delayed!.suId, studentStatus.delayed)
    await become(away!.suId, studentStatus.suspended)
    const named = ({ suId }: { suId: string }) =>
      world.form({
        applyWay: applyWay.firstCome,
        applyStart: school.clock.now(),
        applyEnd: addMinutes(school.clock.now(), 60),
        liPrincipalId: suId,
        signerIds: [suId],
        reservedIds: [suId],
      })
    expect((await teacher.client.ask(lessonApi.save, named(delayed!))).errors).toBeUndefined()
    expect(fieldsOf(await teacher.client.ask(lessonApi.save, named(away!)))?.toSorted()).toEqual([
      'liPrincipalId',
      'reservedIds',
      'signerIds',
    ])
    const liId = await world.published()
    await teacher.client.send(lessonApi.signPrincipalAdd, { liId, suIds: [delayed!.suId] })
  })

  test('edited in one field, its history tells of that field alone', async () => {
    const { teacher, form, school } = await lessonWorld()
    const values = form()
    const { liId, version } = await teacher.client.send(lessonApi.save, values)
    await teacher.client.send(lessonApi.save, { ...values, liId, version, liIntro: '改过的简介' })
    const { records } = await school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: liId })
    expect(records[0]).toMatchObject({ action: '编辑课程' })
    expect(records[0]!.changes).toEqual([expect.objectContaining({ before: '活动简介', after: '改过的简介' })])
  })

  test('sent ten times at once is one course', async () => {
    const world = await lessonWorld()
    const form = world.form()
    const saved = await Promise.all(Array.from({ length: 10 }, () => world.teacher.client.send(lessonApi.save, form)))
    expect(new Set(saved.map(({ liId }) => liId)).size).toBe(1)
    expect((await world.teacher.client.send(lessonApi.view, {})).total).toBe(1)
  })

  test.each([{ quota: 50 }, { placeText: '别处' }, { liIntro: '另一门课' }])(
    'sent again at once with another %o is another course, and told that the name is taken',
    async (other) => {
      const world = await lessonWorld()
      const form = world.form()
      await world.teacher.client.send(lessonApi.save, form)
      expect(await world.teacher.client.ask(lessonApi.save, { ...form, ...other })).toMatchObject({
        code: 300,
        reason: 'lesson-name-taken',
      })
    },
  )

  test('saved by many at once gets numbers of its own', async () => {
    const world = await lessonWorld()
    const saved = await Promise.all(
      Array.from({ length: 20 }, () => world.teacher.client.send(lessonApi.save, world.form())),
    )
    expect(saved.map(({ liNo }) => liNo.slice(-4)).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, at) => String(at + 1).padStart(4, '0')),
    )
  })

  test('may not bear a name of the term a second time, another college may use it', async () => {
    const world = await lessonWorld()
    const form = world.form()
    await world.teacher.client.send(lessonApi.save, form)
    const again = { ...form, startTime: addMinutes(form.startTime as string, 1), placeText: '别处' }
    expect(await world.teacher.client.ask(lessonApi.save, again)).toMatchObject({
      code: 300,
      reason: 'lesson-name-taken',
      msg: expect.stringContaining(form.liName) as string,
    })
    const other = await world.school.college()
    expect(await world.school.admin.send(lessonApi.save, { ...again, liCollegeId: other })).toMatchObject({
      liStatus: lessonStatus.draft,
    })
  })

  test('is refused with every fault beside its field', async () => {
    const world = await lessonWorld()
    const { teacher, school, leader } = world
    const ask = async (more: object) =>
      fieldsOf(await teacher.client.ask(lessonApi.save, { ...world.form({}, untilNoon(school.clock.now())), ...more }))
    const start = world.form({}, untilNoon(school.clock.now())).startTime as string
    expect(await ask({ liName: 'x', liIntro: '', quota: 0 })).toEqual(['liName', 'liIntro', 'quota'])
    expect(await ask({ endTime: start, startTime: start })).toContain('endTime')
    expect(await ask({ applyWay: applyWay.review })).toContain('applyStart')
    expect(await ask({ applyStart: start, applyEnd: addMinutes(start, 60) })).toContain('applyEnd')
    expect(await ask({ liHours: '4.5' })).toEqual(['liHours'])
    expect(await ask({ liHours: '8.5', lsId: school.curriculum['CXCY/学科竞赛']! })).toEqual(['liHours'])
    expect(await ask({ liPrincipalId: newId(), teacherIds: [newId()], signerIds: [newId()] })).toEqual([
      'liPrincipalId',
      'teacherIds',
      'signerIds',
    ])
    expect(await ask({ lsId: newId() })).toEqual(['lsId'])
    expect(await ask({ liLevel: '99' })).toEqual(['liLevel'])
    expect(await ask({ atId: newId() })).toEqual(['atId'])
    expect(await ask({ rangeColleges: [newId()] })).toEqual(['rangeColleges'])
    expect(await ask({ liCollegeId: await school.college() })).toEqual(['liCollegeId'])
    expect(await ask({ liPlan: newId() })).toBeUndefined()
    expect(await teacher.client.ask(lessonApi.save, { ...world.form(), liPlan: newId() })).toMatchObject({
      reason: 'file-gone',
    })
    expect(
      await teacher.client.ask(lessonApi.save, { ...world.form(), liStatus: lessonStatus.completed }),
    ).toMatchObject({
      code: 300,
      reason: 'invalid-input',
    })
    expect(
      await leader.client.ask(lessonApi.save, { ...world.form(), liCollegeId: await school.college() }),
    ).toMatchObject({ code: 300 })
  })

  test('of the whole school needs somebody who acts for it', async () => {
    const world = await lessonWorld()
    const saved = await world.school.admin.send(lessonApi.save, world.form())
    expect(await world.school.admin.send(lessonApi.details, { liId: saved.liId })).toMatchObject({
      liCollegeId: null,
      liSponsorName: expect.stringContaining('测试大学') as string,
    })
    const homeless = await world.school.person('GUIDE_TEACHER')
    expect(fieldsOf(await homeless.client.ask(lessonApi.save, world.form()))).toEqual(['liCollegeId'])
  })
})

describe('approval', () => {
  test('needs a flow and somebody to decide', async () => {
    const bare = await newSchool()
    const scId = await bare.college()
    const teacher = await bare.person('GUIDE_TEACHER', [], { suiCollegeId: scId })
    const form = lessonForm(bare, teacher.suId)
    expect(await teacher.client.ask(lessonApi.save, { ...form, submit: '1' })).toMatchObject({
      code: 300,
      msg: expect.stringContaining('未配置适用的审批流程') as string,
    })
    expect((await teacher.client.send(lessonApi.view, {})).total).toBe(0)
    await makeFlow(bare, [
      { node: 'PUBLISH', checkerType: flowCheckerType.department, checkers: [await bare.department()] },
    ])
    expect(await teacher.client.ask(lessonApi.save, { ...form, submit: '1' })).toMatchObject({
      code: 300,
      reason: 'workflow-no-checker',
    })
  })

  test('can be withdrawn by whoever asked for it, and started again', async () => {
    const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
    const { liId } = await world.teacher.client.send(lessonApi.save, { ...world.form(), submit: '1' })
    expect((await world.leader.client.send(lessonApi.details, { liId })).can).toEqual(['export'])
    expect(await world.leader.client.ask(lessonApi.withdraw, { liId })).toMatchObject({ status: 403 })
    expect(await world.teacher.client.ask(lessonApi.save, { ...world.form(), liId, version: 1 })).toMatchObject({
      code: 300,
      msg: '当前状态不可编辑，请刷新后查看',
    })
    expect((await world.teacher.client.send(lessonApi.details, { liId })).can).toContain('withdraw')
    await world.teacher.client.send(lessonApi.withdraw, { liId })
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.draft,
      flows: [{ insStatus: approvalStatus.withdrawn }],
    })
    await world.teacher.client.send(lessonApi.submit, { liId })
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.publishInReview,
    })
  })

  test('shows in the form who would decide', async () => {
    const world = await lessonWorld(({ leader }) => [
      { node: 'PUBLISH', checkers: [leader.suId] },
      { node: 'RESULT', checkerType: flowCheckerType.startersCollege },
    ])
    const preview = await world.teacher.client.send(lessonApi.flowPreview, {
      lsId: world.school.curriculum['SXCL/主题教育']!,
      liLevel: '6',
      liPrincipalId: world.teacher.suId,
    })
    const asked = { stepType: flowStepType.anyOne, note: '', vacancy: null }
    expect(preview.nodes).toEqual([
      {
        nodeName: 'PUBLISH',
        steps: [{ ...asked, stepName: '步骤1', people: [world.leader.suiName] }],
      },
      {
        nodeName: 'RESULT',
        steps: [{ ...asked, stepName: '步骤2', people: [world.leader.suiName] }],
      },
    ])
  })
})

describe('an edit', () => {
  test('of an old version is refused, and of two at once one wins', async () => {
    const world = await lessonWorld()
    const form = world.form()
    const { liId } = await world.teacher.client.send(lessonApi.save, form)
    expect(fieldsOf(await world.teacher.client.ask(lessonApi.save, { ...form, liId }))).toEqual(['version'])
    const replies = await Promise.all(
      ['甲', '乙'].map((placeText) =>
        world.teacher.client.ask(lessonApi.save, { ...form, liId, version: 0, placeText }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)).toMatchObject({ msg: '数据已被他人修改，请刷新后重试' })
  })

  test('keeps the rule the course was made under', async () => {
    const world = await lessonWorld()
    const { db } = world.school.ctx
    const { schoolId } = world.school
    const form = world.form()
    const { liId } = await world.teacher.client.send(lessonApi.save, form)
    await db
      .updateTable('evaluation')
      .set({ current: false })
      .where('schoolId', '=', schoolId)
      .where('esId', '=', world.esId)
      .execute()
    await db
      .insertInto('evaluation')
      .values({
        schoolId,
        esId: newId(),
        lsId: world.school.curriculum['SXCL']!,
        esLessonLevel: '6',
        versionNo: 2,
        baseHours: 100,
        credit: 900,
        effectFrom: '2020-01-01',
      })
      .execute()
    await world.teacher.client.send(lessonApi.save, { ...form, liId, version: 0, quota: 20 })
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({ quota: 20, liCredit: '0.2' })
    expect(await world.teacher.client.send(lessonApi.save, world.form())).toMatchObject({
      liStatus: lessonStatus.draft,
    })
  })

  test('after approval goes through it again when it touches what was approved', async () => {
    const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
    const { teacher, school } = world
    const { db } = school.ctx
    const form = world.form()
    const { liId } = await teacher.client.send(lessonApi.save, form)
    const become = (liStatus: string) =>
      db
        .updateTable('lesson')
        .set({ liStatus, version: 0 })
        .where('schoolId', '=', school.schoolId)
        .where('liId', '=', liId)
        .execute()
    await become(lessonStatus.publishPassed)
    expect(
      await teacher.client.send(lessonApi.save, { ...form, liId, version: 0, placeText: '操场', liIntro: '新' }),
    ).toMatchObject({ liStatus: lessonStatus.publishPassed, version: 1 })
    expect(await teacher.client.send(lessonApi.save, { ...form, liId, version: 1, quota: 5 })).toMatchObject({
      liStatus: lessonStatus.publishInReview,
    })
    const { changes } = await db
      .selectFrom('approval')
      .select('changes')
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', liId)
      .executeTakeFirstOrThrow()
    expect(changes).toEqual([{ field: 'quota', label: '名额', before: '10 人', after: '5 人', since: 'approved' }])
    await become(lessonStatus.published)
    expect(
      await teacher.client.send(lessonApi.save, { ...form, liId, version: 0, quota: 50, contactPhone: '123' }),
    ).toMatchObject({ liStatus: lessonStatus.published })
  })
})
