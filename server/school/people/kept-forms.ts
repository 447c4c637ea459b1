import { keptBy } from '../../core/request/kept-form.ts'
import { studentDetail } from './students.queries.ts'
import { teacherDetail } from './teachers.queries.ts'

/** The name of the account is not among what is kept: left out, it goes with the person's name while both are one. */
const withoutNickname = <P extends { suNickname: string }>({ suNickname: _, ...form }: P) => form

export const keptStudent = keptBy('suId', (ctx, id) => studentDetail(ctx, { id }), { formOf: withoutNickname })

export const keptTeacher = keptBy('suId', (ctx, id) => teacherDetail(ctx, { id }), {
  formOf: withoutNickname,
  // the specification has one list of fields for students and teachers
  facts: ['suiGrade'],
})
