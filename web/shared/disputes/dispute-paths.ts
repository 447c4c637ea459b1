import type { DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'

/** Where disputes are found. */
export const disputePaths = {
  lessons: '/courseManagement/Question',
  /** Those about one course or supplement record. */
  people: ({ liId, lisId }: Pick<DisputeRow, 'liId' | 'lisId'>) =>
    `/courseManagement/Question/QuestionPersonnel?${lisId ? `lisId=${lisId}` : `liId=${liId}`}`,
  detail: (qId: string) => `/courseManagement/Question/QuestionDetail?qId=${qId}`,
}
