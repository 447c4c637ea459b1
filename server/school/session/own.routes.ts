import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { preferenceApi } from '../../../contract/school/session/preferences.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { endOwnSessions, listOwnSessions } from './own-sessions.service.ts'
import { listPreferences, savePreference } from './preferences.service.ts'

/** What a person sets and ends for themselves. */
export const ownRoutes = [
  ...routes(preferenceApi, { list: listPreferences, save: savePreference }),
  ...routes(ownSessionApi, { list: listOwnSessions, end: endOwnSessions }),
]
