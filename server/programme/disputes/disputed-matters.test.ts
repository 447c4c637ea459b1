import { expect, test } from 'vitest'
import { questionStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { newSchool } from '../../testing/school.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

test('questioned courses are found by college, person and last entry, and sorted by what they count', async () => {
  const school = await newSchool()
  const { admin, schoolId, ctx } = school
  const [here, there] = [await school.college(), await school.college()]
  const leader = await school.person('GUIDE_TEACHER', [], { suiName: '欧阳问之' })
  const majorId = await school.major(here)
  const scClassId = await school.schoolClass(majorId, here)
  const students = await school.students(3, { suiCollegeId: here, majorId, scClassId })
  const questioned = async (liName: string, liCollegeId: string, times: string[], liPrincipalId?: string) => {
    const liId = await storeLesson(school, { liName, liCollegeId, ...(liPrincipalId && { liPrincipalId }) })
    await ctx.db
      .insertInto('question')
      .values(
        times.map((createTime, at) => ({
          schoolId,
          qId: newId(),
          liId,
          targetSuId: students[at]!.suId,
          reporterSuId: students[at]!.suId,
          qType: questionType.missing,
          qContent: '名单里没有我',
          qStatus: questionStatus.pending,
          createTime,
          deadline: '2026-12-31 00:00:00',
        })),
      )
      .execute()
  }
  await questioned('一问', here, ['2026-10-03 09:00:00'], leader.suId)
  await questioned('三问', there, ['2026-10-01 09:00:00', '2026-10-02 09:00:00', '2026-10-02 10:00:00'])
  const names = async (input: object) =>
    (await admin.send(disputeApi.lessons, input)).records.map(({ liName }) => liName)
  expect(await names({})).toEqual(['一问', '三问'])
  expect(await names({ sort: 'waiting', order: 'desc' })).toEqual(['三问', '一问'])
  expect(await names({ sort: 'total' })).toEqual(['一问', '三问'])
  expect(await names({ sort: 'lastTime' })).toEqual(['三问', '一问'])
  expect(await names({ collegeId: there })).toEqual(['三问'])
  expect(await names({ personName: '欧阳' })).toEqual(['一问'])
  expect(await names({ createStartDate: '2026-10-03', createEndDate: '2026-10-03' })).toEqual(['一问'])
  expect(await names({ createEndDate: '2026-10-02' })).toEqual(['三问'])
  expect((await admin.send(disputeApi.lessons, { collegeId: there })).total).toBe(1)
})

test('disputes sorted by the deadline stand by the one that is shown, those without one last', async () => {
  const school = await newSchool()
  const { admin, schoolId, ctx } = school
  const liId = await storeLesson(school, { liName: '一门课' })
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  const scClassId = await school.schoolClass(majorId, suiCollegeId)
  const students = await school.students(5, { suiCollegeId, majorId, scClassId })
  const rows = [
    [questionStatus.upheld, '2026-10-01 00:00:00'],
    [questionStatus.overdue, '2026-10-02 00:00:00'],
    [questionStatus.inReview, '2026-10-03 00:00:00'],
    [questionStatus.pending, '2026-10-04 00:00:00'],
    [questionStatus.withdrawn, '2026-10-05 00:00:00'],
  ] as const
  await ctx.db
    .insertInto('question')
    .values(
      rows.map(([qStatus, deadline], at) => ({
        schoolId,
        qId: newId(),
        liId,
        targetSuId: students[at]!.suId,
        reporterSuId: students[at]!.suId,
        qType: questionType.missing,
        qContent: '名单里没有我',
        qStatus,
        createTime: '2026-09-20 09:00:00',
        deadline,
      })),
    )
    .execute()
  const states = async (order: 'asc' | 'desc') =>
    (await admin.send(disputeApi.list, { sort: 'deadline', order })).records.map(({ qStatus }) => qStatus)
  expect((await states('asc')).slice(0, 2)).toEqual([questionStatus.overdue, questionStatus.pending])
  expect((await states('desc')).slice(0, 2)).toEqual([questionStatus.pending, questionStatus.overdue])
})
