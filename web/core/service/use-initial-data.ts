import { useState } from 'react'
import type { Call, Input } from '../../../contract/core/call.ts'
import { useCall, type Answer } from './use-call.ts'

/**
 * The record a form starts from, as it was first read fresh: what others change meanwhile must not overwrite what is
 * being typed. Once read it is not asked for again: after submitting, it may no longer be edited at all. Nothing is
 * asked without an id. `error` and `refetch` are those of the reading that did not bring it.
 */
export function useInitialData<C extends Call>(
  call: C,
  id: string | undefined,
  input: (id: string) => Input<C>,
): { data: Answer<C>; error: Error | null; refetch: () => unknown } {
  const [kept, setKept] = useState<{ id: string; record: Answer<C> }>()
  const { data, isFetching, error, refetch } = useCall(call, input(id ?? ''), {
    enabled: id !== undefined && kept?.id !== id,
  })
  if (id !== undefined && data && !isFetching && !error && kept?.id !== id) setKept({ id, record: data })
  return { data: kept?.id === id ? kept?.record : undefined, error, refetch }
}
