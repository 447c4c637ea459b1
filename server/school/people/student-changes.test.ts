import { expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  accountStatus,
  personSex,
  studentChangeCause,
  studentChangeKind,
  studentStatus,
} from '../../../contract/core/codes/school.ts'
import { eventBody, eventKinds, type EventKind } from '../../../contract/platform/outbox/events.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { studentSheet } from '../../../contract/school/people/people.sheets.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { because } from '../../core/request/cause.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { bodyOf } from '../../platform/outbox/deliver.service.ts'
import { csvOf } from '../../testing/csv.ts'
import { newSchool, unique } from '../../testing/school.ts'
import { welcomeStudents } from './student-changes.service.ts'

test('a student who moves, pauses, returns and is taken back has a history, and other systems and tutors know', async () => {
  const school = await newSchool()
  const { admin, ctx, schoolId } = school
  await admin.send(webhookApi.add, {
    odName: '学籍',
    address: 'https://events.example.edu.cn/in',
    eventKinds: eventKinds.filter((kind) => kind.startsWith('student.')),
  })
  const [arts, law] = [await school.college('文学院'), await school.college('法学院')]
  const counsellor = await school.person('COUNSELOR')
  const from = await school.schoolClass(await school.major(arts, '汉语言'), arts, { scClassName: '汉语言1班' })
  const to = await school.schoolClass(await school.major(law, '法学'), law, { scClassName: '法学1班' })
  await ctx.db.updateTable('schoolClass').set({ counselorId: counsellor.suId }).where('scClassId', '=', to).execute()
  const place = async (scClassId: string) => {
    const { scId, smId, scClassGrade } = await ctx.db
      .selectFrom('schoolClass')
      .select(['scId', 'smId', 'scClassGrade'])
      .where('scClassId', '=', scClassId)
      .executeTakeFirstOrThrow()
    return { suiCollegeId: scId, majorId: smId, scClassId, suiGrade: scClassGrade }
  }
  const form = {
    suiNumber: 'S2024001',
    suiName: '林小满',
    suiSex: personSex.female as string,
    suiStatus: studentStatus.enrolled as string,
    suStatus: accountStatus.active,
    isVolunteerRegistered: yesNo.no,
  }
  const { suId } = await admin.send(studentApi.save, { ...form, ...(await place(from)) } as never)
  let version = 0
  // each act is later than the one before
  const tick = () => {
    school.clock.travel(60)
    return ctx.clock.now()
  }
  const save = async (change: Record<string, unknown>) => {
    tick()
    Object.assign(form, change)
    await admin.send(studentApi.save, { ...form, suId, version: version++ } as never)
  }
  const history = async () => (await admin.send(studentApi.changes, { suId })).records
  await save({ ...(await place(from)), suiSex: personSex.male })
  expect(await history()).toEqual([])
  await save(await place(to))
  expect(await history()).toMatchObject([
    {
      changeKind: 'transferCollege',
      changeCause: 'form',
      wasState: { college: '文学院', class: '汉语言1班', status: studentStatus.enrolled },
      newState: { college: '法学院', class: '法学1班' },
    },
  ])
  expect((await history())[0]!.operatorName).not.toBe('系统')
  for (const suiStatus of [studentStatus.suspended, studentStatus.enrolled]) await save({ suiStatus })
  expect((await history()).map(({ changeKind }) => changeKind)).toEqual(['return', 'leave', 'transferCollege'])

  // a class that moves takes its students along, which is nobody's transfer
  const move = (change: { majorId: string } | { scClassId: string }) =>
    ctx.db
      .updateTable('person')
      .set({ ...change, updateTime: tick() })
      .where('suId', '=', suId)
      .execute()
  await move({ majorId: await school.major(law, '知识产权') })
  expect((await history())[0]).toMatchObject({ changeKind: 'reorganise' })

  // what an undo takes back is told as that
  await inTransaction(ctx, async (tx) => {
    await because(tx, 'undo')
    await tx.db.updateTable('person').set({ scClassId: from, updateTime: tick() }).where('suId', '=', suId).execute()
  })
  expect((await history())[0]).toMatchObject({ changeKind: 'revoke', changeCause: 'undo' })
  await move({ scClassId: to })
  expect((await history())[0]).toMatchObject({ changeKind: 'transferClass', changeCause: 'form' })
  for (const { changeKind, changeCause } of await history()) {
    expect(Object.values(studentChangeKind)).toContain(changeKind)
    expect(Object.values(studentChangeCause)).toContain(changeCause)
  }

  const told = await ctx.db
    .selectFrom('outboxDelivery')
    .select(['eventKind', 'eventData', 'createTime'])
    .where('schoolId', '=', schoolId)
    .orderBy('createTime')
    .execute()
  for (const row of told) eventBody(row.eventKind as EventKind).parse(JSON.parse(bodyOf(row)))
  expect(told.map(({ eventKind }) => eventKind)).toEqual([
    'student.transferred',
    'student.onLeave',
    'student.returned',
    'student.adjusted',
    'student.changeRevoked',
    'student.transferred',
  ])

  expect(await welcomeStudents(ctx)).toBe(1)
  expect(await welcomeStudents(ctx)).toBe(0)
  const { records } = await counsellor.client.send(messageApi.inbox, {})
  expect(records.map(({ iiTitle }) => iiTitle)).toEqual(['有 1 名学生转入您的班级'])

  const stranger = await school.person('COUNSELOR')
  await expect(stranger.client.ask(studentApi.changes, { suId })).resolves.toMatchObject({ code: 404 })
})

