import { Alert, Button } from 'antd'
import { useNavigate } from 'react-router'
import { LockButton } from '../core/parts/buttons.tsx'
import { PageHead } from '../core/screen/page-head.tsx'
import { ReadSkeleton } from '../core/screen/read-skeleton.tsx'
import { NoticeText } from '../shared/accounts/notice-text.tsx'
import { heldPath } from './held.ts'
import { usePrivacyNotice } from './use-privacy-notice.ts'
import './privacy.css'

/** The school's privacy notice, with the question whether one agrees where that has to come first. */
export function PrivacyNoticePage() {
  const navigate = useNavigate()
  const { notice, accept, isSending, isAsked } = usePrivacyNotice((profile) => navigate(heldPath(profile) ?? '/home'))
  const { data } = notice

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
        {data ? <NoticeText content={data.content} /> : <ReadSkeleton paragraph={{ rows: 12 }} />}
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
