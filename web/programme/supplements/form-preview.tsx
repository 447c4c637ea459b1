import { Alert, Form } from 'antd'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
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
  const wanted = useDebounced(
    isChosen
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
      : '',
    300,
  )
  const { data, isPending } = useCall(supplementApi.flowPreview, JSON.parse(wanted || '{}') as never, {
    enabled: wanted !== '',
    keepPrevious: true,
  })
  if (!isChosen) return <p className="span-12 flow-none">选择学生、模块与级别后显示审批人和可获学时</p>
  if (isPending)
    return (
      <div className="span-12">
        <ReadSkeleton paragraph={{ rows: 2 }} title={false} />
      </div>
    )
  if (!data) return <p className="span-12 flow-none">暂时未能取得预览，不影响保存</p>
  return (
    <div className="span-12 flow-preview">
      {data.reckoning.length > 0 && <CreditCalculation reckoning={data.reckoning} />}
      {data.wfName === null ? (
        <Alert
          type="warning"
          showIcon
          title="未配置适用的审批流程"
          description="可先存为草稿，请联系管理员在“流程管理”中配置后再提交。"
        />
      ) : (
        <FlowNodes wfName={data.wfName} nodes={data.nodes} />
      )}
    </div>
  )
}

/** Records that look like the one being entered. */
export function FormHints({ lisId }: { lisId: string | undefined }) {
  const values = useValues()
  const { suId, lisName, lisObtainDate, certNo } = values
  const proofs = proofsOf(values)
  const isReady = Boolean((suId && lisName) || certNo || proofs.length > 0)
  const wanted = useDebounced(
    isReady
      ? JSON.stringify({
          ...(lisId && { lisId }),
          ...(suId && { suId }),
          lisName: lisName?.trim(),
          lisObtainDate,
          certNo: certNo?.trim(),
          lisProofs: proofs,
        })
      : '',
    500,
  )
  const { data = [] } = useCall(supplementApi.dupHints, JSON.parse(wanted || '{}') as never, {
    enabled: wanted !== '',
    keepPrevious: true,
  })
  if (!isReady || data.length === 0) return null
  return (
    <div className="span-12">
      <SupplementHints hints={data} />
    </div>
  )
}
