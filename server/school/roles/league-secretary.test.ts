import { describe, expect, test } from 'vitest'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { leagueSecretarySheet } from '../../../contract/school/roles/roles.sheets.ts'
import type { Client } from '../../testing/client.ts'
import { csvOf } from '../../testing/csv.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { endMemberships } from './membership-end.service.ts'

const all = { current: 1, pageSize: 50 }

/** A class of a college with some students. */
async function classOf(school: TestSchool, scId: string, scClassName: string, count: number) {
  const smId = await school.major(scId)
  const scClassId = await school.schoolClass(smId, scId, { scClassName })
  return { scClassId, students: await school.students(count, { suiCollegeId: scId, majorId: smId, scClassId }) }
}

describe('the league secretary of a class', () => {
  test('is one; another replaces them only when that is said', async () => {
    const school = await newSchool()
    const scId = await school.college()
    const smId = await school.major(scId)
    const scClassId = await school.schoolClass(smId, scId)
    const [first, second] = await school.students(2, { suiCollegeId: scId, majorId: smId, scClassId })
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    const srId = school.roles['LEAGUE_SEC']!
    expect(await client.send(memberApi.addSecretary, { srId, suId: first!.suId })).toEqual({ affected: 1 })
    expect(await client.send(memberApi.addSecretary, { srId, suId: first!.suId })).toEqual({ affected: 0 })
    expect(await client.ask(memberApi.addSecretary, { srId, suId: second!.suId })).toMatchObject({
      reason: 'secretary-exists',
      msg: expect.stringContaining(first!.suiName),
    })
    expect(await client.send(memberApi.appointSecretary, { srId, suId: second!.suId, replace: '1' })).toEqual({
      affected: 1,
    })
    const members = await client.send(memberApi.list, { ...all, srId })
    expect(members.records).toMatchObject([{ suId: second!.suId, area: { scClassIds: [scClassId] } }])
    expect((await client.send(studentApi.detail, { id: second!.suId })).isLeagueSecretary).toBe(true)
    expect(
      await client.ask(memberApi.appointSecretary, { srId: school.roles['COUNSELOR'], suId: first!.suId }),
    ).toMatchObject({ code: 200 })
    expect(
      await client.ask(memberApi.appointSecretary, { srId: school.roles['GUIDE_TEACHER'], suId: first!.suId }),
    ).toMatchObject({ errors: [{ field: 'srId' }] })
  })

  test('is one after twenty appointments at the same time', async () => {
    const school = await newSchool()
    const scId = await school.college()
    const smId = await school.major(scId)
    const scClassId = await school.schoolClass(smId, scId)
    const students = await school.students(20, { suiCollegeId: scId, majorId: smId, scClassId })
    const srId = school.roles['LEAGUE_SEC']!
    const replies = await Promise.all(
      students.map(({ suId }) => school.admin.ask(memberApi.appointSecretary, { srId, suId })),
    )
    expect(replies.filter(({ code }) => code === 200).length).toBe(1)
    expect(replies.filter(({ reason }) => reason === 'secretary-exists').length).toBe(19)
    expect((await school.admin.send(memberApi.list, { ...all, srId })).total).toBe(1)
  })
})

test('who leaves the class leads its branch no longer', async () => {
  const school = await newSchool()
  const scId = await school.college()
  const [one, two] = [await classOf(school, scId, '一班', 1), await classOf(school, scId, '二班', 1)]
  const srId = school.roles['LEAGUE_SEC']!
  for (const { students } of [one, two])
    await school.admin.send(memberApi.appointSecretary, { srId, suId: students[0]!.suId })
  await school.ctx.db
    .updateTable('person')
    .set({ scClassId: two.scClassId })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', one.students[0]!.suId)
    .execute()
  await school.ctx.db
    .updateTable('person')
    .set({ suiStatus: studentStatus.graduated })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', two.students[0]!.suId)
    .execute()
  await endMemberships(school.services)
  expect((await school.admin.send(memberApi.list, { ...all, srId })).total).toBe(0)
  const trail = await school.ctx.db
    .selectFrom('auditLog')
    .select(['bizName', 'before'])
    .where('schoolId', '=', school.schoolId)
    .where('action', '=', '团支书离班')
    .execute()
  expect(trail.map(({ before }) => (before as { what: string }).what).toSorted()).toEqual(['一班', '二班'])
})

