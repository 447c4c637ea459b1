import { Form } from 'antd'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { formerClass } from '../../core/parts/former.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { FlowNodes } from '../../shared/lessons/flow-nodes.tsx'
import { proofsOf } from './supplement-form.ts'
import { CreditCalculation } from '../../shared/supplements/supplement-facts.tsx'
import { SupplementHints } from '../../shared/supplements/supplement-status.tsx'
import { useFormHints, useFormPreview } from '../../shared/supplements/use-form-questions.ts'

const useValues = () => {
  const form = Form.useFormInstance()
  return (Form.useWatch((all: Record<string, unknown>) => all, { form, preserve: true }) ?? {}) as Record<
    string,
    string | undefined
  >
}

/** Who will decide and what it will give, asked anew whenever something that they depend on is chosen. */
export function FormPreview() {
  const values = useValues()
  const isChosen = Boolean(values['suId'] && values['lsId'] && values['lisLevel'])
  const { data, isPending, isFormer } = useFormPreview(supplementApi.flowPreview, values, isChosen)
  if (!isChosen) return <p className="span-12 flow-none">选择学生、模块与级别后显示审批人和可获学时</p>
  if (isPending)
    return (
      <div className="span-12">
        <ReadSkeleton paragraph={{ rows: 2 }} title={false} />
      </div>
    )
  if (!data) return <p className="span-12 flow-none">暂时未能取得预览，不影响保存</p>
  return (
    <div className={formerClass(isFormer, 'span-12', 'flow-preview')} aria-busy={isFormer}>
      {data.reckoning.length > 0 && <CreditCalculation reckoning={data.reckoning} />}
      <FlowNodes preview={data} />
    </div>
  )
}

/** Records that look like the one being entered. */
export function FormHints({ lisId }: { lisId: string | undefined }) {
  const values = useValues()
  const proofs = proofsOf(values)
  const isReady = Boolean((values['suId'] && values['lisName']) || values['certNo'] || proofs.length > 0)
  const { data = [], isFormer } = useFormHints(supplementApi.dupHints, { ...values, lisId }, proofs, isReady)
  if (data.length === 0) return null
  return (
    <div className={formerClass(isFormer, 'span-12')} aria-busy={isFormer}>
      <SupplementHints hints={data} />
    </div>
  )
}
