import { useState, type ReactNode } from 'react'
import type { Input } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { FlowVerdict } from '../../../contract/rules/workflow/workflow.schema.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import type { ApiError } from '../../core/service/wire.ts'
import { SampleText } from './verdict-panel.tsx'

export type FlowInput = Input<typeof workflowApi.save>
type Sure = Pick<FlowInput, 'confirmSamples'>

/** What a form's values say of sample cases, for the input of the call: nothing unless somebody was asked. */
export const confirmedSamples = (values: Record<string, unknown>): Sure =>
  values['confirmSamples'] === yesNo.yes ? { confirmSamples: yesNo.yes } : {}

interface SampleQuestion {
  /**
   * Asks before a flow is saved by which sample cases lead elsewhere. Asked only of what could be saved: a name that is
   * missing or a flow without steps is told first.
   */
  samplesConfirmed: (wanted: FlowInput, verdict: FlowVerdict | undefined) => Promise<boolean>
  /** Asks after the service has found sample cases that were not known to lead elsewhere, and saves again. */
  confirmRefused: (error: ApiError, save: (sure: Sure) => Promise<void>) => void
  /** Drawn by whoever asks. */
  question: ReactNode
}

/** Asks whether sample cases may lead elsewhere from now on. */
export function useSampleQuestion(): SampleQuestion {
  const [asked, setAsked] = useState<{ content: ReactNode; answer: (isSure: boolean) => void }>()
  const confirmed = (content: ReactNode) => new Promise<boolean>((answer) => setAsked({ content, answer }))
  const decide = (isSure: boolean) => {
    setAsked(undefined)
    asked?.answer(isSure)
  }
  return {
    samplesConfirmed: async (wanted, verdict) => {
      const { wfStatus, steps, confirmSamples } = wanted
      const samples = wfStatus === flowStatus.enabled && steps.length > 0 ? (verdict?.samples ?? []) : []
      if (samples.length === 0 || confirmSamples) return true
      const isSure = await confirmed(<Samples samples={samples} />)
      if (isSure) Object.assign(wanted, { confirmSamples: yesNo.yes })
      return isSure
    },
    confirmRefused: ({ reason, message }, save) => {
      if (reason !== 'workflow-samples-change') return
      void confirmed(<p>{message}</p>).then((isSure) => (isSure ? save({ confirmSamples: yesNo.yes }) : undefined))
    },
    question: (
      <Dialog
        open={asked !== undefined}
        title="保存后样例的结果将改变，确认保存？"
        width={560}
        okText="确认并保存"
        cancelText="返回修改"
        onOk={() => decide(true)}
        onCancel={() => decide(false)}
      >
        {asked?.content}
      </Dialog>
    ),
  }
}

function Samples({ samples }: { samples: FlowVerdict['samples'] }) {
  return (
    <ul className="sample-list">
      {samples.map(({ wsId, wsName, was, now }) => (
        <li key={wsId}>
          <SampleText name={wsName} was={was} now={now} />
        </li>
      ))}
    </ul>
  )
}
