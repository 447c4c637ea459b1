import { activeApi } from '../../contract/statistics/login-statistics.calls.ts'
import { ActivePeople } from '../statistics/active-people.part.tsx'
import { useSession } from './session.ts'

/** How lively the console is, for those who may see it. */
export function HomeActive() {
  const session = useSession()
  return session?.profile.permissions.includes(activeApi.info.permit) ? <ActivePeople /> : null
}
