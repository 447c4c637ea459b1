import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { grantRole } from '../../school/roles/grants.service.ts'
import type { Client } from '../../testing/client.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'
import { refreshSchool } from './refresh.service.ts'

/**
 * Nobody's political status is found by subtracting one answer from another: who may not see it of each person is told
 * it of few sets only.
 */

let school: TestSchool
/** Sees all statistics of the school, and nothing sensitive of anybody. */
let viewer: Client
let colleges: string[]
let classA: string

beforeAll(async () => {
  school = await newSchool()
  viewer = (await school.person('DATA_VIEWER')).client
  colleges = [await school.college(), await school.college(), await school.college()]
  const [a, b, c] = colleges as [string, string, string]
  const smId = await school.major(a)
  classA = await school.schoolClass(smId, a)
  const now = school.ctx.clock.now()
  const of = (
    suiCollegeId: string,
    suiPolitical: string,
    count: number,
    more: { majorId?: string; scClassId?: string; suiGrade?: string; suiStatus?: string; suiType?: string } = {},
  ) =>
    school.ctx.db
      .insertInto('person')
      .values(
        Array.from({ length: count }, () => ({
          schoolId: school.schoolId,
          createTime: now,
          updateTime: now,
          suId: newId(),
          suiType: personType.student,
          suiName: `人${unique()}`,
          suiNumber: unique(),
          suiGrade: '2024',
          suiCollegeId,
          suiPolitical,
          ...more,
        })),
      )
      .execute()
  // in college a six members of the party, five of them in class A; in b one, in c eight
  await of(a, '01', 5, { majorId: smId, scClassId: classA })
  await of(a, '03', 30, { majorId: smId, scClassId: classA })
  await of(a, '01', 1)
  await of(b, '01', 1)
  await of(b, '03', 20, { suiGrade: '2023' })
  await of(c, '01', 8)
  await of(c, '03', 30)
  await of(c, '13', 9)
  // one who has left
  await of(a, '01', 1, { majorId: smId, scClassId: classA, suiStatus: studentStatus.graduated })
  const staff = (college: string, politicalStatus: string, count: number) =>
    of(college, politicalStatus, count, { suiType: personType.teacher })
  await staff(a, '01', 9)
  await staff(a, '13', 12)
  await staff(b, '01', 1)
  await staff(b, '13', 12)
  await staff(c, '01', 8)
  await staff(c, '13', 12)
  await refreshSchool(school.ctx, school.schoolId)
}, 60_000)

const politicalStatus = async (client: Client, input: object) =>
  Object.fromEntries((await client.send(studentStatApi.political, input)).map(({ key, value }) => [key, value]))
const narrower = { key: 'coarse', value: null, avgHours: null, name: '政治面貌只按学院或年级之一统计在读学生' }

describe('students', () => {
  test('by class, major or with those who left it is told only to who may see it of each', async () => {
    for (const input of [
      { scClassId: classA },
      { everybody: yesNo.yes },
      { collegeId: colleges[0]!, grade: '2024' },
      { scClassId: classA, everybody: yesNo.yes },
    ])
      expect(await viewer.send(studentStatApi.political, input), JSON.stringify(input)).toEqual([narrower])
    expect(await politicalStatus(school.admin, { scClassId: classA })).toEqual({ '01': 5, '03': 30 })
    expect(await politicalStatus(school.admin, { scClassId: classA, everybody: yesNo.yes })).toEqual({
      '01': 6,
      '03': 30,
    })
  })

  test('all of them, and those of a college or a grade, are counted for everybody', async () => {
    expect(await politicalStatus(viewer, {})).toEqual(await politicalStatus(school.admin, {}))
    expect(await politicalStatus(viewer, { collegeId: colleges[2]! })).toEqual({ '01': 8, '03': 30, '13': 9 })
    expect(await politicalStatus(viewer, { grade: '2023' })).toEqual({ '03': 20 })
  })

  test('the few of one college are not what is left of all when the others are taken away', async () => {
    const [all, a, b, c] = await Promise.all(
      [{}, ...colleges.map((collegeId) => ({ collegeId }))].map((input) => politicalStatus(viewer, input)),
    )
    expect(all!['01']).toBe(15)
    expect(b!['01']).toBeUndefined()
    // so another college hides its own as well, together with its next smallest
    expect([a!['01'], c!['01']].filter((one) => one === undefined)).toHaveLength(1)
    expect(a).toEqual({ other: 36 })
    expect(c).toEqual({ '01': 8, '03': 30, '13': 9 })
    // who sees each of them is told as before
    expect(await politicalStatus(school.admin, { collegeId: colleges[0]! })).toEqual({ '01': 6, '03': 30 })
  })

  test('who may see what is sensitive of some people is not answered more about others', async () => {
    const both = await school.person('DATA_VIEWER')
    await grantRole(school.ctx.db, school.schoolId, school.roles['COUNSELOR']!, both.suId, [
      { caType: 'class', caTarget: classA },
    ])
    expect(await both.client.send(studentStatApi.political, { scClassId: classA })).toEqual([narrower])
  })
})

test('of teachers, the few of one college are not what is left of all', async () => {
  const of = async (client: Client, input: object) =>
    Object.fromEntries((await client.send(teacherStatApi.political, input)).map(({ key, value }) => [key, value]))
  const [a, b, c] = colleges as [string, string, string]
  expect([
    await of(viewer, { collegeId: a }),
    await of(viewer, { collegeId: b }),
    await of(viewer, { collegeId: c }),
  ]).toEqual([{ '01': 9, '13': 12 }, { other: 13 }, { other: 20 }])
  expect(await of(school.admin, { collegeId: c })).toEqual({ '01': 8, '13': 12 })
})
