import { beforeAll, describe, expect, test } from 'vitest'
import { circleApi, circleClassApi } from '../../../contract/programme/circles/circles.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { circleAuthStatus, circleMemberRole, circleStatus } from '../../../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { circleMemberSheet } from '../../../contract/programme/circles/circles.sheets.ts'
import { circleLessonApi } from '../../../contract/programme/lessons/circle-lessons.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { circleWorld, type CircleWorld } from '../../testing/circles.ts'
import { csvOf } from '../../testing/csv.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool, unique } from '../../testing/school.ts'
import { foundingFaults } from './circle-checks.ts'

const all = { current: 1, pageSize: 50 }
let w: CircleWorld
beforeAll(async () => void (w = await circleWorld()))

const leads = async (suId: string) =>
  (
    await w.school.ctx.db
      .selectFrom('roleUser')
      .select('suId')
      .where('schoolId', '=', w.school.schoolId)
      .where('srId', '=', w.school.roles['CLUB_LEAD']!)
      .where('suId', '=', suId)
      .execute()
  ).length === 1

test.each([
  ['enough of everything', { founders: 20, teachers: 1, guideUnitId: 'a', charterFile: 'b' }, []],
  ['one founder too few', { founders: 19, teachers: 1, guideUnitId: 'a', charterFile: 'b' }, ['personIds']],
  [
    'nothing',
    { founders: 0, teachers: 0, guideUnitId: null, charterFile: null },
    ['personIds', 'teacherIds', 'guideUnitId', 'charterFile'],
  ],
])('founding with %s', (_, founding, fields) => {
  expect(
    foundingFaults(founding, { clubFounders: 20, clubTeachers: 1, clubUnitNeeded: true, clubCharterNeeded: true }).map(
      ({ field }) => field,
    ),
  ).toEqual(fields)
})

