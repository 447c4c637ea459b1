import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Output } from '../../contract/core/call.ts'
import { noticeApi } from '../../contract/school/session/notice.calls.ts'
import { send } from '../core/service/api.ts'
import { ApiError } from '../core/service/wire.ts'
import { NoticeText } from '../shared/accounts/notice-text.tsx'
import './privacy.css'

/** A school's privacy notice, for anybody. */
export function PrivacyPage() {
  const { schoolId = '' } = useParams()
  const [notice, setNotice] = useState<Output<typeof noticeApi.read>>()
  const [fault, setFault] = useState('')
  useEffect(() => {
    document.title = '隐私告知 · 第二课堂管理平台'
    const stop = new AbortController()
    send(noticeApi.read, { schoolId }, { quiet: true, signal: stop.signal })
      .then(setNotice)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setFault(error instanceof ApiError ? error.message : '未能打开，请稍后重试')
      })
    return () => stop.abort()
  }, [schoolId])
  return (
    <main className="privacy">
      <h1>{notice ? `${notice.schName}隐私告知` : '隐私告知'}</h1>
      {fault && <p role="alert">{fault}</p>}
      {notice && (
        <>
          <p className="privacy-facts">
            第 {notice.version} 版{notice.publishTime && ` · ${notice.publishTime.slice(0, 10)} 发布`}
          </p>
          <NoticeText content={notice.content} />
        </>
      )}
      <p>
        <Link to="/">返回登录</Link>
      </p>
    </main>
  )
}
