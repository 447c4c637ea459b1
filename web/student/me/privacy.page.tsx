import { useNavigate } from 'react-router'
import { usePrivacyNotice } from '../../app/use-privacy-notice.ts'
import { NoticeText } from '../../shared/accounts/notice-text.tsx'
import { homeOf } from '../held.ts'
import { Answered, Card } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'
import { useLeave } from './use-leave.ts'

/** The school's privacy notice, with the question whether the student agrees where that has to come first. */
export function PrivacyPage() {
  const navigate = useNavigate()
  const { leave, question } = useLeave()
  const { notice, accept, isSending, isAsked } = usePrivacyNotice((profile) =>
    navigate(homeOf(profile), { replace: true }),
  )
  return (
    <Page
      title="隐私告知"
      isRoot={isAsked}
      foot={
        question ??
        (isAsked && notice.data && (
          <>
            <button type="button" className="s-button" onClick={leave}>
              不同意，退出
            </button>
            <button
              type="button"
              className="s-button s-primary"
              disabled={isSending}
              onClick={() => void accept(notice.data.version)}
            >
              {isSending ? '正在提交…' : '已阅读并同意'}
            </button>
          </>
        ))
      }
    >
      {isAsked && <p className="s-banner">请阅读学校的隐私告知，同意后即可使用全部功能。</p>}
      <Answered of={notice}>
        {({ schName, version, content, publishTime }) => (
          <Card title={schName} note={`第 ${version} 版${publishTime ? `，${publishTime.slice(0, 10)} 发布` : ''}`}>
            <NoticeText content={content} />
          </Card>
        )}
      </Answered>
    </Page>
  )
}
