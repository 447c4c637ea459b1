import { expect, test } from 'vitest'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { world } from '../../testing/two-colleges.ts'
import { refreshSchool } from './refresh.service.ts'

test('a guide teacher sees figures of their own courses, and nobody else is given theirs', async () => {
  const world = await lessonWorld()
  const { school, teacher, scId } = world
  const other = await school.person('GUIDE_TEACHER', [], { suiCollegeId: scId })
  const own = await world.published({ liName: '自己的课' }, 30)
  await world.published({ liName: '指导的课', liPrincipalId: teacher.suId, teacherIds: [other.suId] }, 40)
  await refreshSchool(school.ctx, school.schoolId)
  const names = async (person: typeof teacher) =>
    (await person.client.send(lessonStatApi.detail, { current: 1, pageSize: 20 } as never)).records
      .map(({ liName }: { liName: string }) => liName)
      .toSorted()
  expect(await names(teacher)).toEqual(['指导的课', '自己的课'].toSorted())
  expect(await names(other)).toEqual(['指导的课'])
  expect(own).toBeTruthy()
})

test('a class secretary asks questions, sees circles and the figures of the class', async () => {
  const world = await lessonWorld()
  const { school, place, scId } = world
  const [mate] = await world.students(1)
  const secretary = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: place.scClassId }], {
    suiType: personType.teacher,
    suiCollegeId: scId,
  })
  for (const [call, input] of [
    [circleApi.list, { current: 1, pageSize: 10 }],
    [disputeApi.list, { current: 1, pageSize: 10 }],
  ] as const)
    expect((await secretary.client.ask(call, input)).code).toBe(200)
  await refreshSchool(school.ctx, school.schoolId)
  const { records } = await secretary.client.send(studentStatApi.detail, { current: 1, pageSize: 20 } as never)
  expect(records.map(({ suId }: { suId: string }) => suId)).toEqual([mate!.suId])
})

test('somebody whose number changes stands elsewhere in the lists behind the figures', async () => {
  const { school, own } = await world()
  const students = await school.students(3, own)
  const { admin } = school
  const numbers = async (more: object = {}) => {
    await refreshSchool(school.ctx, school.schoolId)
    const { records } = await admin.send(studentStatApi.detail, { current: 1, pageSize: 20, ...more } as never)
    return records.map(({ suiNumber }: { suiNumber: string }) => suiNumber)
  }
  const before = students.map(({ suiNumber }) => suiNumber).toSorted()
  expect(await numbers()).toEqual(before)

  const first = students.find(({ suiNumber }) => suiNumber === before[0])!
  const { version } = await admin.send(studentApi.detail, { id: first.suId })
  await admin.send(studentApi.save, { ...first, version, ...own, suiNumber: `${before[2]!}z` })
  const after = [before[1], before[2], `${before[2]!}z`]
  expect(await numbers()).toEqual(after)
  expect(await numbers({ sort: 'suiNumber', order: 'desc' })).toEqual(after.toReversed())
})
