import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import type { SettingValues } from '../../../contract/school/school/settings.ts'
import { useCall } from '../../core/service/use-call.ts'

/**
 * The school's rules as forms and hints tell them; undefined until they have been read. The service has the last word.
 */
export function useRules(): SettingValues | undefined {
  const { data } = useCall(schoolApi.rules, {}, { staleTime: 60_000 })
  return data as SettingValues | undefined
}
