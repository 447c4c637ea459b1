import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import { useCall } from '../../core/service/use-call.ts'

/** The school's levels. */
export function useLevelChoices(): Choice[] {
  const { data = [] } = useCall(curriculumApi.levels, {}, { staleTime: 5 * 60_000 })
  return data.map(({ llId, llName }) => ({ value: llId, label: llName }))
}
