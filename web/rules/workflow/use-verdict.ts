import { useMemo } from 'react'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { FlowVerdict } from '../../../contract/rules/workflow/workflow.schema.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useDebounced } from '../../core/service/use-debounced.ts'
import { stepFault, stepsInput, type FlowValues } from './flow-form.ts'

/** Milliseconds of rest after which a changed flow is checked. */
const pause = 600

/** What the service finds wrong with steps, by their keys; `blocks` where it stops every submission. */
export type Troubles = ReadonlyMap<string, { text: string; blocks: boolean }>

interface LiveVerdict {
  verdict: FlowVerdict | undefined
  /** How many steps are not whole yet and so were not checked. */
  unfinished: number
  /** True while the flow has changed since what is shown. */
  isChecking: boolean
  troubles: Troubles
  check: () => void
}

/**
 * What the service finds about the flow as it stands in the editor, asked anew whenever it rests. Steps that are not
 * finished yet are left out.
 */
export function useVerdict(values: FlowValues | undefined, wfId: string | undefined): LiveVerdict {
  const whole = values?.steps.filter((step) => !stepFault(step)) ?? []
  const input = values && {
    ...(wfId && { wfId }),
    wfType: values.wfType,
    // a draft is checked as what it is to become
    wfStatus: values.wfStatus === flowStatus.disabled ? flowStatus.disabled : flowStatus.enabled,
    isDefault: values.isDefault,
    needCreditOnly: values.needCreditOnly,
    roleIds: values.roleIds ?? [],
    classIds: values.lsIds ?? [],
    levelIds: values.levels ?? [],
    // names and order do not matter to what is asked of people, but they do to sample cases
    steps: stepsInput(whole) as never,
  }
  const text = JSON.stringify(input)
  const settled = useDebounced(text, pause)
  const asked = useMemo(() => (settled ? (JSON.parse(settled) as NonNullable<typeof input>) : undefined), [settled])
  const answer = useCall(workflowApi.validate, asked as never, { enabled: asked !== undefined, keepPrevious: true })
  const verdict = answer.data
  const troubles = useMemo(() => {
    const keys = values?.steps.filter((step) => !stepFault(step)).map(({ key }) => key) ?? []
    return new Map(
      (verdict?.emptyCheckers ?? []).flatMap(({ at, reason, blocks }) =>
        keys[at] ? [[keys[at], { text: reason, blocks }] as const] : [],
      ),
    )
  }, [verdict, settled])
  const unfinished = (values?.steps.length ?? 0) - whole.length
  return {
    verdict,
    unfinished,
    isChecking: text !== settled || answer.isFetching,
    troubles,
    check: () => void answer.refetch(),
  }
}
