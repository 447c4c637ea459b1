import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { SelectFilter } from '../../core/list/filters.tsx'
import { useCall } from '../../core/service/use-call.ts'

/** The school's levels. */
export function LevelFilter() {
  const { data = [] } = useCall(curriculumApi.levels, {}, { staleTime: 300_000 })
  return (
    <SelectFilter name="llId" label="级别" options={data.map(({ llId, llName }) => ({ value: llId, label: llName }))} />
  )
}
