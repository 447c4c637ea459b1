import { describe, expect, test } from 'vitest'
import { codeHolds, readCode, signCode } from './signing/codes.ts'
import { gatesOf, stepsOf, type TraceFacts } from './credit/credit-trace.ts'
import { countsOf, movedCounts } from './registration/registration-counts.ts'
import { placesOf, type Award } from './credit/rating.queries.ts'
import { signed } from './signing/attendance.service.ts'

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
  const none = { laSignStatus: '0', signInTime: null, signOutTime: null }
  const here = { laSignStatus: '1', signInTime: '2026-11-20 08:05:00', signOutTime: null }
  const now = '2026-11-20 10:00:00'
  test.each([
    [none, '1', { laSignStatus: '1', signInTime: now, signOutTime: null }],
    [here, '2', { laSignStatus: '2', signInTime: here.signInTime, signOutTime: null }],
    [here, '3', { laSignStatus: '3', signInTime: here.signInTime, signOutTime: now }],
    [none, '6', { laSignStatus: '6', signInTime: null, signOutTime: null }],
    [here, '0', none],
  ])('%o and status %s', (row, status, after) => expect(signed(row, status, now)).toEqual(after))
})

describe('counters', () => {
  const row = (laStatus: string, laSignStatus = '0', laResult = '0') => ({ laStatus, laSignStatus, laResult })
  test('count what they say', () => {
    const rows = [
      row('0'),
      row('1'),
      row('1', '1'),
      row('1', '6', '1'),
      row('1', '5', '2'),
      row('2'),
      row('6', '1', '1'),
      row('3'),
    ]
    expect(countsOf(rows)).toEqual({ applyCount: 8, pendingCount: 1, passCount: 4, signCount: 1, resultCount: 2 })
  })
  test('move by the difference', () =>
    expect(movedCounts([row('0'), row('1', '1')], [row('1'), row('6', '1')])).toEqual({
      applyCount: 0,
      pendingCount: -1,
      passCount: 0,
      signCount: -1,
      resultCount: 0,
    }))
})

test('places of an award', () => {
  const award = (quotaType: string, quota: number | null) => placesOf({ quotaType, quota } as Award, 14)
  expect([award('0', 5), award('1', 5), award('2', 20), award('2', 1), award('1', null)]).toEqual([null, 5, 2, 1, null])
})

describe('the way to the credit', () => {
  const facts: TraceFacts = {
    laStatus: '1',
    applyTime: '2026-11-01 08:00:00',
    refuseReason: '',
    laSignStatus: '1',
    signInTime: '2026-11-20 08:00:00',
    laResult: '1',
    awardName: '',
    liStatus: '70',
    liPublictySdate: '2026-11-21 00:00:00',
    liPublictyEdate: '2026-11-25 23:59:59',
    completeTime: '2026-11-26 00:00:10',
    entries: 3,
    signOutTime: null,
    signOutOn: '0',
    endTime: '2026-11-20 10:00:00',
    now: '2026-11-27 08:00:00',
  }
  test.each([
    [{}, undefined],
    [{ laStatus: '2', refuseReason: '不在范围' }, '录取'],
    [{ laSignStatus: '5', laResult: '2' }, '签到'],
    [{ laResult: '2' }, '合格'],
    [{ laResult: '0', liStatus: '30' }, '合格'],
    [{ liStatus: '40' }, '结果审批'],
    [{ liStatus: '60', entries: 0 }, '公示'],
    [{ liStatus: '61', entries: 0 }, '公示'],
    [{ entries: 0 }, '入账'],
  ])('%o fails first at %s', (more, name) => {
    const gates = gatesOf({ ...facts, ...more })
    expect(gates.map((gate) => gate.name)).toEqual(['报名', '录取', '签到', '合格', '结果审批', '公示', '入账'])
    expect(gates.find(({ failed }) => failed)?.name).toBe(name)
    const at = gates.findIndex(({ failed }) => failed)
    expect(gates.map(({ passed }) => passed)).toEqual(gates.map((_, index) => at < 0 || index < at))
  })

  test.each([
    [{ laStatus: null, liStatus: '30' }, '报名', false],
    [{ laStatus: '0', liStatus: '30', now: '2026-11-19 08:00:00' }, '录取', true],
    [{ laStatus: '0', liStatus: '30' }, '录取', false],
    [{ laStatus: '5' }, '录取', false],
    [{ laSignStatus: '0', liStatus: '30', now: '2026-11-19 08:00:00' }, '签到', true],
    [{ laSignStatus: '0', liStatus: '30' }, '签到', false],
    [{ signOutOn: '1', liStatus: '30' }, '签退', false],
    [{ signOutOn: '1', laSignStatus: '3', entries: 0, liStatus: '60' }, '公示', true],
    [{ seldom: { came: 1, sessions: 3 }, laResult: '2', liStatus: '30' }, '出勤率', false],
    [{ seldom: { came: 1, sessions: 3 }, laResult: '0', liStatus: '30', now: '2026-11-19 08:00:00' }, '出勤率', true],
    [{ laResult: '0', liStatus: '30' }, '合格', true],
    [{ liStatus: '92' }, '结果审批', false],
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
      partakeMode: '2',
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
      stepsOf({ base: 200, factor: 100, award: 0, weight: 60, partakeMode: '1', ruleVersion: 1, text: '' }, 120).map(
        ({ label, value }) => `${label} ${value}`,
      ),
    ).toEqual(['基础 2', '能力权重 60%', '计入 1.2'])
  })
})
