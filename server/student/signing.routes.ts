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

/** The student's own sign-in code, and the sign-ins that they look after. */
export const ownSigningRoutes = routes(ownSigningApi, {
  code: ownSignCode,
  managed: managedActivities,
  board: managedBoard,
  people: managedPeople,
  scan: managedScan,
  correct: managedSign,
})
