import { describe, expect, test } from 'vitest'
import { dictionary } from '../../../../contract/core/dictionary.ts'
import { applyStatus, applyWay } from '../../../../contract/core/codes/programme.ts'
import { medicalCategory } from '../../../../contract/core/codes/rules.ts'
import { personSex, politicalStatus } from '../../../../contract/core/codes/school.ts'
import { approvalApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { circleApi } from '../../../../contract/programme/circles/circles.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { labelApi } from '../../../../contract/rules/labels/labels.calls.ts'
import { auditApi } from '../../../../contract/school/audit/audit.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { newId } from '../../../core/base/ids.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { offerForms } from '../../../testing/stored-lesson.ts'

const detailsOf = ({ teacher }: LessonWorld, liId: string) => teacher.client.send(lessonApi.details, { liId })
const publish = async (world: LessonWorld, form: object) => {
  const { liId } = await world.teacher.client.send(lessonApi.save, { ...world.form(), ...form, submit: '1' })
  await world.teacher.client.send(lessonApi.publish, { liId })
  return liId
}

describe('what a course says of itself', () => {
  test('organisers, labels, range, places and where to sign in are kept, shown, told in the trail and taken over', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const sdId = await world.school.department('团委宣传部')
    const said = {
      organiserIds: [sdId],
      coOrganisers: '市博物馆',
      liLabels: ['virtue-1' as const, 'work-2' as const],
      rangeMajors: [world.place.majorId],
      rangeClasses: [world.place.scClassId],
      rangePolitical: [politicalStatus.leagueMember],
      rangeSexes: [personSex.female],
      quotaByCollege: [{ scId: world.scId, quota: 4 }],
      signLng: 117.227239,
      signLat: 31.820587,
      signRadius: 80,
    }
    const form = world.form(said)
    const { liId } = await client.send(lessonApi.save, form)
    const shown = {
      organiserIds: [{ id: sdId, name: '团委宣传部' }],
      coOrganisers: '市博物馆',
      liLabels: ['virtue-1', 'work-2'],
      rangeMajors: [{ id: world.place.majorId }],
      rangeClasses: [{ id: world.place.scClassId }],
      rangePolitical: said.rangePolitical,
      rangeSexes: said.rangeSexes,
      quotaByCollege: [{ scId: world.scId, quota: 4 }],
      signLng: 117.227239,
      signRadius: 80,
    }
    expect(await detailsOf(world, liId)).toMatchObject(shown)
    const period = { startTime: addMinutes(form.startTime, 10_080), endTime: addMinutes(form.endTime, 10_080) }
    const { liIds } = await client.send(lessonApi.series, { liId, children: [period] })
    expect(await detailsOf(world, liIds[0]!)).toMatchObject(shown)

    const { version } = await detailsOf(world, liId)
    await client.send(lessonApi.save, { ...form, liId, version, coOrganisers: '省图书馆', quotaByCollege: [] })
    const { records } = await world.school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: liId })
    const changes = records.flatMap((entry) => entry.changes)
    expect(changes).toContainEqual({ label: '协办单位', before: '市博物馆', after: '省图书馆' })
    expect(changes.find(({ label }) => label === '学院名额')?.before).toMatch(/ 4$/)
  })

  test('what it names must be there', async () => {
    const world = await lessonWorld()
    const ask = async (more: object) =>
      (await world.teacher.client.ask(lessonApi.save, world.form(more))).errors?.map(({ field }) => field)
    const nowhere = newId()
    expect(
      await ask({
        organiserIds: [nowhere],
        rangeMajors: [nowhere],
        rangeClasses: [nowhere],
        rangeCircles: [nowhere],
        quotaByCollege: [{ scId: nowhere, quota: 1 }],
      }),
    ).toEqual(['rangeMajors', 'rangeClasses', 'rangeCircles', 'organiserIds', 'quotaByCollege'])
    expect(await ask({ signLng: 117 })).toEqual(['signLat'])
    expect(await ask({ liLabels: ['no-such-label'] })).toEqual(['liLabels.0'])
    expect(await ask({ reservedIds: [world.leader.suId] })).toEqual(['reservedIds'])
    const many = await world.students(3)
    expect(await ask({ quota: 2, reservedIds: many.map(({ suId }) => suId) })).toEqual(['reservedIds'])
  })

  test('its labels are those of the catalogue', async () => {
    const { school } = await lessonWorld()
    const labels = await school.admin.send(labelApi.lessonLabel, {})
    expect(dictionary.lesson_label).toEqual(labels.map(({ id, name }) => [id, name]))
  })

  test('the form is told what the rule gives before anything is saved', async () => {
    const world = await lessonWorld()
    const { lsId, liLevel } = world.form()
    const { worth } = await world.teacher.client.send(lessonApi.flowPreview, { lsId, liLevel })
    const { liId } = await world.teacher.client.send(lessonApi.save, world.form())
    const { liHours, liCredit, liPoints } = await detailsOf(world, liId)
    expect(worth).toEqual({ hours: liHours, credit: liCredit, points: liPoints })
    expect(liCredit).toBe('0.2')
  })
})

