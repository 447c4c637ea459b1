import { expect, test } from 'vitest'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { savedViewApi } from '../../../contract/school/session/saved-views.calls.ts'
import { newSchool } from '../../testing/school.ts'

const listName = '/courseManagement/CurriculumList'
const view = (svTitle: string, svQuery: Record<string, string> = { liStatus: lessonStatus.published }) => ({
  listName,
  svTitle,
  svQuery,
})

test('a person keeps views of a list, changes and drops them, and nobody else sees them', async () => {
  const school = await newSchool()
  const teacher = (await school.person('GUIDE_TEACHER')).client
  const { svId } = await teacher.send(
    savedViewApi.save,
    view('已发布', { liStatus: lessonStatus.published, sort: 'startTime', order: 'asc' }),
  )
  await teacher.send(savedViewApi.save, view('草稿', { liStatus: lessonStatus.draft }))
  await teacher.send(savedViewApi.save, { ...view('别的列表'), listName: '/personnelAdmin/studentAdmin' })
  expect(await teacher.send(savedViewApi.list, { listName })).toEqual([
    { svId, svTitle: '已发布', svQuery: { liStatus: lessonStatus.published, sort: 'startTime', order: 'asc' } },
    { svId: expect.any(String) as string, svTitle: '草稿', svQuery: { liStatus: lessonStatus.draft } },
  ])
  expect(await school.admin.send(savedViewApi.list, { listName })).toEqual([])

  await teacher.send(savedViewApi.save, {
    svId,
    ...view('本月已发布', { liStatus: lessonStatus.published, startTime: '2026-11-01' }),
  })
  expect((await teacher.send(savedViewApi.list, { listName }))[0]).toMatchObject({
    svId,
    svTitle: '本月已发布',
    svQuery: { startTime: '2026-11-01' },
  })
  expect(await school.admin.ask(savedViewApi.save, { svId, ...view('夺过来') })).toMatchObject({ status: 404 })
  expect(await school.admin.ask(savedViewApi.remove, { svId })).toMatchObject({ status: 404 })
  await teacher.send(savedViewApi.remove, { svId })
  expect((await teacher.send(savedViewApi.list, { listName })).map(({ svTitle }) => svTitle)).toEqual(['草稿'])
})

test('names do not repeat, and there is an end to their number', async () => {
  const { client } = await (await newSchool()).person('GUIDE_TEACHER')
  const replies = await Promise.all(Array.from({ length: 5 }, () => client.ask(savedViewApi.save, view('同名'))))
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
  expect(replies.find(({ code }) => code !== 200)).toMatchObject({
    code: 300,
    reason: 'view-name-taken',
    msg: expect.stringContaining('同名') as string,
  })
  for (let at = 2; at <= 20; at++) await client.send(savedViewApi.save, view(`视图${at}`))
  expect(await client.ask(savedViewApi.save, view('第二十一个'))).toMatchObject({ code: 300, reason: 'too-many-views' })
  expect(await client.ask(savedViewApi.save, view(''))).toMatchObject({ code: 300, errors: [{ field: 'svTitle' }] })
  expect(await client.ask(savedViewApi.save, { ...view('x'), listName: 'javascript:alert(1)' })).toMatchObject({
    code: 300,
    errors: [{ field: 'listName' }],
  })
})