describe('a circle', () => {
  test('has exactly one person in charge, who is a member, leads by role, and sees it themselves', async () => {
    const { school, students, teacher, form } = w
    const { ciId } = await school.admin.send(
      circleApi.add,
      form({ cpiPersonId: students[0]!.suId, personIds: [students[1]!.suId] }),
    )
    const circle = await school.admin.send(circleApi.detail, { ciId })
    expect(circle).toMatchObject({
      cpiPersonId: students[0]!.suId,
      ciStatus: circleStatus.enabled,
      ciAuthStatus: circleAuthStatus.passed,
      memberCount: 2,
      teacherNames: [teacher.suiName],
      principal: { suiName: students[0]!.suiName },
    })
    expect(circle.persons.map(({ suId, cmRole }) => [suId, cmRole])).toEqual([
      [students[0]!.suId, circleMemberRole.president],
      [students[1]!.suId, circleMemberRole.member],
    ])
    expect(await leads(students[0]!.suId)).toBe(true)
    expect((await teacher.client.send(circleApi.list, { ...all, mine: '1' })).records.map((row) => row.ciId)).toContain(
      ciId,
    )
    expect(
      await school.admin.ask(circleApi.add, form({ cpiPersonId: [students[0]!.suId, students[1]!.suId] as never })),
    ).toMatchObject({ code: 300, errors: [{ field: 'cpiPersonId' }] })
    expect(await school.admin.ask(circleApi.add, { ...form(), ciAuthStatus: circleAuthStatus.passed })).toMatchObject({
      code: 300,
    })
    expect(
      await school.admin.ask(circleApi.add, form({ cpiPersonId: teacher.suId, teacherIds: [students[0]!.suId] })),
    ).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ field: 'cpiPersonId' }),
        expect.objectContaining({ field: 'teacherIds' }),
      ]),
    })
    expect(await school.admin.ask(circleApi.add, form({ ciName: circle.ciName }))).toMatchObject({
      reason: 'name-taken',
    })
    expect(await school.admin.ask(circleApi.add, form({ memberMax: 1 }))).toMatchObject({
      errors: [{ field: 'memberMax' }],
    })
  })

  test('is not founded without what the settings ask for', async () => {
    const strict = await circleWorld()
    await strict.school.rules({
      clubFounders: 20,
      clubTeachers: 1,
      clubUnitNeeded: yesNo.yes,
      clubCharterNeeded: yesNo.yes,
    })
    const reply = await strict.school.admin.ask(circleApi.add, strict.form({ teacherIds: [] }))
    expect(reply.errors?.map(({ field }) => field).toSorted()).toEqual([
      'charterFile',
      'guideUnitId',
      'personIds',
      'teacherIds',
    ])
  })

  test('is found by the days it was made, told as walls show them', async () => {
    const { school, form } = w
    const ciName = `零点${unique()}`
    const { ciId } = await school.admin.send(circleApi.add, form({ ciName }))
    await school.ctx.db
      .updateTable('circle')
      .set({ createTime: '2026-11-21 00:30:00' })
      .where('ciId', '=', ciId)
      .execute()
    const found = async (days: object) => (await school.admin.send(circleApi.list, { ...all, ciName, ...days })).total
    expect(
      await found({ createStartDate: '2026-11-21T00:00:00.000Z', createEndDate: '2026-11-21T23:59:59.000Z' }),
    ).toBe(1)
    expect(
      await found({ createStartDate: '2026-11-20T00:00:00.000Z', createEndDate: '2026-11-20T23:59:59.000Z' }),
    ).toBe(0)
    expect(await found({ createStartDate: '2026-11-21', createEndDate: '2026-11-21 23:59:59' })).toBe(1)
    expect(await found({ createStartDate: '2026-11-22T00:00:00.000Z' })).toBe(0)
    expect(await school.admin.ask(circleApi.list, { createStartDate: '2026-02-30T00:00:00.000Z' })).toMatchObject({
      code: 300,
    })
  })

  test('changes hands once when two try at the same time, and never has two or none in charge', async () => {
    const { school, students, form } = w
    const { ciId } = await school.admin.send(circleApi.add, form())
    const { version } = await school.admin.send(circleApi.detail, { ciId })
    const { ciName } = await school.admin.send(circleApi.detail, { ciId })
    const replies = await Promise.all(
      [1, 2].map((at) =>
        school.admin.ask(circleApi.update, { ...form({ ciName, cpiPersonId: students[at]!.suId }), ciId, version }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const now = await school.admin.send(circleApi.detail, { ciId })
    expect(now.persons.filter(({ cmRole }) => cmRole === circleMemberRole.president).map(({ suId }) => suId)).toEqual([
      now.cpiPersonId,
    ])
    expect([students[1]!.suId, students[2]!.suId]).toContain(now.cpiPersonId)
    expect(await leads(now.cpiPersonId)).toBe(true)
  })

  test('is changed by its teacher, but who leads it and where it stands only by those who audit circles', async () => {
    const { school, students, teacher, form } = w
    const ciId = await w.founded()
    const { ciName, version } = await teacher.client.send(circleApi.detail, { ciId })
    const edit = (more: object, at = version) =>
      teacher.client.ask(circleApi.update, { ...form({ ciName }), ciId, version: at, ...more })
    expect(await edit({ cpiPersonId: students[1]!.suId })).toMatchObject({ reason: 'circle-leader-by-apply' })
    expect(await edit({ ciCollegeId: undefined })).toMatchObject({ errors: [{ field: 'ciCollegeId' }] })
    expect(await edit({ ciDesc: '<img src=x onerror=alert(1)>', personIds: [students[4]!.suId] })).toMatchObject({
      code: 200,
    })
    const after = await teacher.client.send(circleApi.detail, { ciId })
    expect(after).toMatchObject({
      ciDesc: '<img src=x onerror=alert(1)>',
      memberCount: 2,
      can: ['edit', 'apply', 'exit'],
    })
    expect(await edit({})).toMatchObject({ status: 409 })
    const guide = await school.person('GUIDE_TEACHER')
    expect((await guide.client.ask(circleApi.detail, { ciId })).status).toBe(404)
    expect(
      (await guide.client.ask(circleApi.update, { ...form({ ciName }), ciId, version: after.version })).status,
    ).toBe(404)
    expect((await (await newSchool()).admin.ask(circleApi.detail, { ciId })).status).toBe(404)
  })

  test('belongs to its college: another college neither sees nor switches it', async () => {
    const { school, leader, students } = w
    const ciId = await w.founded()
    const other = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    expect((await leader.client.send(circleApi.list, all)).records.map((row) => row.ciId)).toContain(ciId)
    expect((await other.client.send(circleApi.list, all)).records.map((row) => row.ciId)).not.toContain(ciId)
    const pair = { ciIds: [ciId], cpiPersonIds: [students[0]!.suId] }
    expect((await other.client.ask(circleApi.disable, pair)).status).toBe(404)
    expect(await leader.client.send(circleApi.disable, pair)).toEqual({ affected: 1 })
    expect(await leader.client.send(circleApi.disable, pair)).toEqual({ affected: 0 })
    expect(await leader.client.send(circleApi.enable, pair)).toEqual({ affected: 1 })
  })

  test('is switched and deleted together with whom the caller saw in charge, all or none', async () => {
    const { school, students } = w
    const [one, two] = [await w.founded(), await w.founded()]
    const [first, second] = [students[0]!.suId, students[1]!.suId]
    expect(await school.admin.ask(circleApi.disable, { ciIds: [one, two], cpiPersonIds: [first] })).toMatchObject({
      code: 300,
      errors: [{ field: 'cpiPersonIds' }],
    })
    expect(
      await school.admin.ask(circleApi.disable, { ciIds: [one, two], cpiPersonIds: [first, second] }),
    ).toMatchObject({ reason: 'circle-leader-changed' })
    expect((await school.admin.send(circleApi.detail, { ciId: one })).ciStatus).toBe(circleStatus.enabled)
    expect(await school.admin.send(circleApi.disable, { ciIds: [one, two], cpiPersonIds: [first, first] })).toEqual({
      affected: 2,
    })
    expect(
      await school.admin.send(circleApi.remove, { ciIds: `${one},${two}`, cpiPersonIds: `${first},${first}` }),
    ).toEqual({ affected: 2 })
    expect((await school.admin.ask(circleApi.detail, { ciId: one })).status).toBe(404)
    expect((await school.admin.ask(circleApi.remove, { ciIds: [one], cpiPersonIds: [first] })).status).toBe(404)
  })
})

describe('the people of a circle', () => {
  test('may be students whose graduation is delayed, and not those on leave', async () => {
    const { school, students, form } = await circleWorld()
    const [lead, member, away] = students.slice(3).map(({ suId }) => suId)
    const become = (suId: string, suiStatus: string) =>
      school.ctx.db.updateTable('person').set({ suiStatus }).where('suId', '=', suId).execute()
    await become(lead!, studentStatus.delayed)
    await become(member!, studentStatus.delayed)
    await become(away!, studentStatus.suspended)
    const { ciId } = await school.admin.send(circleApi.add, form({ cpiPersonId: lead!, personIds: [lead!] }))
    expect(await school.admin.send(circleApi.addMembers, { ciId, suIds: [member!] })).toEqual({ affected: 1 })
    expect(await school.admin.ask(circleApi.addMembers, { ciId, suIds: [away!] })).toMatchObject({
      reason: 'not-a-student',
    })
    expect(await school.admin.ask(circleApi.add, form({ cpiPersonId: away!, personIds: [away!] }))).toMatchObject({
      errors: [{ field: 'cpiPersonId' }, { field: 'personIds' }, { field: 'personIds' }],
    })
  })

  test('are added, given offices and taken out; the person in charge stays', async () => {
    const { school, students, teacher } = w
    const ciId = await w.founded({ memberMax: 4 })
    const [first, second, , fourth, fifth] = students.map(({ suId }) => suId)
    expect(await teacher.client.send(circleApi.addMembers, { ciId, suIds: [fourth!] })).toEqual({ affected: 1 })
    expect(await teacher.client.send(circleApi.addMembers, { ciId, suIds: [fourth!] })).toEqual({ affected: 0 })
    expect(await teacher.client.ask(circleApi.addMembers, { ciId, suIds: [fifth!] })).toMatchObject({
      reason: 'circle-full',
    })
    expect(await teacher.client.ask(circleApi.addMembers, { ciId, suIds: [teacher.suId] })).toMatchObject({
      reason: 'not-a-student',
    })
    await teacher.client.send(circleApi.setRole, { ciId, suIds: [second!], cmRole: circleMemberRole.vicePresident })
    expect(
      await teacher.client.ask(circleApi.setRole, { ciId, suIds: [second!], cmRole: circleMemberRole.president }),
    ).toMatchObject({
      errors: [{ field: 'cmRole' }],
    })
    expect(
      await teacher.client.ask(circleApi.setRole, { ciId, suIds: [first!], cmRole: circleMemberRole.head }),
    ).toMatchObject({
      reason: 'hand-over-first',
    })
    expect(await teacher.client.ask(circleApi.removeMembers, { ciId, suIds: [first!, second!] })).toMatchObject({
      reason: 'hand-over-first',
    })
    expect(
      (await teacher.client.send(circleApi.members, { ...all, ciId, cmRole: circleMemberRole.vicePresident })).records,
    ).toMatchObject([{ suId: second, cmRole: circleMemberRole.vicePresident }])
    expect(
      (await teacher.client.send(circleApi.members, { ...all, ciId, numberOrName: students[3]!.suiNumber })).total,
    ).toBe(1)
    expect(await teacher.client.send(circleApi.removeMembers, { ciId, suIds: [fourth!] })).toEqual({ affected: 1 })
    expect((await teacher.client.ask(circleApi.removeMembers, { ciId, suIds: [fourth!] })).status).toBe(404)
    const circles = await school.admin.send(circleApi.ofStudent, { ...all, suId: fourth! })
    expect(circles.records[0]).toMatchObject({
      ciId,
      cmRole: circleMemberRole.member,
      isLeader: false,
      opens: true,
      quitTime: expect.any(String),
    })
    expect((await teacher.client.ask(circleApi.ofStudent, { ...all, suId: fourth! })).status).toBe(403)
  })

  test('of a circle leave by themselves; the person in charge is succeeded first', async () => {
    const { school, students, teacher } = w
    const guide = await school.person('GUIDE_TEACHER')
    const member = await school.person('LEAGUE_SEC', [], { suiType: personType.student })
    const ciId = await w.founded({
      teacherIds: [teacher.suId, guide.suId],
      cpiPersonId: member.suId,
      personIds: [students[1]!.suId],
    })
    expect(await guide.client.send(circleApi.exit, { ciId })).toEqual({ affected: 1 })
    expect((await guide.client.ask(circleApi.exit, { ciId })).status).toBe(404)
    expect(await member.client.ask(circleApi.exit, { ciId })).toMatchObject({
      reason: 'hand-over-first',
      msg: '请先移交负责人',
    })
    expect((await school.admin.send(circleApi.detail, { ciId })).teacherNames).toEqual([teacher.suiName])
    await school.ctx.db
      .updateTable('circle')
      .set({ ciStatus: circleStatus.dissolved })
      .where('ciId', '=', ciId)
      .execute()
    expect(await teacher.client.ask(circleApi.exit, { ciId })).toMatchObject({ code: 300, reason: 'wrong-state' })
    expect((await school.admin.send(circleApi.detail, { ciId })).teacherNames).toEqual([teacher.suiName])
  })

  test('are found by name or number, several numbers at once', async () => {
    const { teacher, students } = w
    const numbers = students.map(({ suiNumber }) => suiNumber)
    expect(
      (await teacher.client.send(circleApi.students, { numberOrName: numbers.slice(0, 4).join('\n') })).length,
    ).toBe(4)
    expect(
      (await teacher.client.send(circleApi.students, { numberOrName: students[2]!.suiName })).map(({ suId }) => suId),
    ).toEqual([students[2]!.suId])
    expect(
      (await teacher.client.send(circleApi.teachers, { numberOrName: teacher.suiNumber })).map(({ suId }) => suId),
    ).toEqual([teacher.suId])
    expect((await teacher.client.send(circleApi.teachers, { numberOrName: numbers[0]! })).length).toBe(0)
  })

  test('come from a sheet, and go again when the import is undone', async () => {
    const {
      school: { admin },
      teacher,
      students,
    } = w
    const ciName = `导入${unique()}`
    const ciId = await w.founded({ ciName })
    const rows: Record<string, string>[] = [
      { ciName, suiNumber: students[3]!.suiNumber, suiName: students[3]!.suiName, cmRole: '部长' },
      { ciName, suiNumber: students[1]!.suiNumber, cmRole: '干事' },
      { ciName, suiNumber: students[2]!.suiNumber, cmRole: '会员' },
      { ciName, suiNumber: students[4]!.suiNumber, cmRole: '会长' },
      { ciName: '没有的圈子', suiNumber: students[4]!.suiNumber },
      { ciName, suiNumber: '没有的学号' },
    ]
    const checked = await teacher.client.upload(importApi.upload, csvOf(circleMemberSheet, rows), {
      kind: 'circleMember',
    })
    const { ibId } = checked.data
    const page = await teacher.client.send(importApi.preview, { kind: 'circleMember', ibId, current: 1, pageSize: 50 })
    expect(page.records.map(({ verdict }) => verdict)).toEqual(['new', 'update', 'same', 'fault', 'fault', 'fault'])
    await teacher.client.send(importApi.commit, { kind: 'circleMember', ibId, skipFaults: yesNo.yes })
    const offices = async () =>
      Object.fromEntries(
        (await admin.send(circleApi.members, { ...all, ciId })).records.map(({ suiNumber, cmRole }) => [
          suiNumber,
          cmRole,
        ]),
      )
    expect(await offices()).toMatchObject({ [students[3]!.suiNumber]: '3', [students[1]!.suiNumber]: '4' })
    const post = (cmRole: string) =>
      w.school.ctx.db
        .updateTable('circleMember')
        .set({ cmRole })
        .where('schoolId', '=', w.school.schoolId)
        .where('ciId', '=', ciId)
        .where('suId', '=', students[3]!.suId)
        .execute()
    await post('4')
    const { suiName, suiNumber } = students[3]!
    expect(await teacher.client.ask(importApi.undo, { kind: 'circleMember', ibId })).toMatchObject({
      reason: 'import-undo-late',
      msg: expect.stringContaining(`${suiName}（${suiNumber}）在圈子中的职务已被修改`) as string,
    })
    await post('3')
    await teacher.client.send(importApi.undo, { kind: 'circleMember', ibId })
    expect(await offices()).toEqual({
      [students[0]!.suiNumber]: '1',
      [students[1]!.suiNumber]: '5',
      [students[2]!.suiNumber]: '5',
    })
    const guide = await w.school.person('GUIDE_TEACHER')
    const foreign = await guide.client.upload(importApi.upload, csvOf(circleMemberSheet, rows.slice(0, 1)), {
      kind: 'circleMember',
    })
    expect(
      (
        await guide.client.send(importApi.preview, {
          kind: 'circleMember',
          ibId: foreign.data.ibId,
          current: 1,
          pageSize: 50,
        })
      ).records[0],
    ).toMatchObject({ verdict: 'fault' })
  })
})

test('a circle holds courses while it is in service, and is not deleted while one is under way', async () => {
  const courses = await lessonWorld()
  const { school, teacher, leader, scId } = courses
  await school.rules({ clubFounders: 1, clubTeachers: 0, clubUnitNeeded: yesNo.no, clubCharterNeeded: yesNo.no })
  const smId = await school.major(scId)
  const [student] = await school.students(1, {
    suiCollegeId: scId,
    majorId: smId,
    scClassId: await school.schoolClass(smId, scId),
  })
  const { ccId } = (await school.admin.send(circleApi.classes, {}))[0]!
  const { ciId } = await school.admin.send(circleApi.add, {
    ciName: '摄影社',
    ciClass: ccId,
    ciCollegeId: scId,
    cpiPersonId: student!.suId,
    teacherIds: [teacher.suId],
    personIds: [],
  })
  const liId = await courses.published({ liName: '外拍', liCircleId: ciId })
  expect(await teacher.client.send(lessonApi.details, { liId })).toMatchObject({
    liCircleId: ciId,
    circleName: '摄影社',
  })
  expect((await teacher.client.send(circleLessonApi.ofCircle, { ...all, ciId })).records).toMatchObject([
    { liId, liName: '外拍', opens: true },
  ])
  expect(await teacher.client.send(circleApi.options, {})).toEqual([{ ciId, ciName: '摄影社' }])
  const pair = { ciIds: [ciId], cpiPersonIds: [student!.suId] }
  expect(await leader.client.ask(circleApi.remove, pair)).toMatchObject({
    reason: 'circle-has-lessons',
    msg: expect.stringContaining('有进行中的活动'),
  })
  await leader.client.send(circleApi.disable, pair)
  expect(await teacher.client.ask(lessonApi.save, courses.form({ liCircleId: ciId }))).toMatchObject({
    errors: [{ field: 'liCircleId' }],
  })
  const stranger = await school.person('GUIDE_TEACHER', [], { suiCollegeId: scId })
  expect(
    await stranger.client.ask(lessonApi.save, courses.form({ liCircleId: ciId, liPrincipalId: stranger.suId })),
  ).toMatchObject({ errors: [{ field: 'liCircleId' }] })
  expect((await stranger.client.ask(circleLessonApi.ofCircle, { ...all, ciId })).status).toBe(404)
})

test('kinds of circle are kept by those who see the whole school, and stay while a circle is of them', async () => {
  const {
    school: { admin },
    leader,
    ccId,
  } = w
  await w.founded()
  const before = await admin.send(circleClassApi.list, all)
  expect(before.records.map(({ ccName }) => ccName)).toEqual([
    '思想政治类',
    '学术科技类',
    '创新创业类',
    '文化体育类',
    '志愿公益类',
    '自律互助类',
    '其他',
  ])
  const { ccId: made } = await admin.send(circleClassApi.add, { ccName: '电竞类', ccSort: 3 })
  expect(await admin.ask(circleClassApi.add, { ccName: '电竞类' })).toMatchObject({ reason: 'name-taken' })
  await admin.send(circleClassApi.update, { ccId: made, version: 0, ccName: '电子竞技类', ccSort: 9 })
  expect((await admin.send(circleClassApi.list, { ...all, ccName: '电子' })).records).toMatchObject([
    { ccId: made, ccSort: 9, circleCount: 0, can: ['edit', 'delete'] },
  ])
  expect(await admin.ask(circleClassApi.remove, { ccIds: [ccId] })).toMatchObject({ reason: 'circle-class-in-use' })
  expect((await leader.client.ask(circleClassApi.remove, { ccIds: [made] })).status).toBe(403)
  expect(await admin.send(circleClassApi.remove, { ccIds: [made] })).toEqual({ affected: 1 })
})
