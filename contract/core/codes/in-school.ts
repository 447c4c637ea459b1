import { isOneOf } from './code-list.ts'
import { studentStatus } from './school.ts'

/** Students who are in school: those who study, and those who stay longer because they lack something. */
export const inSchoolStatuses = [studentStatus.enrolled, studentStatus.delayed] as const

/** Whether a student is in school, by their `suiStatus`: they take part in courses and get records and warnings. */
export const isInSchool = (suiStatus: string): boolean => isOneOf(suiStatus, ...inSchoolStatuses)
