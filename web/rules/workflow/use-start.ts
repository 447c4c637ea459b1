import { useState } from 'react'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { Reading } from '../../core/screen/read-failure.tsx'
import { useCall } from '../../core/service/use-call.ts'
import type { FlowStart } from './flow-form.ts'

/**
 * A stored flow as it was when its editor was opened: what others save meanwhile does not replace what is being typed,
 * only `reload` does. Null where it was not read, of which `reading` tells why; undefined while it is read.
 */
export function useStart(wfId: string): {
  start: FlowStart | null | undefined
  reading: Reading
  reload: () => void
} {
  const { data, error, isFetching, refetch } = useCall(workflowApi.editInit, { wfId }, { enabled: wfId !== '' })
  const [kept, keep] = useState<FlowStart>()
  if (data && !isFetching && data.flow.wfId === wfId && kept?.flow.wfId !== wfId) keep(data)
  const reload = () => void refetch().then((answer) => answer.data && keep(answer.data))
  const reading = { error, refetch }
  if (wfId === '' || (error && kept?.flow.wfId !== wfId)) return { start: null, reading, reload }
  return { start: kept?.flow.wfId === wfId ? kept : undefined, reading, reload }
}
