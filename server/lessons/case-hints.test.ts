import { expect, test } from 'vitest'
import type { LessonDetail } from '../../contract/lessons/lessons.schema.ts'
import { hintsFor, type HintFacts } from './case-hints.ts'

const lesson = {
  liHours: '2', liStatus: '10', startTime: '2026-12-01 09:00:00', applyEnd: '2026-11-29 12:00:00', signers: [{ suId: 'a', suiName: '甲', suiNumber: '1' }],
  sessions: [{ lseNo: 1, startTime: '2026-12-01 09:00:00', endTime: '2026-12-01 11:00:00', placeText: '' }],
} as unknown as LessonDetail
const facts: HintFacts = { now: '2026-11-20 08:00:00', submitted: '2026-11-20 08:00:00', sameName: 0, principalAwarded: false, overlapping: 0 }

const cases: [string, Partial<LessonDetail>, Partial<HintFacts>, string[]][] = [
  ['nothing to say', {}, {}, []],
  ['more hours than minutes', { liHours: '5' }, {}, ['多于活动时长']],
  ['more than eight hours a day', { liHours: '9' }, {}, ['多于活动时长', '每天 8 学时']],
  ['asked for too late', {}, { submitted: '2026-11-30 08:00:00' }, ['不足 3 天']],
  ['sign-up over', { applyEnd: '2026-11-19 08:00:00' }, {}, ['报名已经截止']],
  ['same name', {}, { sameName: 2 }, ['2 门同名课程']],
  ['no sign-in manager', { signers: [] }, {}, ['签到负责人']],
  ['principal among the awarded', {}, { principalAwarded: true }, ['负责人本人']],
  ['in two places at once', {}, { overlapping: 3 }, ['3 名参与者']],
]
test.each(cases)('%s', (_, change, more, expected) => {
  const texts = hintsFor({ ...lesson, ...change }, { ...facts, ...more }).map(({ text }) => text)
  expect(texts).toHaveLength(expected.length)
  expected.forEach((part, at) => expect(texts[at]).toContain(part))
})
