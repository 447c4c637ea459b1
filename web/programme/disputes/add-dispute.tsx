import { Form } from 'antd'
import { applyStatus, questionType } from '../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { AreaField, DictionaryField, RemoteSelectField, SelectField } from '../../core/form/fields.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { PersonField } from '../../shared/people/person-field.tsx'

const listed = (value: unknown): string[] =>
  Array.isArray(value) ? (value as string[]) : value ? [value as string] : []

/** Enters a dispute in the name of whoever asks it. */
export function AddDisputeDialog({ liId, onClose }: { liId?: string | undefined; onClose: () => void }) {
  return (
    <DialogForm
      title="登记质疑"
      width={640}
      call={disputeApi.add}
      initial={{ ...(liId && { liId }), qType: questionType.wrong }}
      input={({ liId: chosen, qType, reporterSuId, targetSuId, qContent, qAward, qProofs, images }) => ({
        liId: chosen as string,
        qType: qType as '1',
        reporterSuId: reporterSuId as string,
        qContent: qContent as string,
        ...(targetSuId ? { targetSuId: targetSuId as string } : {}),
        ...(qAward ? { qAward: qAward as string } : {}),
        qProofs: [...listed(qProofs), ...listed(images)],
      })}
      submitText="登记"
      doneText="已登记，请在时限内受理"
      onClose={onClose}
    >
      <Fields fixed={liId !== undefined} />
    </DialogForm>
  )
}

function Fields({ fixed }: { fixed: boolean }) {
  const liId = Form.useWatch<string | undefined>('liId')
  const qType = Form.useWatch<string | undefined>('qType')
  const isOwn = qType === questionType.missing || qType === questionType.wrong
  const { data: awards = [] } = useCall(
    registrationApi.loadAward,
    { liId: liId ?? '' },
    { enabled: Boolean(liId) && isOwn },
  )
  return (
    <>
      {!fixed && (
        <RemoteSelectField
          name="liId"
          label="课程"
          placeholder="输入课程名称，公示中的课程"
          call={lessonApi.view}
          input={(word) => ({ liStatus: '60,61,70', ...(word && { liName: word }), pageSize: 20 })}
          options={({ records }) =>
            records.map(({ liId: value, liName, liStatus, liSponsorName }) => ({
              value,
              label: liName,
              hint: [labelOf('lesson_status', liStatus), liSponsorName].join(' · '),
            }))
          }
        />
      )}
      <DictionaryField name="qType" label="质疑类型" type="question_type" open />
      <PersonField name="reporterSuId" label="质疑人" required help="身份仅对有权限的处理人员可见" span={6} />
      {!isOwn && liId && (
        <RemoteSelectField
          key={liId}
          name="targetSuId"
          label="被质疑人"
          span={6}
          required={qType === questionType.falseAttendance}
          placeholder={qType === questionType.falseAttendance ? '输入姓名' : '不填即针对整门课程'}
          call={registrationApi.view}
          input={(word) => ({ liId, laStatus: applyStatus.accepted, ...(word && { suiName: word }), pageSize: 20 })}
          options={({ records }) =>
            records.map(({ suId, suiName, suiNumber, awardName }) => ({
              value: suId,
              label: suiName,
              hint: [suiNumber, awardName].filter(Boolean).join(' · '),
            }))
          }
        />
      )}
      {isOwn && awards.length > 0 && (
        <SelectField
          name="qAward"
          label="申请奖项"
          span={6}
          placeholder="可不选"
          options={awards.map(({ adName }) => ({ value: adName, label: adName }))}
        />
      )}
      <AreaField name="qContent" rows={4} placeholder="写明事实与诉求，5 至 1000 个字" />
      <ImageField name="images" label="证明图片" files={fileApi} max={6} required={false} />
      <FileField name="qProofs" label="证明文件" files={fileApi} max={3} required={false} />
    </>
  )
}
