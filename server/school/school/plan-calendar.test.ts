import { expect, test } from 'vitest'
import { planCalendarApi } from '../../../contract/school/school/plan-calendar.calls.ts'
import { newSchool } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }

test('places are kept by name, spaces aside, changed by version and removed', async () => {
  const school = await newSchool()
  const { admin } = school
  const { plId } = await admin.send(planCalendarApi.savePlace, { plName: '礼堂 一层', plCapacity: 300 })
  expect(await admin.ask(planCalendarApi.savePlace, { plName: '礼堂一层', plCapacity: 20 })).toMatchObject({
    code: 300,
    reason: 'name-taken',
  })
  expect(await admin.ask(planCalendarApi.savePlace, { plName: '操场', plCapacity: 0 })).toMatchObject({ code: 300 })
  const list = async () => (await admin.send(planCalendarApi.places, all)).records
  expect(await list()).toEqual([{ plId, plName: '礼堂 一层', plCapacity: 300, version: 0, can: ['edit', 'delete'] }])
  await admin.send(planCalendarApi.savePlace, { plId, version: 0, plName: '礼堂 一层', plCapacity: 280 })
  expect((await admin.ask(planCalendarApi.savePlace, { plId, version: 0, plName: '礼堂', plCapacity: 1 })).status).toBe(
    409,
  )
  expect((await list())[0]).toMatchObject({ plCapacity: 280, version: 1 })
  expect(await admin.send(planCalendarApi.removePlaces, { plIds: [plId] })).toEqual({ affected: 1 })
  expect((await admin.ask(planCalendarApi.removePlaces, { plIds: [plId] })).status).toBe(404)
  expect(await list()).toEqual([])
})

test('exam weeks stand on the calendar of their school alone', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const given = { ewName: '期末考试周', ewStart: '2027-01-11', ewEnd: '2027-01-22' }
  const { ewId } = await school.admin.send(planCalendarApi.saveExamWeek, given)
  expect(await school.admin.ask(planCalendarApi.saveExamWeek, { ...given, ewEnd: '2027-01-10' })).toMatchObject({
    code: 300,
    errors: [{ field: 'ewEnd', msg: '结束日期不能早于开始日期' }],
  })
  await school.admin.send(planCalendarApi.saveExamWeek, { ...given, ewId, version: 0, ewEnd: '2027-01-15' })
  expect((await school.admin.send(planCalendarApi.examWeeks, all)).records).toEqual([
    { ...given, ewId, ewEnd: '2027-01-15', version: 1, can: ['edit', 'delete'] },
  ])
  expect((await other.admin.send(planCalendarApi.examWeeks, all)).records).toEqual([])
  expect((await other.admin.ask(planCalendarApi.removeExamWeeks, { ewIds: [ewId] })).status).toBe(404)
  const teacher = await school.person('GUIDE_TEACHER')
  expect((await teacher.client.ask(planCalendarApi.saveExamWeek, given)).status).toBe(403)
  expect(await school.admin.send(planCalendarApi.removeExamWeeks, { ewIds: [ewId] })).toEqual({ affected: 1 })
})
