import { activeApi } from '../../contract/outcomes/statistics/login-statistics.calls.ts'
import { ActivePeople } from '../shared/dashboard/active-people.tsx'
import { useSession } from './session.ts'

/** How lively the console is, for those who may see it. */
export function HomeActive() {
  const session = useSession()
  return session?.profile.permissions.includes(activeApi.info.permit) ? <ActivePeople /> : null
}
