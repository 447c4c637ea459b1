import { figure } from '../../core/service/figure.ts'
import { Alert } from 'antd'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { useCall } from '../../core/service/use-call.ts'

const shownGaps = 3

/** What could not be submitted any more without these flows; nothing where others stand in. */
export function StopImpact({ wfIds }: { wfIds: string[] }) {
  const { data } = useCall(workflowApi.stopImpact, { wfIds })
  if (!data || (data.gaps.length === 0 && data.waiting === 0)) return null
  const cases = data.gaps.slice(0, shownGaps).map((gap) => `${gap.role} · ${gap.class} · ${gap.level}`)
  const rest = data.gaps.length > shownGaps ? `等 ${data.gaps.length} 个范围` : ''
  return (
    <Alert
      className="flow-note"
      type="warning"
      showIcon
      title="没有其他流程可以接替，提交审批将被拒绝"
      description={
        <>
          {cases.length > 0 && (
            <p>
              受影响的范围：{cases.join('；')}
              {rest}
            </p>
          )}
          <p>
            {data.waiting > 0
              ? `现有 ${figure(data.waiting)} 项课程或补录还要提交审批，届时都会被拒绝。`
              : '现在没有等待提交的课程或补录。'}
            请先启用或新建其他流程。
          </p>
        </>
      }
    />
  )
}
