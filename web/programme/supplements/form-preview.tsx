import { Form } from 'antd'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { formerClass } from '../../core/parts/former.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useDebounced } from '../../core/service/use-debounced.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { FlowNodes } from '../../shared/lessons/flow-nodes.tsx'
import { proofsOf } from './supplement-form.ts'
import { CreditCalculation } from '../../shared/supplements/supplement-facts.tsx'
import { SupplementHints } from '../../shared/supplements/supplement-status.tsx'

const useValues = () => {
  const form = Form.useFormInstance()
  return (Form.useWatch((all: Record<string, unknown>) => all, { form, preserve: true }) ?? {}) as Record<
    string,
    string | undefined
  >
}

/** Who will decide and what it will give, asked anew whenever something that they depend on is chosen. */
export function FormPreview() {
  const { suId, lsId, lisLevel, lisType, lisPartakeMode, lisAward, lisTeamSize, lisRank, lisHoursDeclared } =
    useValues()
  const isTeam = Number(lisTeamSize) >= 2 && Number(lisRank) >= 1
  const isChosen = Boolean(suId && lsId && lisLevel)
  // empty until everything is chosen, so that what is asked is never half of it
  const chosen = isChosen
    ? JSON.stringify({
        suId,
        lsId,
        lisLevel,
        lisType,
        lisPartakeMode,
        ...(lisAward && { lisAward }),
        ...(isTeam && { lisTeamSize: Number(lisTeamSize), lisRank: Number(lisRank) }),
        ...(lisHoursDeclared && { lisHoursDeclared: String(lisHoursDeclared) }),
      })
    : ''
  const wanted = useDebounced(chosen, 300)
  const { data, isPending, isPlaceholderData } = useCall(
    supplementApi.flowPreview,
    JSON.parse(wanted || '{}') as never,
    {
      enabled: wanted !== '',
      keepPrevious: true,
    },
  )
  if (!isChosen) return <p className="span-12 flow-none">选择学生、模块与级别后显示审批人和可获学时</p>
  if (isPending)
    return (
      <div className="span-12">
        <ReadSkeleton paragraph={{ rows: 2 }} title={false} />
      </div>
    )
  if (!data) return <p className="span-12 flow-none">暂时未能取得预览，不影响保存</p>
  // it is of a former choice until the hand has rested as well
  const isFormer = isPlaceholderData || wanted !== chosen
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
  const { suId, lisName, lisObtainDate, certNo } = values
  const proofs = proofsOf(values)
  const isReady = Boolean((suId && lisName) || certNo || proofs.length > 0)
  const typed = isReady
    ? JSON.stringify({
        ...(lisId && { lisId }),
        ...(suId && { suId }),
        lisName: lisName?.trim(),
        lisObtainDate,
        certNo: certNo?.trim(),
        lisProofs: proofs,
      })
    : ''
  const wanted = useDebounced(typed, 500)
  const { data = [], isPlaceholderData } = useCall(supplementApi.dupHints, JSON.parse(wanted || '{}') as never, {
    enabled: wanted !== '',
    keepPrevious: true,
  })
  if (!isReady || data.length === 0) return null
  // as above: what was typed since is not asked yet
  const isFormer = isPlaceholderData || wanted !== typed
  return (
    <div className={formerClass(isFormer, 'span-12')} aria-busy={isFormer}>
      <SupplementHints hints={data} />
    </div>
  )
}
