import { ownSessionApi } from '../../contract/session/own-sessions.calls.ts'
import { preferenceApi } from '../../contract/session/preferences.calls.ts'
import { routes } from '../core/routes.ts'
import { endOwnSessions, listOwnSessions } from './own-sessions.service.ts'
import { listPreferences, savePreference } from './preferences.service.ts'

/** What a person sets and ends for themselves. */
export const ownRoutes = [
  ...routes(preferenceApi, { list: listPreferences, save: savePreference }),
  ...routes(ownSessionApi, { list: listOwnSessions, end: endOwnSessions }),
]