describe('a range', () => {
  test('by political status, sex and circle keeps others out', async () => {
    const world = await lessonWorld()
    const { db } = world.school.ctx
    const [one, other] = await world.students(2)
    const ciId = newId()
    const { ccId } = (await world.school.admin.send(circleApi.classes, {}))[0]!
    await db
      .insertInto('circle')
      .values({
        schoolId: world.school.schoolId,
        ciId,
        ciName: '读书社',
        ciNo: 'Q1',
        ciClass: ccId,
        cpiPersonId: one!.suId,
      })
      .execute()
    await world.school.setPerson(one!.suId, { suiSex: personSex.female, suiPolitical: politicalStatus.leagueMember })
    await world.school.setPerson(other!.suId, { suiSex: personSex.male, suiPolitical: politicalStatus.masses })
    await db
      .insertInto('circleMember')
      .values({ schoolId: world.school.schoolId, cpiId: newId(), ciId, suId: one!.suId })
      .execute()
    for (const range of [
      { rangeSexes: [personSex.female] },
      { rangePolitical: [politicalStatus.leagueMember] },
      { rangeCircles: [ciId] },
    ]) {
      const start = {
        startTime: addMinutes(world.form().startTime, 1440),
        endTime: addMinutes(world.form().endTime, 1440),
      }
      const liId = await publish(world, { ...range, ...start })
      const add = (suId: string) => world.teacher.client.ask(registrationApi.add, { liId, suIds: [suId] })
      expect(await add(other!.suId)).toMatchObject({ code: 300, reason: 'outside-range' })
      expect(await add(one!.suId)).toMatchObject({ code: 200 })
      await world.teacher.client.send(lessonApi.cancel, { liId, reason: '测试结束，取消课程' })
    }
  })

  test('of a published course changes by another approval', async () => {
    const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
    const form = world.form()
    const { liId } = await world.teacher.client.send(lessonApi.save, { ...form, submit: '1' })
    const pass = async () => {
      const { records } = await world.leader.client.send(approvalApi.publishQueue, {})
      await world.leader.client.send(approvalApi.publishPass, { taskIds: records.map(({ taskId }) => taskId) })
    }
    await pass()
    await world.teacher.client.send(lessonApi.publish, { liId })
    const { version } = await detailsOf(world, liId)
    const range = { rangeSexes: [personSex.female] }
    const saved = await world.teacher.client.send(lessonApi.save, { ...form, ...range, liId, version })
    expect(saved.isChanging).toBe(true)
    expect(await detailsOf(world, liId)).toMatchObject({
      rangeSexes: [],
      change: { differences: [{ label: '可报名性别', before: '不限', after: '女' }] },
    })
    await pass()
    expect(await detailsOf(world, liId)).toMatchObject(range)
  })
})

/** What people were told of a course. */
const messagesOf = ({ school }: LessonWorld, liId: string) =>
  school.ctx.db
    .selectFrom('information as i')
    .innerJoin('informationReceiver as r', (join) =>
      join.onRef('r.schoolId', '=', 'i.schoolId').onRef('r.iiId', '=', 'i.iiId'),
    )
    .select(['r.suId', 'i.iiTitle', 'i.iiContent'])
    .where('i.schoolId', '=', school.schoolId)
    .where('i.bizId', '=', liId)
    .execute()

