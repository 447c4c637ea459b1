import { expect, test } from 'vitest'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { newSchool } from '../../../testing/school.ts'
import { storeLesson } from '../../../testing/stored-lesson.ts'

test('courses are found by the day they were entered, in every list, and counted by the same filters', async () => {
  const school = await newSchool()
  const { admin } = school
  const made = (liName: string, createTime: string, liStatus: string) =>
    storeLesson(school, { liName, createTime, liStatus })
  const early = await made('春季读书会', '2026-03-01 23:59:59', lessonStatus.draft)
  const late = await made('秋季读书会', '2026-09-10 00:00:00', lessonStatus.published)
  await made('秋季长跑', '2026-09-10 08:00:00', lessonStatus.draft)
  const autumn = { createStartDate: '2026-09-10', createEndDate: '2026-09-10' }
  for (const call of [lessonApi.view, lessonApi.selectList]) {
    const idsOf = async (input: object) => (await admin.send(call, input)).records.map(({ liId }) => liId)
    expect(await idsOf({ liName: '读书会', ...autumn })).toEqual([late])
    expect(await idsOf({ liName: '读书会', createEndDate: '2026-03-01' })).toEqual([early])
    expect(await idsOf({ liName: '读书会', createStartDate: '2026-03-02', createEndDate: '2026-09-09' })).toEqual([])
  }
  expect(await admin.send(lessonApi.count, { liName: '读书会' })).toEqual([
    { liStatus: lessonStatus.draft, count: 1 },
    { liStatus: lessonStatus.published, count: 1 },
  ])
  expect(await admin.send(lessonApi.count, { liName: '读书会', ...autumn })).toEqual([
    { liStatus: lessonStatus.published, count: 1 },
  ])
})
