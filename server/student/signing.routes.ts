import { managedSigningApi } from '../../contract/programme/lessons/managed-signing.calls.ts'
import { ownSigningApi } from '../../contract/student/signing.calls.ts'
import { routes } from '../core/request/routes.ts'
import {
  managedActivities,
  managedBoard,
  managedPeople,
  managedScan,
  managedSign,
  ownSignCode,
} from './signing.service.ts'

/** The student's own sign-in code. */
export const ownSigningRoutes = routes(ownSigningApi, { code: ownSignCode })

/** The sign-ins that a student or somebody of the staff looks after on their phone. */
export const managedSigningRoutes = routes(managedSigningApi, {
  managed: managedActivities,
  board: managedBoard,
  people: managedPeople,
  scan: managedScan,
  correct: managedSign,
})
