import { expect, test } from 'vitest'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import type { LessonDetail } from '../../../../contract/programme/lessons/lessons.schema.ts'
import { hintsFor, type HintFacts } from './review-hints.ts'

const lesson = {
  liHours: '2',
  liStatus: lessonStatus.publishInReview,
  startTime: '2026-12-01 09:00:00',
  applyEnd: '2026-11-29 12:00:00',
  signers: [{ suId: 'a', suiName: '甲', suiNumber: '1' }],
  sessions: [{ lseNo: 1, startTime: '2026-12-01 09:00:00', endTime: '2026-12-01 11:00:00', placeText: '' }],
} as unknown as LessonDetail
const facts: HintFacts = {
  now: '2026-11-20 08:00:00',
  leadDays: 7,
  sameName: 0,
  principalAwarded: false,
  overlapping: 0,
  sameList: '',
}

const cases: [string, Partial<LessonDetail>, Partial<HintFacts>, string[]][] = [
  ['nothing to say', {}, {}, []],
  ['more hours than minutes', { liHours: '5' }, {}, ['多于活动时长']],
  ['more than eight hours a day', { liHours: '9' }, {}, ['多于活动时长', '每天 8 学时']],
  ['asked for too late', {}, { leadDays: 2 }, ['不足 3 个工作日']],
  ['sign-up over', { applyEnd: '2026-11-19 08:00:00' }, {}, ['报名已经截止']],
  ['same name', {}, { sameName: 2 }, ['2 门同名课程']],
  ['no sign-in manager', { signers: [] }, {}, ['签到负责人']],
  ['principal among the awarded', {}, { principalAwarded: true }, ['负责人本人']],
  ['the same people as elsewhere', {}, { sameList: '植树活动' }, ['课程“植树活动”几乎相同']],
  ['in two places at once', {}, { overlapping: 3 }, ['3 名参与者']],
]
test.each(cases)('%s', (_, change, more, expected) => {
  const texts = hintsFor({ ...lesson, ...change }, { ...facts, ...more }, { hoursPerDay: 800, leadDays: 3 }).map(
    ({ text }) => text,
  )
  expect(texts).toHaveLength(expected.length)
  expected.forEach((part, at) => expect(texts[at]).toContain(part))
})
test('what a day may count for and how early to ask is the school’s to say', () => {
  const of = (hoursPerDay: number, leadDays: number) =>
    hintsFor({ ...lesson, liHours: '2' }, { ...facts, leadDays: 4 }, { hoursPerDay, leadDays }).map(({ text }) => text)
  expect(of(200, 4)).toEqual([])
  expect(of(150, 5)).toEqual(['认定学时超过每天 1.5 学时的上限（共 1 天）', '提交审批距活动开始不足 5 个工作日'])
})
