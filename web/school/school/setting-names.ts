import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import { useCall } from '../../core/service/use-call.ts'

const minutes = 5 * 60_000

/** The school's levels, for the settings that are tables by level. */
export function useSettingLevels(): Choice[] {
  const { data = [] } = useCall(curriculumApi.levels, {}, { staleTime: minutes })
  return data.map(({ llId, llName }) => ({ value: llId, label: llName }))
}

/** The school's modules by their codes. */
export function useSettingModules(): Choice[] {
  const { data = [] } = useCall(curriculumApi.all, {}, { staleTime: minutes })
  return data.map(({ lsCode, lsName }) => ({ value: lsCode, label: lsName }))
}

/** The school's roles. */
export function useSettingRoles(): Choice[] {
  const { data = [] } = useCall(roleApi.options, {}, { staleTime: minutes })
  return data.map(({ srId, srName }) => ({ value: srId, label: srName }))
}

/** The words for ids of levels and roles and codes of modules. */
export function useSettingNames(): (id: string) => string {
  const words = new Map(
    [...useSettingLevels(), ...useSettingModules(), ...useSettingRoles()].map(({ value, label }) => [value, label]),
  )
  return (id) => words.get(id) ?? id
}
