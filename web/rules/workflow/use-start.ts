import { useState } from 'react'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import type { FlowStart } from './flow-form.ts'

/**
 * A stored flow as it was when its editor was opened: what others save meanwhile does not replace what is being typed,
 * only `reload` does. Null where there is no such flow, undefined while it is read.
 */
export function useStart(wfId: string): { start: FlowStart | null | undefined; reload: () => void } {
  const { data, isError, isFetching, refetch } = useCall(workflowApi.editInit, { wfId }, { enabled: wfId !== '' })
  const [kept, keep] = useState<FlowStart>()
  if (data && !isFetching && data.flow.wfId === wfId && kept?.flow.wfId !== wfId) keep(data)
  const reload = () => void refetch().then((answer) => answer.data && keep(answer.data))
  if (wfId === '' || (isError && kept?.flow.wfId !== wfId)) return { start: null, reload }
  return { start: kept?.flow.wfId === wfId ? kept : undefined, reload }
}
