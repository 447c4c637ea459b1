import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  lessonStatus,
  partakeMode,
  resultStatus,
  signStatus,
} from '../../../../contract/core/codes/programme.ts'
import { quotaType } from '../../../../contract/core/codes/rules.ts'
import { codeHolds, readCode, signCode } from '../signing/codes.ts'
import { gatesOf, stepsOf, type TraceFacts } from '../credit/credit-trace.ts'
import { countsOf, movedCounts } from './registration-counts.ts'
import { placesOf, type Award } from './rating.queries.ts'
import { signed } from '../signing/attendance.service.ts'

describe('sign-in codes', () => {
  const secret = Buffer.alloc(32, 7)
  const code = {
    schoolId: 'demo',
    liId: '0190a000-0000-7000-8000-000000000001',
    lseNo: 2,
    direction: 'in',
    expires: '2026-11-20 18:00:00',
  } as const
  const text = signCode(secret, code)
  test('say what they are for', () => expect(readCode(text)).toEqual(code))
  test('hold until they expire', () =>
    expect([codeHolds(text, secret, '2026-11-20 18:00:00'), codeHolds(text, secret, '2026-11-20 18:00:01')]).toEqual([
      true,
      false,
    ]))
  test('cannot be made or changed without the secret', () => {
    const forged = `EK1.${Buffer.from(JSON.stringify(['demo', code.liId, 2, 'in', '2030-01-01 00:00:00'])).toString('base64url')}.${text.split('.')[2]!}`
    expect([
      codeHolds(text, Buffer.alloc(32, 8), '2026-11-20 17:00:00'),
      codeHolds(forged, secret, '2026-11-20 17:00:00'),
    ]).toEqual([false, false])
  })
  test.each(['', 'EK1', 'EK1.x.y', 'http://a.b', 'EK1..', `EK2.${text.slice(4)}`])('%j is none', (other) =>
    expect(codeHolds(other, secret, '2026-11-20 17:00:00')).toBe(false),
  )
})

describe('attendance', () => {
  const none = { laSignStatus: signStatus.notSigned, signInTime: null, signOutTime: null }
  const here = { laSignStatus: signStatus.signedIn, signInTime: '2026-11-20 08:05:00', signOutTime: null }
  const now = '2026-11-20 10:00:00'
  test.each([
    [none, '1', { laSignStatus: signStatus.signedIn, signInTime: now, signOutTime: null }],
    [here, '2', { laSignStatus: signStatus.late, signInTime: here.signInTime, signOutTime: null }],
    [here, '3', { laSignStatus: signStatus.signedOut, signInTime: here.signInTime, signOutTime: now }],
    [none, '6', { laSignStatus: signStatus.exempt, signInTime: null, signOutTime: null }],
    [here, '0', none],
  ])('%o and status %s', (row, status, after) => expect(signed(row, status, now)).toEqual(after))
})

describe('counters', () => {
  const row = (
    laStatus: string,
    laSignStatus: string = signStatus.notSigned,
    laResult: string = resultStatus.unrated,
  ) => ({ laStatus, laSignStatus, laResult })
  test('count what they say', () => {
    const rows = [
      row(applyStatus.pending),
      row(applyStatus.accepted),
      row(applyStatus.accepted, signStatus.signedIn),
      row(applyStatus.accepted, signStatus.exempt, resultStatus.passed),
      row(applyStatus.accepted, signStatus.absent, resultStatus.failed),
      row(applyStatus.refused),
      row(applyStatus.removed, signStatus.signedIn, resultStatus.passed),
      row(applyStatus.waitlisted),
    ]
    expect(countsOf(rows)).toEqual({ applyCount: 8, pendingCount: 1, passCount: 4, signCount: 1, resultCount: 2 })
  })
  test('move by the difference', () =>
    expect(
      movedCounts(
        [row(applyStatus.pending), row(applyStatus.accepted, signStatus.signedIn)],
        [row(applyStatus.accepted), row(applyStatus.removed, signStatus.signedIn)],
      ),
    ).toEqual({
      applyCount: 0,
      pendingCount: -1,
      passCount: 0,
      signCount: -1,
      resultCount: 0,
    }))
})

test('places of an award', () => {
  const award = (quotaType: string, quota: number | null) => placesOf({ quotaType, quota } as Award, 14)
  expect([
    award(quotaType.unlimited, 5),
    award(quotaType.count, 5),
    award(quotaType.percent, 20),
    award(quotaType.percent, 1),
    award(quotaType.count, null),
  ]).toEqual([null, 5, 2, 1, null])
})

