import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import type { FieldFault } from '../../core/failure.ts'
import {
  settingKeys,
  settingOf,
  settings,
  type SchoolSettings,
  type SettingKey,
  type SettingValues,
} from './settings.ts'

/** What may be saved: any of the settings, each checked by its own kind. */
export const settingsPatch = z.strictObject(
  Object.fromEntries(settingKeys.map((key) => [key, settings[key].schema.optional()])),
) as unknown as z.ZodType<Partial<SchoolSettings>, Partial<SettingValues>>

/** The values a school starts with. */
export const settingDefaults = Object.fromEntries(
  settingKeys.map((key) => [key, settings[key].default]),
) as unknown as SettingValues

/**
 * All values of a school from those it keeps: what it never set, and what a later version of the program no longer
 * takes, is the default.
 * @param kept wire values by key
 */
export function readSettings(kept: unknown): SchoolSettings {
  const given = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>
  return Object.fromEntries(
    settingKeys.map((key) => {
      const { schema, default: standard } = settingOf(key)!
      const own = given[key] === undefined ? undefined : schema.safeParse(given[key])
      return [key, own?.success ? own.data : schema.parse(standard)]
    }),
  ) as unknown as SchoolSettings
}

/** Checked values in the form in which they travel and are kept. */
export const wireSettings = <P extends Partial<SchoolSettings>>(
  values: P,
): { [K in keyof P & SettingKey]: SettingValues[K] } =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, settingOf(key)!.wire(value)]),
  ) as never

export const isDefault = (key: string, value: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(settingOf(key)?.default)

/** Only what differs from the defaults: what a school keeps, so that it follows the program where it never chose. */
export const ownSettings = (values: Partial<SettingValues>): Partial<SettingValues> =>
  Object.fromEntries(Object.entries(values).filter(([key, value]) => !isDefault(key, value)))

/** What is wrong with the values taken together. */
export function settingFaults(values: SchoolSettings): FieldFault[] {
  const faults: FieldFault[] = []
  const demand = (holds: boolean, field: SettingKey, msg: string) => {
    if (!holds) faults.push({ field, msg })
  }
  const sum = (...keys: SettingKey[]) => keys.reduce((total, key) => total + (values[key] as number), 0)
  demand(values.publictyMin <= values.publictyMax, 'publictyMax', '最长公示期不能短于最短公示期')
  demand(
    values.publictyDefault >= values.publictyMin && values.publictyDefault <= values.publictyMax,
    'publictyDefault',
    '默认公示期须在最短与最长公示期之间',
  )
  demand(values.remindDays <= values.escalateDays, 'escalateDays', '审批升级时限不能短于催办时限')
  demand(values.signLateMinutes <= values.signCloseMinutes, 'signCloseMinutes', '签到关闭不能早于迟到界限')
  demand(values.yearPassHours <= values.yearExcellentHours, 'yearExcellentHours', '学年优秀不能低于学年合格')
  demand(values.credibilityMin <= values.credibilityStart, 'credibilityStart', '初始诚信分不能低于最低诚信分')
  demand(values.credibilityStart <= values.credibilityMax, 'credibilityMax', '最高诚信分不能低于初始诚信分')
  demand(values.springStart < values.autumnStart, 'autumnStart', '秋季学期须晚于春季学期开始')
  demand(
    sum('lessonByCount', 'lessonByPeople', 'lessonBySign', 'lessonByRating') === 100,
    'lessonByCount',
    '课程活跃度的各项权重合计须为 100%',
  )
  demand(
    sum('circleByCount', 'circleByPeople', 'circleBySign', 'circleByRating', 'circleByMembers') === 100,
    'circleByCount',
    '圈子活跃度的各项权重合计须为 100%',
  )
  return faults
}

/**
 * A value in words, for confirmations and the history.
 * @param names words for ids and codes that the school itself gave, such as its levels and modules
 */
export function settingText(key: string, value: unknown, names: (id: string) => string = (id) => id): string {
  const setting = settingOf(key)
  if (!setting || value === null || value === undefined) return ''
  const { control, unit = '', options = [], columns = [] } = setting
  if (control === 'switch') return value === yesNo.yes ? '开启' : '关闭'
  if (control === 'choice') return options.find((one) => one.value === value)?.label ?? String(value)
  if (control === 'monthDay') return String(value).replace(/^0?(\d+)-0?(\d+)$/, '$1 月 $2 日')
  if (!Array.isArray(value)) return unit === '%' ? `${String(value)}%` : [String(value), unit].filter(Boolean).join(' ')
  if (value.length === 0) return '无'
  if (control === 'months') return `${value.join('、')} 月`
  if (control === 'modules' || control === 'roles') return value.map((code) => names(String(code))).join('、')
  return value
    .map((row: Record<string, unknown>) =>
      columns
        .map(({ key: name, cell, label, unit: of = '', options: choices }) => {
          const own = String(row[name] ?? '')
          if (cell === 'level') return names(own)
          if (cell === 'choice') return choices?.find((one) => one.value === own)?.label ?? own
          return `${label} ${own}${of && (of === '%' ? of : ` ${of}`)}`
        })
        .join('，'),
    )
    .join('；')
}
