/**
 * What graduates may do beside reading (decision 128): get in and keep their account safe, agree to the privacy notice,
 * set up their own view, and have the papers and credentials of what they did.
 */
export const openToGraduates: ReadonlySet<string> = new Set(
  [
    'sysUser/editPassword',
    'sysUser/acceptNotice',
    'sysUser/endMySessions',
    'sysUser/beginSecondFactor',
    'sysUser/enableSecondFactor',
    'sysUser/renewRecoveryCodes',
    'sysUser/disableSecondFactor',
    'sysUser/confirmSecondFactor',
    'sysUser/forgetDevices',
    'identity/bind',
    'identity/bindDirectory',
    'identity/unbind',
    'preference/save',
    'preference/saveMessages',
    'informationInfo/isRead',
    'informationInfo/delete',
    'newsInfo/readNews',
    'student/makeCalendarFeed',
    'student/revokeCalendarFeed',
    'student/credential',
    'student/learnerRecord',
    'student/badge',
    'student/applyTranscript',
    'student/withdrawTranscriptApplication',
    'student/issuedTranscript',
    'student/printTranscript',
  ].map((path) => `/api/schoolbase/${path}`),
)
