import { supplementPaths } from '../supplements/supplement-status.tsx'

/** The address of a student's transcript. */
export const detailPath = (suId: string): string => `/transcript/transcriptDetail?suId=${suId}`
/** The public page on which anybody checks an issued transcript. */
export const verifyPath = (serial: string): string => `/verify/${encodeURIComponent(serial)}`

/** The course or supplement record that an entry is for, where the person may open it. */
export const recordPath = ({
  opens,
  liId,
  lisId,
}: {
  opens: boolean
  liId: string | null
  lisId: string | null
}): string | undefined => {
  if (!opens) return undefined
  return liId
    ? `/courseManagement/detailCurriculumList?liId=${liId}`
    : lisId
      ? supplementPaths.detail(lisId)
      : undefined
}