test('giving the role like any other keeps to one a class', async () => {
  const school = await newSchool()
  const scId = await school.college()
  const { scClassId, students } = await classOf(school, scId, '一班', 3)
  const [one, two, three] = students.map(({ suId }) => suId) as [string, string, string]
  const add = (suIds: string[], more: object = {}) =>
    school.admin.ask(memberApi.add, { srId: school.roles['LEAGUE_SEC'], suIds, scClassIds: [scClassId], ...more })
  expect(await add([one, two])).toMatchObject({ errors: [{ field: 'suIds' }] })
  expect(await add([one], { scIds: [scId] })).toMatchObject({ errors: [{ field: 'scClassIds' }] })
  expect((await add([one])).code).toBe(200)
  expect(await add([two])).toMatchObject({ reason: 'secretary-exists' })
  expect((await add([three], { scClassIds: [] })).code).toBe(200)
  expect(
    await school.admin.ask(memberApi.setArea, {
      srId: school.roles['LEAGUE_SEC'],
      suId: three,
      scClassIds: [scClassId],
    }),
  ).toMatchObject({ reason: 'secretary-exists' })
})

describe('the list of classes', () => {
  test('names the league secretary, finds classes without one, and they can be dismissed', async () => {
    const school = await newSchool()
    const scId = await school.college()
    const one = await classOf(school, scId, '一班', 1)
    await classOf(school, scId, '二班', 1)
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    const srId = school.roles['LEAGUE_SEC']!
    await client.send(memberApi.appointSecretary, { srId, suId: one.students[0]!.suId })
    const listed = await client.send(classApi.list, { ...all, hasSecretary: '1' })
    expect(listed.records).toMatchObject([
      {
        scClassName: '一班',
        leagueSecretaryId: one.students[0]!.suId,
        leagueSecretaryName: one.students[0]!.suiName,
        can: ['edit', 'grant'],
      },
    ])
    expect((await client.send(classApi.list, { ...all, hasSecretary: '0' })).records).toMatchObject([
      { scClassName: '二班', leagueSecretaryId: null },
    ])
    expect(await client.send(memberApi.dismissSecretary, { srId, scClassId: one.scClassId })).toEqual({ affected: 1 })
    expect(await client.send(memberApi.dismissSecretary, { srId, scClassId: one.scClassId })).toEqual({ affected: 0 })
    expect((await client.send(memberApi.list, { ...all, srId })).total).toBe(0)
  })

  test('a secretary is a student in school, of a class in reach, and nobody appoints themselves', async () => {
    const school = await newSchool()
    const [own, strange] = [await school.college(), await school.college()]
    const [here, there] = [await classOf(school, own, '一班', 2), await classOf(school, strange, '二班', 1)]
    const srId = school.roles['LEAGUE_SEC']!
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
    await school.admin.send(memberApi.appointSecretary, { srId, suId: there.students[0]!.suId })
    expect((await client.ask(memberApi.appointSecretary, { srId, suId: there.students[0]!.suId })).status).toBe(404)
    expect((await client.ask(memberApi.dismissSecretary, { srId, scClassId: there.scClassId })).reason).toBe(
      'grant-exceeds-own',
    )
    const become = (suiStatus: string) =>
      school.ctx.db
        .updateTable('person')
        .set({ suiStatus })
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', here.students[0]!.suId)
        .execute()
    await become(studentStatus.graduated)
    expect(await client.ask(memberApi.appointSecretary, { srId, suId: here.students[0]!.suId })).toMatchObject({
      code: 300,
      msg: expect.stringContaining('不是在读或延期学生'),
    })
    // whose graduation is delayed is in school for another year
    await become(studentStatus.delayed)
    expect(await client.send(memberApi.appointSecretary, { srId, suId: here.students[0]!.suId })).toEqual({
      affected: 1,
    })
  })
})

