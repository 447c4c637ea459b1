import { beforeAll, describe, expect, test } from 'vitest'
import { gradeOf } from '../../../contract/outcomes/transcripts/grades.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { refreshSchool } from '../statistics/refresh.service.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

/**
 * What a transcript says of others: means of the college, names and ranks only where they are asked for, and never of
 * few.
 */

let school: TestSchool
let many: TestStudent[]
let few: TestStudent[]

beforeAll(async () => {
  school = await newSchool()
  many = await (await oneClass(school)).students(6)
  few = await (await oneClass(school)).students(4)
  // the n-th of each class has n records of the first kind; two have as much
  for (const own of [many, few])
    for (const [at, student] of own.entries())
      for (let n = 0; n < Math.min(at, 4); n++)
        await grantRecord(school, student, { ...recordPlans[0]!, name: `活动${n}` })
  await refreshSchool(school.ctx, school.schoolId)
}, 60_000)

const header = (student: TestStudent, part: object = {}) =>
  school.admin.send(transcriptApi.header, { suId: student.suId, ...part })

describe('the radar', () => {
  test('stands beside the mean of the college, those without a score among them', async () => {
    const all = await Promise.all(many.map((student) => header(student)))
    const [first] = all
    expect(first!.ability.length).toBeGreaterThan(2)
    for (const [at, { avgCollege, sqlId }] of first!.ability.entries()) {
      const scores = all.map(({ ability }) =>
        Math.round(Number(ability.find((one) => one.sqlId === sqlId)!.score) * 100),
      )
      expect(
        Math.abs(Number(avgCollege) * 100 - scores.reduce((sum, score) => sum + score, 0) / many.length),
        first!.ability[at]!.name,
      ).toBeLessThanOrEqual(3)
    }
    expect(first!.ability.some(({ avgCollege }) => Number(avgCollege) > 0)).toBe(true)
  })

  test('of few, or of a part of the transcript, there is none', async () => {
    expect((await header(few[0]!)).ability.every(({ avgCollege }) => avgCollege === null)).toBe(true)
    expect(
      (await header(many[1]!, { startTime: '2020-01-01 00:00:00' })).ability.every(
        ({ avgCollege }) => avgCollege === null,
      ),
    ).toBe(true)
  })
})

test('ranks stand there once the school wishes them, and never of few', async () => {
  expect((await header(many[5]!)).summary).toMatchObject({ rankClass: null, rankMajor: null })
  const issued = await school.admin.download(transcriptApi.export, { suIds: [many[5]!.suId] })
  const { serial } = await header(many[5]!)
  await school.rules({ transcriptRank: '1' })
  // what was issued is shown as it was issued; another has as much
  expect((await header(many[5]!)).summary).toMatchObject({ rankClass: null, rankMajor: null })
  expect((await header(many[4]!)).summary).toMatchObject({ rankClass: '1/6', rankMajor: '1/6' })
  expect((await header(many[3]!)).summary.rankClass).toBe('3/6')
  expect((await header(few[0]!)).summary).toMatchObject({ rankClass: null, rankMajor: null })
  // what others have makes no new paper
  await school.admin.download(transcriptApi.export, { suIds: [many[5]!.suId] })
  expect(issued.bytes.length).toBeGreaterThan(10_000)
  expect((await header(many[5]!)).serial).toBe(serial)
})

test.each([
  ['no rule gives a mark', [['1', '95']], null, null],
  [
    'the best of two',
    [
      ['2', '79.5'],
      ['2', '90'],
    ],
    '优',
    'Excellent',
  ],
  ['a good one', [['2', '89.99']], '良', 'Good'],
  ['enough', [['2', '60']], '合格', 'Pass'],
  ['not enough', [['2', '59.99']], null, null],
])('the grade where %s', (_, values, zh, en) => {
  const conversions = values.map(([toType, value]) => ({ toType: toType!, value: value! }))
  expect([gradeOf(conversions, 'zh'), gradeOf(conversions, 'en')]).toEqual([zh, en])
})
