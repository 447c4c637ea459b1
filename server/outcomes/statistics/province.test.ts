import { expect, test } from 'vitest'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import {
  provinceApi,
  provinceFigures,
  type ProvinceFigure,
} from '../../../contract/outcomes/statistics/province.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool } from '../../testing/school.ts'
import { statisticsWorld } from '../../testing/statistics-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { refreshSchool } from './refresh.service.ts'
import { maskedFigures } from './province.service.ts'

await useOwnDatabase()

const figures = (students: number, circlePeople: number, avgHours = 3) =>
  Object.fromEntries(
    provinceFigures.map(({ key }) => [
      key,
      key === 'students' ? students : key === 'circlePeople' ? circlePeople : avgHours,
    ]),
  ) as Record<ProvinceFigure, number | null>

test('of a school with few students nothing is told, of others no small number of people', () => {
  for (const students of [0, 1, 9])
    expect([...new Set(Object.values(maskedFigures(figures(students, 50)).figures))]).toEqual([null])
  expect(maskedFigures(figures(10, 50))).toMatchObject({ isMasked: false, figures: { students: 10, circlePeople: 50 } })
  expect(maskedFigures(figures(500, 9)).figures).toMatchObject({ circlePeople: null, avgHours: 3, lessons: 3 })
  expect(maskedFigures(figures(500, 0)).figures).toMatchObject({ circlePeople: 0 })
})

test('the operator sees of each school what its own screens tell, and nobody else does', async () => {
  const [home, { school }] = [await newSchool(), await statisticsWorld(11)]
  await refreshSchool(school.ctx, school.schoolId)
  expect(await school.admin.ask(provinceApi.schools, {})).toMatchObject({ status: 403 })
  const { config } = home.services
  const { operators } = config
  config.operators = [`${home.schoolId}/admin`]
  atFileEnd(async () => void (config.operators = operators))
  await sleep(actorLifetime)
  const { records, total } = await home.admin.send(provinceApi.schools, {})
  expect(total).toBe(2)
  expect(records.find(({ schoolId }) => schoolId === home.schoolId)).toMatchObject({
    isMasked: true,
    figures: { lessons: null },
  })
  const told = records.find(({ schoolId }) => schoolId === school.schoolId)!.figures
  const [students, lessons] = [
    await school.admin.send(studentStatApi.total, {}),
    await school.admin.send(lessonStatApi.info, {}),
  ]
  expect(told.students).toBeGreaterThan(20)
  expect(told).toMatchObject({
    students: students.people,
    coverage: students.coverage,
    avgHours: students.avgHours,
    metRate: students.metRate,
    lessons: lessons.count,
    applied: lessons.applied,
  })
  expect(told.lessons).toBeGreaterThan(0)
  expect((await home.admin.send(provinceApi.schools, { search: school.schoolId })).records).toHaveLength(1)
})
