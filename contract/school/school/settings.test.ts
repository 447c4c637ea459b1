import { describe, expect, test } from 'vitest'
import {
  isDefault,
  ownSettings,
  readSettings,
  settingDefaults,
  settingFaults,
  settingsPatch,
  settingText,
  wireSettings,
} from './setting-values.ts'
import { settingGroups, settingKeys, settingOf, type SettingKey, type SettingValues } from './settings.ts'

describe('the table of settings', () => {
  test('every setting stands in one group, explained, with a default that is its own kind’s', () => {
    const grouped = Object.values(settingGroups).flatMap(({ settings }) => Object.keys(settings))
    expect(grouped.toSorted()).toEqual([...settingKeys].toSorted())
    for (const key of settingKeys) {
      const setting = settingOf(key)!
      expect(setting.label, key).toMatch(/[\u4e00-\u9fff]/)
      expect(setting.source, key).not.toBe('')
      const checked = setting.schema.safeParse(setting.default)
      expect(checked.success, key).toBe(true)
      expect(setting.wire(checked.data), key).toEqual(setting.default)
      expect(settingText(key, setting.default), key).not.toBe('')
    }
  })
  test('the defaults fit each other and a school that set nothing has them', () => {
    expect(settingFaults(readSettings({}))).toEqual([])
    expect(wireSettings(readSettings(null))).toEqual(settingDefaults)
    expect(ownSettings(settingDefaults)).toEqual({})
    expect(readSettings({})).toMatchObject({
      hoursPerDay: 800,
      publictyMin: 3,
      leadRefuse: false,
      bestOnly: true,
      termCapHours: 1600,
      springStart: '02-15',
      warnSteps: [
        { year: 1, hours: 1600, level: '1' },
        { year: 2, hours: 3200, level: '2' },
      ],
    })
  })
  test('a kept value that no longer fits, or that nobody knows, is the default', () => {
    expect(readSettings({ publictyMin: 99, hoursPerDay: '6.5', gone: 1 })).toMatchObject({
      publictyMin: 3,
      hoursPerDay: 650,
    })
  })
})

describe('a value', () => {
  const bad: [SettingKey, unknown, string][] = [
    ['publictyMin', 0, '不能小于 1'],
    ['publictyMin', 2.5, '须为整数'],
    ['signDistance', 'weit', '请输入签到距离'],
    ['hoursPerDay', '8.123', '最多两位小数'],
    ['hoursPerDay', '25', '0 至 24'],
    ['hoursPerDay', '-1', '0 至 24'],
    ['leadRefuse', 'maybe', '请选择'],
    ['cancelUntil', 'later', '请选择学生自行取消报名'],
    ['supMonths', [13], '不能大于 12'],
    ['springStart', '02-29', '不是每年都有的日期'],
    ['springStart', '2-15', '不是每年都有的日期'],
    ['termCapFree', [''], '请选择模块'],
    [
      'starSteps',
      [
        { stars: 3, share: 100 },
        { stars: 2, share: 150 },
      ],
      '星级须高于上一行',
    ],
    [
      'starSteps',
      [
        { stars: 2, share: 100 },
        { stars: 3, share: 100 },
      ],
      '比例须高于上一行',
    ],
    ['starSteps', [{ stars: 6, share: 1 }], '不能大于 5'],
    ['teamSplit', [{ size: 3, shares: '0.6/0.4' }], '3 人须有 3 个比例'],
    ['teamSplit', [{ size: 2, shares: '0.4/0.6' }], '不能更高'],
    ['teamSplit', [{ size: 2, shares: '一半' }], '两位小数'],
    [
      'teamSplit',
      [
        { size: 2, shares: '1/0.5' },
        { size: 2, shares: '1/1' },
      ],
      '同一人数',
    ],
    [
      'competitionCredits',
      [
        { level: '2', first: '4', second: '3', third: '2', join: '1' },
        { level: '2', first: '1', second: '1', third: '1', join: '1' },
      ],
      '同一级别',
    ],
    ['competitionCredits', [{ level: '2', first: '4' }], '请输入二等奖'],
    ['warnSteps', [{ year: 1, hours: '16', level: '9' }], '请选择预警'],
  ]
  test.each(bad)('%s may not be %j: %s', (key, value, msg) => {
    const result = settingsPatch.safeParse({ [key]: value })
    expect(result.error?.issues[0]?.path[0]).toBe(key)
    expect(result.error?.issues[0]?.message).toContain(msg)
  })
  test('is kept in one form, however it was written', () => {
    const patch = settingsPatch.parse({
      publictyMin: '5',
      hoursPerDay: 6,
      leadRefuse: true,
      supMonths: ['9', 3, 3],
      teamSplit: [],
    } as never)
    expect(wireSettings(patch)).toEqual({
      publictyMin: 5,
      hoursPerDay: '6',
      leadRefuse: '1',
      supMonths: [3, 9],
      teamSplit: [],
    })
    expect(isDefault('supMonths', [3, 9])).toBe(true)
  })
  test('a setting that does not exist is refused', () =>
    expect(settingsPatch.safeParse({ publicityMin: 5 } as never).success).toBe(false))
})

describe('values together', () => {
  const cases: [Partial<SettingValues>, SettingKey[]][] = [
    [{ publictyMin: 8 }, ['publictyMax', 'publictyDefault']],
    [{ publictyDefault: 2 }, ['publictyDefault']],
    [{ remindDays: 6 }, ['escalateDays']],
    [{ signLateMinutes: 31 }, ['signCloseMinutes']],
    [{ yearPassHours: '18.01' }, ['yearExcellentHours']],
    [{ credibilityMin: 101 }, ['credibilityStart']],
    [{ credibilityMax: 99 }, ['credibilityMax']],
    [{ springStart: '08-16' }, ['autumnStart']],
    [{ lessonBySign: 21 }, ['lessonByCount']],
    [{ circleByCount: 0 }, ['circleByCount']],
  ]
  test.each(cases)('%j do not fit: %j', (change, fields) =>
    expect(settingFaults(readSettings(change)).map(({ field }) => field)).toEqual(fields),
  )
})

describe('in words', () => {
  const cases: [SettingKey, unknown, string][] = [
    ['publictyMin', 3, '3 个工作日'],
    ['turnoutRate', 75, '75%'],
    ['hoursPerDay', '8', '8 学时'],
    ['leadRefuse', '1', '开启'],
    ['turnoutAct', 'warn', '提醒发起人'],
    ['supMonths', [3, 9], '3、9 月'],
    ['supMonths', [], '无'],
    ['springStart', '02-15', '2 月 15 日'],
    ['termCapFree', ['SJSX', 'X'], '实践实习、X'],
    ['starSteps', [{ stars: 2, share: 50 }], '星级 2 星，比例不低于 50%'],
    ['warnSteps', [{ year: 1, hours: '16', level: '1' }], '学年 1，学时低于 16 学时，一般警告'],
  ]
  test.each(cases)('%s %j: %s', (key, value, text) =>
    expect(settingText(key, value, (id) => (id === 'SJSX' ? '实践实习' : id))).toBe(text),
  )
})
