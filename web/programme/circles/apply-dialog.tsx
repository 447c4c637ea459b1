import { Form } from 'antd'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import type { CircleDetail } from '../../../contract/programme/circles/circles.schema.ts'
import { circleApplyType } from '../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { AreaField, DictionaryField, NumberField, SelectField } from '../../core/form/fields.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { StudentField } from './circle-people.tsx'

const kinds = [
  { value: circleApplyType.joining, label: '加入' },
  { value: circleApplyType.handOver, label: '变更负责人' },
  { value: circleApplyType.yearlyReview, label: '年审' },
  { value: circleApplyType.dissolution, label: '注销' },
]

/** Applies for something in a circle's name. */
export function ApplyDialog({ circle, onClose }: { circle: CircleDetail; onClose: () => void }) {
  return (
    <DialogForm
      title={`提交申请：${circle.ciName}`}
      call={circleApplyApi.apply}
      width={600}
      initial={{ ciId: circle.ciId, caType: circleApplyType.handOver, materials: [], crYear: new Date().getFullYear() }}
      input={({ ciId, caType, applyReason, materials, cpiPersonId, crYear, crResult, crStar }) => ({
        ciId: ciId as string,
        caType: caType as '2',
        applyReason: applyReason as string,
        materials: (materials ?? []) as string[],
        ...(caType === circleApplyType.joining || caType === circleApplyType.handOver
          ? { cpiPersonId: cpiPersonId as string }
          : {}),
        ...(caType === circleApplyType.yearlyReview
          ? { crYear: crYear as number, crResult: crResult as '1', ...(crStar ? { crStar: crStar as '5' } : {}) }
          : {}),
      })}
      submitText="提交"
      doneText="申请已提交"
      onClose={onClose}
    >
      <SelectField name="caType" options={kinds} open />
      <KindFields circle={circle} />
      <AreaField name="applyReason" rows={3} placeholder="不少于 5 个字" />
      <FileField name="materials" files={fileApi} max={9} />
    </DialogForm>
  )
}

function KindFields({ circle }: { circle: CircleDetail }) {
  const caType = Form.useWatch<string | undefined>('caType')
  if (caType === circleApplyType.joining) return <StudentField name="cpiPersonId" label="加入的学生" required />
  if (caType === circleApplyType.handOver)
    return (
      <StudentField
        name="cpiPersonId"
        label="新任负责人"
        required
        help={`现任负责人：${circle.principal.suiName}（${circle.principal.suiNumber}）`}
        known={circle.persons}
      />
    )
  if (caType === circleApplyType.yearlyReview)
    return (
      <>
        <NumberField name="crYear" span={4} required />
        <DictionaryField name="crResult" span={4} type="circle_review" required />
        <DictionaryField name="crStar" span={4} type="circle_star" />
      </>
    )
  return <p className="circle-note">注销后圈子不能再启用；有进行中的活动时不能注销。</p>
}
