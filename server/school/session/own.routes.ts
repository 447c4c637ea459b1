import { noticeApi } from '../../../contract/school/session/notice.calls.ts'
import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { preferenceApi } from '../../../contract/school/session/preferences.calls.ts'
import { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { routes } from '../../core/request/routes.ts'
import {
  acceptPrivacyNotice,
  privacyNoticeHistory,
  publishPrivacyNotice,
  readPrivacyNotice,
} from './privacy-notice.service.ts'
import { endOwnSessions, listOwnSessions } from './own-sessions.service.ts'
import {
  beginFactor,
  confirmFactor,
  disableFactor,
  enableFactor,
  ownFactor,
  renewCodes,
} from './second-factor.service.ts'
import { forgetDevices } from './trusted-devices.service.ts'
import { listPreferences, savePreference } from './preferences.service.ts'

/** What a person sets and ends for themselves. */
export const ownRoutes = [
  ...routes(preferenceApi, { list: listPreferences, save: savePreference }),
  ...routes(ownSessionApi, { list: listOwnSessions, end: endOwnSessions }),
  ...routes(noticeApi, {
    read: readPrivacyNotice,
    accept: acceptPrivacyNotice,
    history: privacyNoticeHistory,
    publish: publishPrivacyNotice,
  }),
  ...routes(secondFactorApi, {
    state: ownFactor,
    begin: beginFactor,
    enable: enableFactor,
    renewCodes,
    disable: disableFactor,
    confirm: confirmFactor,
    forget: forgetDevices,
  }),
]
