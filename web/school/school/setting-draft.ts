import { rowOf } from '../../core/service/schema.ts'
import { readSettings, settingFaults } from '../../../contract/school/school/setting-values.ts'
import { settingOf } from '../../../contract/school/school/settings.ts'

type Values = Record<string, unknown>

/** A value as typed, in the form in which it is kept; as it is while it is faulty. */
export function wireOf(key: string, value: unknown): unknown {
  const setting = settingOf(key)!
  const checked = setting.schema.safeParse(value)
  return checked.success ? setting.wire(checked.data) : value
}

/** What is wrong, by setting: with each by itself, and with all together once each is right. */
export function faultsOf(saved: Values, changes: Values): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [key, value] of Object.entries(changes)) {
    const issue = settingOf(key)!.schema.safeParse(value === '' ? undefined : value).error?.issues[0]
    if (issue) faults[key] = rowOf(issue.path) + issue.message
  }
  if (Object.keys(faults).length > 0) return faults
  return Object.fromEntries(settingFaults(readSettings({ ...saved, ...changes })).map(({ field, msg }) => [field, msg]))
}
