import { ownProfileApi } from '../../contract/student/profile.calls.ts'
import { routes } from '../core/request/routes.ts'
import { ownProfile } from './profile.service.ts'

/** What the school keeps about the student who asks. */
export const ownProfileRoutes = routes(ownProfileApi, { read: ownProfile })
