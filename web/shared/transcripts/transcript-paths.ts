/** The address of a student's transcript. */
export const detailPath = (suId: string): string => `/transcript/transcriptDetail?suId=${suId}`
/** The public page on which anybody checks an issued transcript. */
export const verifyPath = (serial: string): string => `/verify/${encodeURIComponent(serial)}`
