import { Form } from 'antd'
import { applyStatus, questionType, supplementTab } from '../../../contract/core/codes/programme.ts'
import { dictionary } from '../../../contract/core/dictionary.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { AreaField, DictionaryField, RemoteSelectField, SelectField, TextField } from '../../core/form/fields.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { useCall } from '../../core/service/use-call.ts'
import { PersonField } from '../people/person-field.tsx'

const listed = (value: unknown): string[] =>
  Array.isArray(value) ? (value as string[]) : value ? [value as string] : []

/** The course or supplement record that a dialog is opened for; without one it is chosen in the dialog. */
interface DisputeSubject {
  liId?: string | undefined
  lisId?: string | undefined
  /** What it is called, for the title. */
  name?: string | undefined
}

/** Enters a dispute in the name of whoever asks it. */
export function AddDisputeDialog({ subject = {}, onClose }: { subject?: DisputeSubject; onClose: () => void }) {
  const { liId, lisId, name } = subject
  const isFixed = liId !== undefined || lisId !== undefined
  return (
    <DialogForm
      title={name ? `登记质疑：${name}` : '登记质疑'}
      width={640}
      call={disputeApi.add}
      initial={{ ...(!isFixed && { kind: 'lesson' }), qType: questionType.wrong }}
      input={({ kind, qType, reporterSuId, targetSuId, qContent, qAward, ...others }) => ({
        ...(lisId || kind === 'supplement'
          ? { lisId: lisId ?? (others['lisId'] as string) }
          : { liId: liId ?? (others['liId'] as string) }),
        qType: qType as '1',
        reporterSuId: reporterSuId as string,
        qContent: qContent as string,
        ...(targetSuId ? { targetSuId: targetSuId as string } : {}),
        ...(qAward ? { qAward: qAward as string } : {}),
        qProofs: [...listed(others['qProofs']), ...listed(others['images'])],
      })}
      submitText="登记"
      doneText="已登记，请在时限内受理"
      onClose={onClose}
    >
      <Fields subject={subject} isFixed={isFixed} />
    </DialogForm>
  )
}

/** A supplement record has no organisers. */
const aboutRecords = dictionary.question_type
  .filter(([value]) => value !== questionType.organiserBreach)
  .map(([value, label]) => ({ value, label }))

function Fields({ subject, isFixed }: { subject: DisputeSubject; isFixed: boolean }) {
  const kind = Form.useWatch<string | undefined>('kind')
  const qType = Form.useWatch<string | undefined>('qType')
  const isOwn = qType === questionType.missing || qType === questionType.wrong
  const mayChooseRecords = usePermission()(supplementApi.list)
  const isRecord = isFixed ? subject.lisId !== undefined : kind === 'supplement'
  return (
    <>
      {!isFixed && mayChooseRecords && (
        <SelectField
          name="kind"
          label="质疑对象"
          open
          options={[
            { value: 'lesson', label: '课程' },
            { value: 'supplement', label: '补录' },
          ]}
        />
      )}
      {!isFixed && (isRecord ? <RecordField /> : <CourseField />)}
      {isRecord ? (
        <SelectField name="qType" label="质疑类型" open options={aboutRecords} />
      ) : (
        <DictionaryField name="qType" label="质疑类型" type="question_type" open />
      )}
      <PersonField name="reporterSuId" label="质疑人" required help="身份仅对有权限的处理人员可见" span={6} />
      {isRecord ? (
        isOwn && <TextField name="qAward" span={6} placeholder="可不填" />
      ) : (
        <OfCourse fixed={subject.liId} isOwn={isOwn} />
      )}
      <AreaField name="qContent" rows={4} placeholder="写明事实与诉求，5 至 1000 个字" />
      <ImageField name="images" label="证明图片" files={fileApi} max={6} required={false} />
      <FileField name="qProofs" label="证明文件" files={fileApi} max={3} required={false} />
    </>
  )
}

const CourseField = () => (
  <RemoteSelectField
    name="liId"
    label="课程"
    required
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
)

const RecordField = () => (
  <RemoteSelectField
    name="lisId"
    label="补录"
    required
    placeholder="输入补录名称，公示中的补录"
    help="已入账的补录，请在补录详情中登记"
    call={supplementApi.list}
    input={(word) => ({ flagType: supplementTab.inNotice, ...(word && { lisName: word }), pageSize: 20 })}
    options={({ records }) =>
      records.map(({ lisId: value, lisName, suiName, suiNumber }) => ({
        value,
        label: lisName,
        hint: [suiName, suiNumber].join(' · '),
      }))
    }
  />
)

/** Whom a question about a course means, and the award that is asked for. */
function OfCourse({ fixed, isOwn }: { fixed: string | undefined; isOwn: boolean }) {
  const chosen = Form.useWatch<string | undefined>('liId')
  const liId = fixed ?? chosen
  const qType = Form.useWatch<string | undefined>('qType')
  const { data: awards = [] } = useCall(
    registrationApi.loadAward,
    { liId: liId ?? '' },
    { enabled: Boolean(liId) && isOwn },
  )
  if (isOwn)
    return (
      awards.length > 0 && (
        <SelectField
          name="qAward"
          label="申请奖项"
          span={6}
          placeholder="可不选"
          options={awards.map(({ adName }) => ({ value: adName, label: adName }))}
        />
      )
    )
  return (
    liId && (
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
    )
  )
}
