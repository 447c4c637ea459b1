import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { noticeApi } from '../../contract/school/session/notice.calls.ts'
import { LockButton } from '../core/parts/buttons.tsx'
import { PageHead } from '../core/screen/page-head.tsx'
import { send } from '../core/service/api.ts'
import { useCall } from '../core/service/use-call.ts'
import { NoticeText } from '../shared/accounts/notice-text.tsx'
import { heldPath } from './held.ts'
import { reopenSession, useSession } from './session.ts'
import './privacy.css'

/** The school's privacy notice, with the question whether one agrees where that has to come first. */
export function PrivacyNoticePage() {
  const session = useSession()
  const navigate = useNavigate()
  const schoolId = session?.profile.schoolId ?? ''
  const { data, refetch } = useCall(noticeApi.read, { schoolId }, { enabled: schoolId !== '', staleTime: 0 })
  const [isSending, setSending] = useState(false)
  const isAsked = session?.profile.mustAcceptNotice === true

  async function accept(version: number) {
    setSending(true)
    try {
      await send(noticeApi.accept, { version })
      const { profile } = await reopenSession()
      await navigate(heldPath(profile) ?? '/home')
    } catch {
      // told already; another version may have come into force meanwhile
      await refetch()
    } finally {
      setSending(false)
    }
  }

  return (
    <div className="page form-page">
      <PageHead
        title="隐私告知"
        facts={
          data &&
          [data.schName, `第 ${data.version} 版`, data.publishTime && `${data.publishTime.slice(0, 10)} 发布`]
            .filter(Boolean)
            .join(' · ')
        }
      />
      <div className="card notice-card">
        {isAsked && (
          <Alert
            className="draft-offer"
            type="warning"
            showIcon
            title="请阅读学校的隐私告知，同意后即可使用全部功能。"
          />
        )}
        {data ? <NoticeText content={data.content} /> : <Skeleton active paragraph={{ rows: 12 }} />}
        {isAsked && data && (
          <div className="form-foot">
            <Button onClick={() => void navigate('/', { state: { signOut: true } })}>不同意，退出登录</Button>
            <LockButton type="primary" loading={isSending} onClick={() => accept(data.version)}>
              我已阅读并同意
            </LockButton>
          </div>
        )}
      </div>
    </div>
  )
}
