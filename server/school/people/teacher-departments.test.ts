import { expect, test } from 'vitest'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { teacherSheet } from '../../../contract/school/people/people.sheets.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { checked } from '../../testing/checked-sheet.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }

/** A school whose clerks of a college look after its teachers, with one of them, and two departments. */
async function world() {
  const school = await newSchool()
  const scId = await school.college('计算机学院')
  const [own, strange] = [await school.department('本处'), await school.department('外处')]
  await school.ctx.db
    .updateTable('role')
    .set({ permits: ['teacher:list', 'teacher:edit', 'department:list'], dataScope: dataScope.college })
    .where('schoolId', '=', school.schoolId)
    .where('srCode', '=', 'NEWS_EDITOR')
    .execute()
  const clerk = await school.person('NEWS_EDITOR', [
    { caType: 'college', caTarget: scId },
    { caType: 'department', caTarget: own },
  ])
  const form = { suiNumber: `G${unique()}`, suiName: '王老师', suiCollegeId: scId }
  return { school, own, strange, clerk: clerk.client, form }
}

const order = async (school: TestSchool, sdId: string) =>
  (await school.admin.send(departmentApi.users, { ...all, sdId, sort: 'memberSort', order: 'asc' })).records.map(
    ({ suiName }) => suiName,
  )

test('who edits a teacher puts them into departments of their own area only, and takes them out of no others', async () => {
  const { school, own, strange, clerk, form } = await world()
  expect(await clerk.ask(teacherApi.save, { ...form, sdIds: [own, strange] })).toMatchObject({ reason: 'out-of-reach' })
  const { suId } = await clerk.send(teacherApi.save, { ...form, sdIds: [own] })
  await school.admin.send(teacherApi.save, { ...form, suId, version: 0, sdIds: [own, strange] })
  expect(await clerk.ask(teacherApi.save, { ...form, suId, version: 1, sdIds: [own] })).toMatchObject({
    reason: 'out-of-reach',
  })
  await clerk.send(teacherApi.save, { ...form, suId, version: 1, sdIds: [strange] })
  expect((await school.admin.send(teacherApi.detail, { id: suId })).departments).toMatchObject([{ sdName: '外处' }])
})

test('whoever comes into a department, by the form or by a sheet, is its last member, and whoever stays keeps their place', async () => {
  const { school, own, strange, form } = await world()
  const { admin } = school
  const people = [await school.person('GUIDE_TEACHER', [], { suiName: '甲' })]
  people.push(await school.person('GUIDE_TEACHER', [], { suiName: '乙' }))
  for (const { suId } of people) await admin.send(departmentApi.addUsers, { sdId: own, suIds: [suId] })
  const { suId } = await admin.send(teacherApi.save, { ...form, sdIds: [own] })
  expect(await order(school, own)).toEqual(['甲', '乙', '王老师'])
  const sheet = await checked(admin, teacherSheet, [
    { suiNumber: people[0]!.suiNumber, suiName: '甲', departmentNames: '本处、外处' },
    { suiNumber: `G${unique()}`, suiName: '丙', departmentNames: '本处' },
  ])
  await sheet.commit()
  expect(await order(school, own)).toEqual(['甲', '乙', '王老师', '丙'])
  await admin.send(departmentApi.sortUsers, { sdId: own, suIds: [suId, people[0]!.suId] })
  expect((await sheet.undo()).code).toBe(200)
  expect(await order(school, own)).toEqual(['王老师', '甲', '乙'])
  expect(await order(school, strange)).toEqual([])
})

test('a sheet is held to the same departments', async () => {
  const { own, strange, school, clerk, form } = await world()
  await school.admin.send(teacherApi.save, { ...form, sdIds: [strange] })
  const row = { suiNumber: form.suiNumber, suiName: form.suiName }
  const sheet = await checked(clerk, teacherSheet, [
    { ...row, departmentNames: '外处、本处' },
    { suiNumber: `G${unique()}`, suiName: '丁', collegeName: '计算机学院', departmentNames: '外处' },
  ])
  expect(sheet.verdicts).toEqual(['update', 'fault'])
  const leaving = await checked(clerk, teacherSheet, [{ ...row, departmentNames: '本处' }])
  expect(leaving.verdicts).toEqual(['fault'])
  expect(await order(school, own)).toEqual([])
})
