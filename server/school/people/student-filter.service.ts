import type { Context } from '../../core/request/context.ts'
import { matchingStudents, type StudentFilters } from './students.queries.ts'

/** The filters of the student list without page and order. */
type StudentFilter = Omit<StudentFilters, 'current' | 'pageSize' | 'sort' | 'order'>

/**
 * The visible students that the student list would show for these filters; for lists and exports of the floors above.
 */
export const filteredStudents = (ctx: Context, filter: StudentFilter) => matchingStudents(ctx, filter)
