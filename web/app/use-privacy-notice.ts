import { useState } from 'react'
import { noticeApi } from '../../contract/school/session/notice.calls.ts'
import type { Profile } from '../../contract/school/session/session.calls.ts'
import { send } from '../core/service/api.ts'
import { useCall } from '../core/service/use-call.ts'
import { reopenSession, useSession } from './session.ts'

/**
 * The school's privacy notice, and agreeing to it where that has to come first.
 * @param leadOn leads on whoever has agreed
 */
export function usePrivacyNotice(leadOn: (profile: Profile) => unknown) {
  const session = useSession()
  const schoolId = session?.profile.schoolId ?? ''
  const notice = useCall(noticeApi.read, { schoolId }, { enabled: schoolId !== '', staleTime: 0 })
  const [isSending, setSending] = useState(false)
  async function accept(version: number) {
    setSending(true)
    try {
      await send(noticeApi.accept, { version })
      await leadOn((await reopenSession()).profile)
    } catch {
      // told already; another version may have come into force meanwhile
      await notice.refetch()
    } finally {
      setSending(false)
    }
  }
  return { notice, accept, isSending, isAsked: session?.profile.mustAcceptNotice === true }
}
