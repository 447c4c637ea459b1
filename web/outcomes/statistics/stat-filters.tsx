import type { ReactNode } from 'react'
import { SwitchFilter } from '../../core/list/switch-filter.tsx'
import { ClassFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { SelectFilter } from '../../core/list/filters.tsx'
import { useCall } from '../../core/service/use-call.ts'

/** The filters of statistics by the place of people. */
export const places = { college: 'collegeId', major: 'majorId', class: 'scClassId' }

/** What `MorePersonFilters` set, beside those given to them. */
export const morePersonFilters = [places.major, places.class, 'everybody'] as const

/** The further filters of statistics of people. @param everybody what the switch says that counts leavers too */
export function MorePersonFilters({ everybody, children }: { everybody: string; children?: ReactNode }) {
  return (
    <>
      <MajorFilter names={places} />
      <ClassFilter names={places} grade="grade" />
      {children}
      <SwitchFilter name="everybody" label={everybody} />
    </>
  )
}

/** The school's levels. */
export function LevelFilter() {
  const { data = [] } = useCall(curriculumApi.levels, {}, { staleTime: 300_000 })
  return (
    <SelectFilter name="llId" label="级别" options={data.map(({ llId, llName }) => ({ value: llId, label: llName }))} />
  )
}