describe('the way to the credit', () => {
  const facts: TraceFacts = {
    laStatus: applyStatus.accepted,
    applyTime: '2026-11-01 08:00:00',
    refuseReason: '',
    laSignStatus: signStatus.signedIn,
    signInTime: '2026-11-20 08:00:00',
    laResult: resultStatus.passed,
    awardName: '',
    liStatus: lessonStatus.completed,
    liPublictySdate: '2026-11-21 00:00:00',
    liPublictyEdate: '2026-11-25 23:59:59',
    completeTime: '2026-11-26 00:00:10',
    entries: 3,
    signOutTime: null,
    signOutOn: yesNo.no,
    endTime: '2026-11-20 10:00:00',
    now: '2026-11-27 08:00:00',
  }
  test.each([
    [{}, undefined],
    [{ laStatus: applyStatus.refused, refuseReason: '不在范围' }, '录取'],
    [{ laSignStatus: signStatus.absent, laResult: resultStatus.failed }, '签到'],
    [{ laResult: resultStatus.failed }, '合格'],
    [{ laResult: resultStatus.unrated, liStatus: lessonStatus.published }, '合格'],
    [{ liStatus: lessonStatus.resultInReview }, '结果审批'],
    [{ liStatus: lessonStatus.inNotice, entries: 0 }, '公示'],
    [{ liStatus: lessonStatus.questioned, entries: 0 }, '公示'],
    [{ entries: 0 }, '入账'],
  ])('%o fails first at %s', (more, name) => {
    const gates = gatesOf({ ...facts, ...more })
    expect(gates.map((gate) => gate.name)).toEqual(['报名', '录取', '签到', '合格', '结果审批', '公示', '入账'])
    expect(gates.find(({ failed }) => failed)?.name).toBe(name)
    const at = gates.findIndex(({ failed }) => failed)
    expect(gates.map(({ passed }) => passed)).toEqual(gates.map((_, index) => at < 0 || index < at))
  })

  test.each([
    [{ laStatus: null, liStatus: lessonStatus.published }, '报名', false],
    [{ laStatus: applyStatus.pending, liStatus: lessonStatus.published, now: '2026-11-19 08:00:00' }, '录取', true],
    [{ laStatus: applyStatus.pending, liStatus: lessonStatus.published }, '录取', false],
    [{ laStatus: applyStatus.onLeave }, '录取', false],
    [
      { laSignStatus: signStatus.notSigned, liStatus: lessonStatus.published, now: '2026-11-19 08:00:00' },
      '签到',
      true,
    ],
    [{ laSignStatus: signStatus.notSigned, liStatus: lessonStatus.published }, '签到', false],
    [{ signOutOn: yesNo.yes, liStatus: lessonStatus.published }, '签退', false],
    [
      { signOutOn: yesNo.yes, laSignStatus: signStatus.signedOut, entries: 0, liStatus: lessonStatus.inNotice },
      '公示',
      true,
    ],
    [
      { seldom: { came: 1, sessions: 3 }, laResult: resultStatus.failed, liStatus: lessonStatus.published },
      '出勤率',
      false,
    ],
    [
      {
        seldom: { came: 1, sessions: 3 },
        laResult: resultStatus.unrated,
        liStatus: lessonStatus.published,
        now: '2026-11-19 08:00:00',
      },
      '出勤率',
      true,
    ],
    [{ laResult: resultStatus.unrated, liStatus: lessonStatus.published }, '合格', true],
    [{ liStatus: lessonStatus.abnormal }, '结果审批', false],
    [{ entries: 0 }, '入账', false],
  ])('%o waits at %s, for the course: %s', (more, name, pending) => {
    const failed = gatesOf({ ...facts, ...more }).find((gate) => gate.failed)!
    expect(failed).toMatchObject({ name, pending })
    expect(failed.hint).not.toBe('')
  })

  test('the arithmetic is told step by step and ends with the value', () => {
    const explain = {
      base: 200,
      factor: 150,
      award: 100,
      awardName: '一等奖',
      levelFactor: 80,
      cap: 400,
      capped: true,
      partakeMode: partakeMode.organiser,
      ruleVersion: 1,
      limited: true,
      text: '',
    }
    expect(stepsOf(explain, 250).map(({ label, value }) => `${label} ${value}`)).toEqual([
      '基础 2',
      '级别系数 × 0.8',
      '组织者系数 × 1.5',
      '一等奖 ＋ 1',
      '评价规则上限 4',
      '学生个人上限 已达上限，按余量计',
      '计入 2.5',
    ])
    expect(
      stepsOf(
        {
          base: 200,
          factor: 100,
          award: 0,
          weight: 60,
          partakeMode: partakeMode.participant,
          ruleVersion: 1,
          text: '',
        },
        120,
      ).map(({ label, value }) => `${label} ${value}`),
    ).toEqual(['基础 2', '能力权重 60%', '计入 1.2'])
  })
})
