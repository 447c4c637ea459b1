/** The address of a student’s transcript. */
export const detailPath = (suId: string): string => `/transcript/transcriptDetail?suId=${suId}`
