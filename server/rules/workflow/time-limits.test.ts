import { describe, expect, test } from 'vitest'
import { holidayKind } from '../../../contract/core/codes/school.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { timeoutAction } from '../../../contract/core/codes/rules.ts'
import { afterAction, limitOf, limitText, type TimeRule } from './time-limits.ts'

const rule = (more: Partial<TimeRule> = {}): TimeRule => ({
  timeoutHours: null,
  timeoutDays: null,
  timeoutAction: timeoutAction.markOnly,
  ...more,
})
/** A Thursday. */
const thursday = '2026-11-19 15:00:00'
const usual = { remindDays: 3, escalateDays: 5 }
const special = [
  { hdDate: '2026-11-20', hdKind: holidayKind.dayOff },
  { hdDate: '2026-11-22', hdKind: holidayKind.workday },
]

describe('limits', () => {
  test.each<[string, TimeRule, string, string | null, string]>([
    [
      'hours run on at night and at weekends',
      rule({ timeoutHours: 48, timeoutAction: timeoutAction.autoPass }),
      '2026-11-21 15:00:00',
      '2026-11-21 15:00:00',
      '3',
    ],
    [
      'working days do not',
      rule({ timeoutDays: 2, timeoutAction: timeoutAction.autoRefuse }),
      '2026-11-23 15:00:00',
      '2026-11-23 15:00:00',
      '4',
    ],
    ['nothing but overdue', rule({ timeoutHours: 24 }), '2026-11-20 15:00:00', null, '0'],
    ['nothing said: a reminder after three working days', rule(), '2026-11-24 15:00:00', '2026-11-24 15:00:00', '1'],
  ])('%s', (_, said, dueTime, nextTime, nextAction) =>
    expect(limitOf(said, thursday, [], usual)).toEqual({ dueTime, nextTime, nextAction }),
  )
  test('holidays and worked weekends count as the school says', () =>
    expect(limitOf(rule({ timeoutDays: 2 }), thursday, special, usual).dueTime).toBe('2026-11-23 15:00:00'))
  test('nothing said: as long as the school says', () =>
    expect(limitOf(rule(), thursday, [], { remindDays: 1, escalateDays: 2 })).toEqual({
      dueTime: '2026-11-20 15:00:00',
      nextTime: '2026-11-20 15:00:00',
      nextAction: timeoutAction.remind,
    }))
  test('nothing said: escalated after five working days, and then no more', () => {
    expect(afterAction(rule(), thursday, yesNo.yes, [], usual)).toEqual({
      nextTime: '2026-11-26 15:00:00',
      nextAction: timeoutAction.escalate,
    })
    expect(afterAction(rule(), thursday, '2', [], usual)).toEqual({
      nextTime: null,
      nextAction: timeoutAction.markOnly,
    })
  })
  test('something said: once', () =>
    expect(
      afterAction(rule({ timeoutDays: 1, timeoutAction: timeoutAction.remind }), thursday, yesNo.yes, [], usual)
        .nextTime,
    ).toBeNull())
  test('in words', () =>
    expect([rule(), rule({ timeoutDays: 2 }), rule({ timeoutHours: 24 })].map((one) => limitText(one))).toEqual([
      '',
      '2 个工作日',
      '24 小时',
    ]))
})
