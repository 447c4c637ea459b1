import { Form } from 'antd'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { formerClass } from '../../core/parts/former.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { FlowNodes } from '../../shared/lessons/flow-nodes.tsx'

/** Who will decide, asked anew whenever something that the flow depends on is chosen. */
export function FlowPreview() {
  const [lsId, liLevel, liPrincipalId, liCollegeId, liDepartmentId, liCircleId, teacherIds] = [
    Form.useWatch<string | undefined>('lsId'),
    Form.useWatch<string | undefined>('liLevel'),
    Form.useWatch<string | undefined>('liPrincipalId'),
    Form.useWatch<string | undefined>('liCollegeId'),
    Form.useWatch<string | undefined>('liDepartmentId'),
    Form.useWatch<string | undefined>('liCircleId'),
    Form.useWatch<string[] | undefined>('teacherIds'),
  ]
  const isReady = Boolean(lsId && liLevel)
  const {
    data,
    isPending,
    isPlaceholderData: isFormer,
  } = useCall(
    lessonApi.flowPreview,
    { lsId: lsId ?? '', liLevel: liLevel ?? '', liPrincipalId, liCollegeId, liDepartmentId, liCircleId, teacherIds },
    { enabled: isReady, keepPrevious: true },
  )
  if (!isReady) return <p className="span-12 flow-none">选择课程体系与级别后显示审批人</p>
  if (isPending)
    return (
      <div className="span-12">
        <ReadSkeleton paragraph={{ rows: 2 }} title={false} />
      </div>
    )
  if (!data) return <p className="span-12 flow-none">暂时未能取得流程预览，不影响保存</p>
  return (
    <div className={formerClass(isFormer, 'span-12', 'flow-preview')} aria-busy={isFormer}>
      <FlowNodes preview={data} />
    </div>
  )
}
