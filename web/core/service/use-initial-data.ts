import { useState } from 'react'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { useCall } from './use-call.ts'

/**
 * The record a form starts from, as it was first read fresh: what others change meanwhile must not overwrite what is
 * being typed. Once read it is not asked for again: after submitting, it may no longer be edited at all. Nothing is
 * asked without an id.
 */
export function useInitialData<C extends Call>(
  call: C,
  id: string | undefined,
  input: (id: string) => Input<C>,
): Output<C> | undefined {
  const [kept, setKept] = useState<{ id: string; record: Output<C> }>()
  const { data, isFetching } = useCall(call, input(id ?? ''), { enabled: id !== undefined && kept?.id !== id })
  if (id !== undefined && data && !isFetching && kept?.id !== id) setKept({ id, record: data })
  return kept?.id === id ? kept?.record : undefined
}