describe('the reserved list', () => {
  test('has its places as soon as the course is published; who does not fit is left out', async () => {
    const world = await lessonWorld()
    const [first, second, third] = await world.students(3)
    await world.school.ctx.db
      .updateTable('person')
      .set({ blackUntil: addMinutes(world.school.clock.now(), 60 * 24 * 30) })
      .where('schoolId', '=', world.school.schoolId)
      .where('suId', '=', second!.suId)
      .execute()
    const liId = await publish(world, {
      applyWay: applyWay.importedList,
      quota: 2,
      reservedIds: [first!.suId, second!.suId],
    })
    const rows = async () => (await world.teacher.client.send(registrationApi.view, { liId })).records
    expect((await rows()).map(({ suId, laStatus, applyFrom }) => [suId, laStatus, applyFrom])).toEqual([
      [first!.suId, applyStatus.accepted, 'reserved'],
    ])
    expect(await detailsOf(world, liId)).toMatchObject({
      passCount: 1,
      reservedIds: [{ suId: first!.suId }, { suId: second!.suId }],
    })
    // the place counts: one more and the course is full
    await world.teacher.client.send(registrationApi.add, { liId, suIds: [third!.suId] })
    const [fourth] = await world.students(1)
    expect(await world.teacher.client.ask(registrationApi.add, { liId, suIds: [fourth!.suId] })).toMatchObject({
      code: 300,
      reason: 'quota-full',
    })
  })

  test('keeps to the places of colleges, and tells each of those admitted once', async () => {
    const world = await lessonWorld()
    const [first, second] = await world.students(2)
    const liId = await publish(world, {
      applyWay: applyWay.importedList,
      quota: 5,
      quotaByCollege: [{ scId: world.scId, quota: 1 }],
      reservedIds: [first!.suId, second!.suId],
    })
    const admitted = (await world.teacher.client.send(registrationApi.view, { liId })).records
    expect(admitted.map(({ laStatus }) => laStatus)).toEqual([applyStatus.accepted])
    const told = await messagesOf(world, liId)
    expect(told.filter(({ suId }) => suId === admitted[0]!.suId).map(({ iiTitle }) => iiTitle)).toEqual([
      expect.stringContaining('已为您预留名额'),
    ])
    expect(told.find(({ iiTitle }) => iiTitle.includes('未录取'))).toMatchObject({
      iiContent: expect.stringContaining('名额已满（1 人）') as string,
    })
  })

  test('does not decide anew for who has given their place back', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const [first, second] = await world.students(2)
    const form = { ...world.form({ applyWay: applyWay.importedList, quota: 5 }), submit: '1' as const }
    const { liId } = await client.send(lessonApi.save, { ...form, reservedIds: [first!.suId] })
    await client.send(lessonApi.publish, { liId })
    const rows = async () => (await client.send(registrationApi.view, { liId })).records
    const admitted = async () =>
      (await rows()).filter(({ laStatus }) => laStatus === applyStatus.accepted).map(({ suId }) => suId)
    await client.send(admissionApi.cancel, { laId: (await rows())[0]!.laId })
    expect(await admitted()).toEqual([])
    // another one on the list does not bring the first one back
    const { version } = await detailsOf(world, liId)
    await client.send(lessonApi.save, { ...form, liId, version, reservedIds: [first!.suId, second!.suId] })
    expect(await admitted()).toEqual([second!.suId])
    // nor does publishing once more; the organisers are told what they can do
    await client.send(lessonApi.unpublish, { liId, reason: '场地临时停用' })
    await client.send(lessonApi.publish, { liId })
    expect(await admitted()).toEqual([second!.suId])
    expect((await messagesOf(world, liId)).find(({ iiTitle }) => iiTitle.includes('未录取'))).toMatchObject({
      iiContent: expect.stringContaining('请与本人确认后在参与人员中重新添加') as string,
    })
  })
})

describe('a form beyond the standard one', () => {
  const liExt = { medicalCategory: medicalCategory.clinical, practiceHospital: '附属第一医院', tutorName: '林医生' }
  test('is offered where the school has switched it on, and asks for its own facts', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const ask = (more: object) => client.ask(lessonApi.save, world.form({ liScheme: 'medical', ...more }))
    expect(await ask({ liExt })).toMatchObject({
      errors: [{ field: 'liScheme', msg: expect.stringContaining('未启用医科大学课程表单') as string }],
    })
    await offerForms(world.school, { isYkdx: true })
    expect((await ask({})).errors?.map(({ field }) => field)).toEqual([
      'liExt.medicalCategory',
      'liExt.practiceHospital',
      'liExt.tutorName',
    ])
    const form = world.form({ liScheme: 'medical', liExt })
    const { liId, version } = await client.send(lessonApi.save, form)
    expect(await detailsOf(world, liId)).toMatchObject({ liScheme: 'medical', liExt })
    // switched off again it stays with what was made with it
    await offerForms(world.school, {})
    await client.send(lessonApi.save, { ...form, liId, version, contactName: '林医生' })
    expect(await ask({ liExt, liName: '另一门课程' })).toMatchObject({ errors: [{ field: 'liScheme' }] })
  })
})
