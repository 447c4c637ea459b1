import { useEffect, useMemo } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { send } from '../../core/service/api.ts'
import { setBrand } from '../../core/service/brand.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { SwitchField, TextField } from '../../core/form/fields.tsx'
import { FormScope } from '../../core/form/form-field.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { useRecordForm, type Values } from '../../core/form/use-record-form.ts'

export type Profile = Output<typeof schoolInfoApi.profile>

/** The seal is given out by a call of its own, for those who may see it. */
const sealFiles = { upload: fileApi.upload, view: schoolInfoApi.seal }

/** The form of what the school says of itself; to be read only by those who may not change it. */
export function ProfileTab({
  profile,
  onDirty,
}: {
  profile: Profile
  onDirty: (part: 'profile', isDirty: boolean) => void
}) {
  const initial = useMemo(() => ({ ...profile }) as Values, [profile])
  const { schoolId } = profile
  const { form, isDirty, isSending, submit, onValuesChange, reset } = useRecordForm({
    call: schoolInfoApi.saveProfile,
    initial,
    onDone: () => {
      notify('success', '学校资料已保存')
      void send(schoolApi.bySchoolId, { schoolId }, { quiet: true }).then(
        ({ logo }) => setBrand(logo),
        () => undefined,
      )
    },
  })
  useEffect(() => onDirty('profile', isDirty), [isDirty, onDirty])
  const isFixed = !profile.can.includes('edit')
  const maySeal = profile.can.includes('seal')
  const field = { disabled: isFixed }
  return (
    <ScopedForm
      form={form}
      layout="vertical"
      initialValues={initial}
      onValuesChange={onValuesChange}
      validateTrigger="onBlur"
      scrollToFirstError={false}
      className="school-form"
    >
      <FormScope schema={schoolInfoApi.saveProfile.input}>
        <FormSection title="基本信息">
          <TextField name="schName" span={8} {...field} />
          <TextField name="schCode" span={4} placeholder="教育部 5 位代码" help="印在成绩单编号中" {...field} />
          <TextField name="schMotto" span={6} {...field} />
          <TextField name="phone" span={6} {...field} />
          <TextField name="address" {...field} />
        </FormSection>
        <FormSection title="图片" hint="校标用于登录页与控制台左上角，校徽和公章印在成绩单上。">
          <ImageField name="logoFileId" span={3} files={fileApi} aspect={1} help="方形，建议透明背景" {...field} />
          <ImageField
            name="badgeFileId"
            span={3}
            files={fileApi}
            aspect={1}
            help="印在成绩单左上角；不设则用校标"
            {...field}
          />
          {maySeal ? (
            <ImageField
              name="sealFileId"
              span={3}
              files={sealFiles}
              aspect={1}
              help="透明背景的 PNG；仅有公章权限的人可查看和加盖"
              {...field}
            />
          ) : (
            <div className="school-seal span-3">
              <b>公章</b>
              <p>{profile.hasSeal ? '已设置，仅有公章权限的人可查看' : '未设置'}</p>
            </div>
          )}
          <ImageField
            name="loginBgFileId"
            span={3}
            files={fileApi}
            aspect={4 / 3}
            help="铺满登录页左侧，宜用深色照片"
            {...field}
          />
        </FormSection>
        <FormSection title="表单" hint="启用后，新增课程时可以选择相应的表单。">
          <SwitchField
            name="isGydx"
            span={6}
            onText="启用"
            offText="停用"
            help="增加合作企业、实践基地、安全责任书等内容"
            {...field}
          />
          <SwitchField
            name="isYkdx"
            span={6}
            onText="启用"
            offText="停用"
            help="增加医学实践类别、实践医院、带教老师与防护要求"
            {...field}
          />
        </FormSection>
      </FormScope>
      {!isFixed && (
        <div className="form-foot">
          {isDirty && <LockButton onClick={reset}>放弃修改</LockButton>}
          <LockButton
            type="primary"
            loading={isSending}
            disabled={!isDirty}
            authority-type={schoolInfoApi.saveProfile.permit}
            onClick={() => submit()}
          >
            保存
          </LockButton>
        </div>
      )}
    </ScopedForm>
  )
}
