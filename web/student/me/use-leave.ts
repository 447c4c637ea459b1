import { useNavigate } from 'react-router'
import { signOut } from '../../app/session.ts'
import { queryClient } from '../../core/service/use-call.ts'

/** Signs the student out, of the provider too where they came by one that is to be left, and forgets what they read. */
export function useLeave(): () => void {
  const navigate = useNavigate()
  return () =>
    void signOut('student').then((leaving) => {
      queryClient.clear()
      return leaving ? window.location.replace(leaving) : navigate('/login', { replace: true })
    })
}