test('counsellors hear of those who have come, and not of a transfer that was undone or made good again', async () => {
  const school = await newSchool()
  const { admin, ctx } = school
  const scId = await school.college('计算机学院')
  const smId = await school.major(scId, '软件工程')
  const counsellors = new Map<string, Awaited<ReturnType<typeof school.person>>>()
  for (const scClassName of ['软工2401', '软工2402']) {
    const counsellor = await school.person('COUNSELOR')
    const scClassId = await school.schoolClass(smId, scId, { scClassName, scClassGrade: '2024' })
    await ctx.db
      .updateTable('schoolClass')
      .set({ counselorId: counsellor.suId })
      .where('scClassId', '=', scClassId)
      .execute()
    counsellors.set(scClassName, counsellor)
  }
  const stays = `S${unique()}`
  const moves = `S${unique()}`
  const kind = 'student'
  const read = async (classes: Record<string, string>) => {
    const rows = Object.entries(classes).map(([suiNumber, className]) => ({
      suiNumber,
      suiName: `学生${suiNumber}`,
      suiSex: '男',
      collegeName: '计算机学院',
      majorName: '软件工程',
      suiGrade: '2024',
      className,
    }))
    // each file is read later than the one before
    school.clock.travel(1)
    const { data } = await admin.upload(importApi.upload, csvOf(studentSheet, rows), { kind })
    await admin.send(importApi.commit, { kind, ibId: data.ibId })
    return data.ibId
  }
  const told = async (scClassName: string) =>
    (await counsellors.get(scClassName)!.client.send(messageApi.inbox, {})).records.map(({ iiTitle }) => iiTitle)

  await read({ [stays]: '软工2401', [moves]: '软工2401' })
  expect(await welcomeStudents(ctx)).toBe(0)

  const moved = await read({ [stays]: '软工2402', [moves]: '软工2402' })
  await admin.send(importApi.undo, { kind, ibId: moved })
  // and one who was sent to the wrong class by hand, or by a second file, and back
  await read({ [stays]: '软工2402' })
  await read({ [stays]: '软工2401' })
  expect(await welcomeStudents(ctx)).toBe(0)
  expect([await told('软工2401'), await told('软工2402')]).toEqual([[], []])

  const again = await read({ [moves]: '软工2402' })
  await admin.send(importApi.undo, { kind, ibId: again })
  await read({ [moves]: '软工2402' })
  expect(await welcomeStudents(ctx)).toBe(1)
  expect([await told('软工2401'), await told('软工2402')]).toEqual([[], ['有 1 名学生转入您的班级']])
})
