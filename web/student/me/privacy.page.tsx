import { useState } from 'react'
import { useNavigate } from 'react-router'
import { noticeApi } from '../../../contract/school/session/notice.calls.ts'
import { reopenSession, useSession } from '../../app/session.ts'
import { send } from '../../core/service/api.ts'
import { useCall } from '../../core/service/use-call.ts'
import { NoticeText } from '../../shared/accounts/notice-text.tsx'
import { heldPage } from '../held.ts'
import { Answered, Card } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'
import { useLeave } from './use-leave.ts'

/** The school's privacy notice, with the question whether the student agrees where that has to come first. */
export function PrivacyPage() {
  const session = useSession()
  const navigate = useNavigate()
  const leave = useLeave()
  const schoolId = session?.profile.schoolId ?? ''
  const notice = useCall(noticeApi.read, { schoolId }, { enabled: schoolId !== '', staleTime: 0 })
  const [isSending, setSending] = useState(false)
  const isAsked = session?.profile.mustAcceptNotice === true
  async function accept(version: number) {
    setSending(true)
    try {
      await send(noticeApi.accept, { version })
      const { profile } = await reopenSession()
      await navigate(heldPage(profile) ?? '/activities', { replace: true })
    } catch {
      // told already; another version may have come into force meanwhile
      await notice.refetch()
    } finally {
      setSending(false)
    }
  }
  return (
    <Page
      title="隐私告知"
      isRoot={isAsked}
      foot={
        isAsked &&
        notice.data && (
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
        )
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
