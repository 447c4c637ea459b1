import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { signOut, useSession } from '../../app/session.ts'
import { onExpired } from '../../core/service/api.ts'
import { queryClient } from '../../core/service/use-call.ts'
import { useConfirm } from '../parts/confirm.tsx'
import { waitingOf } from '../signing/kept-scans.ts'

/**
 * Signs the student out, of the provider too where they came by one that is to be left, and forgets what they read.
 * Where a sign-in has not been handed in yet they are asked first: `question` stands in place of the button then.
 */
export function useLeave(): { leave: () => void; question: ReactNode } {
  const navigate = useNavigate()
  const suId = useSession()?.profile.id ?? ''
  const { ask, question } = useConfirm()
  const go = async () => {
    // whoever goes is not asked for their password
    onExpired({ renew: undefined })
    const leaving = await signOut('student')
    queryClient.clear()
    if (leaving) window.location.replace(leaving)
    else await navigate('/login', { replace: true })
  }
  const leave = () => {
    const waiting = waitingOf(suId)
    if (waiting === 0) return void go()
    ask({
      name: '退出登录',
      text: `有 ${waiting} 次签到尚未提交，退出后可能失效。请连上网络等待提交，或仍要退出？`,
      run: go,
    })
  }
  return { leave, question }
}
