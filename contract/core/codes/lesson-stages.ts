import { lessonStatus } from './programme.ts'

/** The states of courses that have been published and are neither stopped nor over. */
export const underwayLessonStatuses = [
  lessonStatus.published,
  lessonStatus.resultInReview,
  lessonStatus.resultRefused,
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.questioned,
] as const
/** The states of courses that are over and have given what they give. */
export const finishedLessonStatuses = [lessonStatus.completed, lessonStatus.archived] as const
