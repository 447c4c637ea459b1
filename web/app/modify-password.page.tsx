import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { defaultPasswordProfile, passwordRule } from '../../contract/core/password-rule.ts'
import { sessionApi } from '../../contract/school/session/session.calls.ts'
import { send } from '../core/service/api.ts'
import { LockButton } from '../core/parts/buttons.tsx'
import { showFaults, rejectWith } from '../core/form/form-field.tsx'
import { notify } from '../core/service/notice.tsx'
import { PageHead } from '../core/screen/page-head.tsx'
import { ScopedForm } from '../core/form/scoped-form.tsx'
import { passwordDigest } from '../core/service/sha256.ts'
import { useTab } from '../core/service/tab.ts'
import { ApiError } from '../core/service/wire.ts'
import { newPasswordFault } from './password-rule.ts'
import { isCodeAsked, reopenSession, signIn, useSession } from './session.ts'

interface Values {
  oldPassword: string
  newPassword: string
  again: string
}

/** Changing one's own password; forced before anything else when somebody else has set it. */
export function ModifyPasswordPage() {
  const session = useSession()
  const navigate = useNavigate()
  const tab = useTab()
  const [form] = Form.useForm<Values>()
  const [isSending, setSending] = useState(false)
  const isForced = session?.profile.mustChangePwd === true
  const passwordProfile = session?.profile.passwordProfile ?? defaultPasswordProfile

  async function submit({ oldPassword, newPassword }: Values) {
    if (!session) return
    setSending(true)
    try {
      await send(sessionApi.editPassword, { oldPassword: passwordDigest(oldPassword), newPassword })
      // whoever has a second factor goes on with the session they are in
      await signIn(session.profile.schoolId, session.profile.username, newPassword).catch((error: unknown) => {
        if (!isCodeAsked(error)) throw error
      })
      form.resetFields()
      notify('success', '密码已修改，其他设备上的登录已退出')
      if (!isForced) return tab.close()
      await reopenSession()
      await navigate('/home')
    } catch (error) {
      if (error instanceof ApiError) showFaults(form, error.faults)
    } finally {
      setSending(false)
    }
  }

  return (
    <div className="page form-page">
      <PageHead title="修改密码" facts="修改后，其他设备上的登录会退出" />
      <div className="card form-card narrow">
        {isForced && (
          <Alert
            className="draft-offer"
            type="warning"
            showIcon
            title="首次登录请先修改密码，修改后即可使用全部功能。"
          />
        )}
        <ScopedForm
          form={form}
          layout="vertical"
          className="form-body"
          validateTrigger="onBlur"
          onFinish={(values) => void submit(values)}
          scrollToFirstError={{ focus: true }}
        >
          <input type="text" autoComplete="username" value={session?.profile.username ?? ''} readOnly hidden />
          <Form.Item
            name="oldPassword"
            label={isForced ? '当前密码（初始密码）' : '原密码'}
            required
            rules={[{ required: true, message: '请输入原密码' }]}
          >
            <Input.Password autoComplete="current-password" />
          </Form.Item>
          <Form.Item
            name="newPassword"
            label="新密码"
            required
            extra={passwordRule(passwordProfile)}
            rules={[{ validator: (_, value: string) => rejectWith(newPasswordFault(value ?? '', passwordProfile)) }]}
          >
            <Input.Password autoComplete="new-password" />
          </Form.Item>
          <Form.Item
            name="again"
            label="再次输入新密码"
            required
            dependencies={['newPassword']}
            rules={[
              ({ getFieldValue }) => ({
                validator: (_, value) =>
                  rejectWith(
                    !value
                      ? '请再次输入新密码'
                      : value === getFieldValue('newPassword')
                        ? undefined
                        : '两次输入的密码不一致',
                  ),
              }),
            ]}
          >
            <Input.Password autoComplete="new-password" />
          </Form.Item>
        </ScopedForm>
        <div className="form-foot">
          <LockButton
            type="primary"
            loading={isSending}
            authority-type={sessionApi.editPassword.permit}
            onClick={() => form.submit()}
          >
            修改密码
          </LockButton>
        </div>
      </div>
    </div>
  )
}
