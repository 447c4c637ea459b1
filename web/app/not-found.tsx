import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { notify } from '../core/service/notice.tsx'

/** An address without a screen: back to the screen that was open before, or to the login page if there was none. */
export function NotFound({ previous }: { previous: string | undefined }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    notify('warning', previous ? '页面不存在，已回到上一个页面' : '页面不存在，已回到登录页')
    void navigate(previous ?? '/', { replace: true, state: { stay: true } })
  }, [pathname])
  return null
}
