/** Where disputes are found. */
export const disputePaths = {
  lessons: '/courseManagement/Question',
  people: (liId: string) => `/courseManagement/Question/QuestionPersonnel?liId=${liId}`,
  detail: (qId: string) => `/courseManagement/Question/QuestionDetail?qId=${qId}`,
}
