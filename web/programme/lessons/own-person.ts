import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { localStore } from '../../core/service/storage.ts'
import { useCall } from '../../core/service/use-call.ts'
import type { KnownPerson } from '../../shared/people/person-field.tsx'

/**
 * The signed-in person as pickers show them; null where they are none of the school's people, undefined while that is
 * being asked.
 */
export function useOwnPerson(enabled: boolean): KnownPerson | null | undefined {
  const id = localStore.get<{ id: string }>('user')?.id
  const { data, isPending } = useCall(
    teacherApi.search,
    { suIds: id ? [id] : [] },
    { enabled: enabled && id !== undefined, staleTime: 600_000 },
  )
  return !id || !isPending ? (data?.find(({ suId }) => suId === id) ?? null) : undefined
}
