import { useState, type ReactNode } from 'react'
import type { Input } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { FlowVerdict } from '../../../contract/rules/workflow/workflow.schema.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import type { ApiError } from '../../core/service/wire.ts'
import { StopImpact } from './stop-impact.tsx'
import { switchMeaning } from './switch-meaning.ts'
import { SampleText } from './verdict-panel.tsx'

export type FlowInput = Input<typeof workflowApi.save>
type Sure = Pick<FlowInput, 'confirmSamples'>

/** What a form's values say of sample cases, for the input of the call: nothing unless somebody was asked. */
export const confirmedSamples = (values: Record<string, unknown>): Sure =>
  values['confirmSamples'] === yesNo.yes ? { confirmSamples: yesNo.yes } : {}

interface SaveQuestion {
  /**
   * Asks before a flow is saved that is thereby switched on or off, and by which sample cases lead elsewhere. Asked
   * only of what could be saved: a name that is missing or a flow without steps is told first.
   */
  saveConfirmed: (wanted: FlowInput, verdict: FlowVerdict | undefined) => Promise<boolean>
  /** Asks after the service has found sample cases that were not known to lead elsewhere, and saves again. */
  confirmRefused: (error: ApiError, save: (sure: Sure) => Promise<void>) => void
  /** Drawn by whoever asks. */
  question: ReactNode
}

interface OpenQuestion {
  title: string
  content: ReactNode
  answer: (isSure: boolean) => void
}

const samplesTitle = '保存后样例的结果将改变，确认保存？'
const switching: Partial<Record<string, { title: string; meaning: string }>> = {
  [flowStatus.enabled]: { title: '启用该流程，确认保存？', meaning: switchMeaning[flowStatus.enabled] },
  [flowStatus.disabled]: { title: '停用该流程，确认保存？', meaning: switchMeaning[flowStatus.disabled] },
}

/**
 * Asks what the saving of a flow changes besides itself.
 * @param saved the flow as it is stored; undefined while it is new
 */
export function useSaveQuestion(saved?: { wfId: string | null; wfStatus: string }): SaveQuestion {
  // what was asked stays in the dialog while it closes
  const [asked, setAsked] = useState<OpenQuestion>()
  const [isOpen, setOpen] = useState(false)
  const confirmed = (title: string, content: ReactNode) =>
    new Promise<boolean>((answer) => {
      setAsked({ title, content, answer })
      setOpen(true)
    })
  const decide = (isSure: boolean) => {
    setOpen(false)
    asked?.answer(isSure)
  }
  return {
    saveConfirmed: async (wanted, verdict) => {
      const { wfStatus = flowStatus.enabled, steps, confirmSamples } = wanted
      if (wfStatus === flowStatus.draft || steps.length === 0 || confirmSamples) return true
      const samples = verdict?.samples ?? []
      const isSwitched = saved && saved.wfStatus !== flowStatus.draft && saved.wfStatus !== wfStatus
      const turn = isSwitched ? switching[wfStatus] : undefined
      if (!turn && samples.length === 0) return true
      const isSure = await confirmed(
        turn?.title ?? samplesTitle,
        <>
          {turn && <p>{turn.meaning}</p>}
          {turn && wfStatus === flowStatus.disabled && <StopImpact wfIds={[saved!.wfId!]} />}
          {turn && samples.length > 0 && <p>样例的结果将改变：</p>}
          {samples.length > 0 && <Samples samples={samples} />}
        </>,
      )
      if (isSure && samples.length > 0) Object.assign(wanted, { confirmSamples: yesNo.yes })
      return isSure
    },
    confirmRefused: ({ reason, message }, save) => {
      if (reason !== 'workflow-samples-change') return
      void confirmed(samplesTitle, <p>{message}</p>).then((isSure) =>
        isSure ? save({ confirmSamples: yesNo.yes }) : undefined,
      )
    },
    question: (
      <Dialog
        open={isOpen}
        title={asked?.title}
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