describe('league secretaries from a sheet', () => {
  async function checked(client: Client, rows: Record<string, string>[]) {
    const { data: batch, msg } = await client.upload(importApi.upload, csvOf(leagueSecretarySheet, rows), {
      kind: 'leagueSecretary',
    })
    expect(msg).toBe('操作成功')
    const { records } = await client.send(importApi.preview, {
      kind: 'leagueSecretary',
      ibId: batch.ibId,
      current: 1,
      pageSize: 50,
    })
    return {
      verdicts: records.map(({ verdict }) => verdict),
      faults: records.map(({ faults }) => faults.map(({ key, msg: text }) => `${key ?? ''}: ${text}`).join('|')),
      changes: records.map(({ changes }) =>
        changes.map(({ label, from, to }) => `${label}: ${from} -> ${to}`).join('|'),
      ),
      commit: () => client.send(importApi.commit, { kind: 'leagueSecretary', ibId: batch.ibId }),
      undo: () => client.ask(importApi.undo, { kind: 'leagueSecretary', ibId: batch.ibId }),
    }
  }

  test('are new, replace, stay, or are wrong; the preview says so; taken back, the former ones are back', async () => {
    const school = await newSchool()
    const { admin } = school
    const [own, strange] = [await school.college('甲学院'), await school.college('乙学院')]
    const [one, two, far] = [
      await classOf(school, own, '一班', 3),
      await classOf(school, own, '二班', 1),
      await classOf(school, strange, '一班', 1),
    ]
    const srId = school.roles['LEAGUE_SEC']!
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
    await client.send(memberApi.appointSecretary, { srId, suId: one.students[0]!.suId })
    const number = (of: typeof one, at: number) => of.students[at]!.suiNumber

    const wrong = await checked(client, [
      { suiNumber: 'x', scClassName: '一班' },
      { suiNumber: number(far, 0), scClassName: '一班' },
      { suiNumber: number(one, 0), scClassName: '二班' },
      { suiNumber: number(one, 1), suiName: '别人', scClassName: '一班' },
      { suiNumber: number(one, 2), scClassName: '一班' },
    ])
    expect(wrong.verdicts).toEqual(['fault', 'fault', 'fault', 'fault', 'conflict'])
    expect(wrong.faults[1]).toContain('不在您的管理范围内')
    expect(wrong.faults[2]).toBe('scClassName: 该学生所在的班级是“一班”')

    const batch = await checked(client, [
      { suiNumber: number(one, 1), scClassName: '一班' },
      { suiNumber: number(two, 0), scClassName: '二班' },
    ])
    expect([batch.verdicts, batch.changes[0]]).toEqual([
      ['update', 'new'],
      `学号: ${number(one, 0)} -> ${number(one, 1)}`,
    ])
    await batch.commit()
    const secretaries = async () =>
      (await admin.send(memberApi.list, { ...all, srId, sort: 'suiNumber' })).records.map(({ suId }) => suId).toSorted()
    expect(await secretaries()).toEqual([one.students[1]!.suId, two.students[0]!.suId].toSorted())
    expect((await checked(client, [{ suiNumber: number(two, 0), scClassName: '二班' }])).verdicts).toEqual(['same'])
    expect((await batch.undo()).code).toBe(200)
    expect(await secretaries()).toEqual([one.students[0]!.suId])

    const again = await checked(client, [{ suiNumber: number(one, 1), scClassName: '一班' }])
    await again.commit()
    await client.send(memberApi.appointSecretary, { srId, suId: one.students[2]!.suId, replace: '1' })
    expect(await again.undo()).toMatchObject({ reason: 'import-undo-late' })

    const become = (suiStatus: string) =>
      school.ctx.db
        .updateTable('person')
        .set({ suiStatus })
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', two.students[0]!.suId)
        .execute()
    const put = () => checked(client, [{ suiNumber: number(two, 0), scClassName: '二班' }])
    await become(studentStatus.suspended)
    expect((await put()).faults).toEqual(['suiNumber: 不是在读或延期学生'])
    await become(studentStatus.delayed)
    expect((await put()).verdicts).toEqual(['new'])
  })

  test('have a template, and need the right to give roles', async () => {
    const school = await newSchool()
    expect((await school.admin.download(importApi.template, { kind: 'leagueSecretary' })).name).toBe(
      '团支书导入模板.xlsx',
    )
    const counselor = await school.person('COUNSELOR')
    expect(
      (await counselor.client.upload(importApi.upload, csvOf(leagueSecretarySheet, []), { kind: 'leagueSecretary' }))
        .status,
    ).toBe(403)
  })
})
