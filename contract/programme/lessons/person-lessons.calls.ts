import { z } from 'zod'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { id, ids, pick, search } from '../../core/fields.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { creditTrace } from './credit-trace.ts'
import { lessonRow } from './lessons.schema.ts'

/** What a person's page tells of a course. `opens`: the asking person may open the course itself. */
export const personCourse = lessonRow
  .pick({
    liId: true,
    liNo: true,
    liName: true,
    lsName: true,
    liLevelName: true,
    liStatus: true,
    liPhase: true,
    liSponsorName: true,
    startTime: true,
    endTime: true,
    passCount: true,
    liHours: true,
  })
  .extend({ opens: z.boolean() })

const filters = {
  suId: id('人员'),
  liName: search('课程名称').optional(),
  ...sortedBy('startTime', 'liName'),
}

/** A course that a student registered for, with their part in it. Amounts are decimal text. */
const studentLesson = personCourse.extend({
  laId: z.string(),
  laStatus: z.string(),
  waitNo: z.number().nullable(),
  applyTime: z.string(),
  refuseReason: z.string(),
  partakeMode: z.string(),
  laSignStatus: z.string(),
  signInTime: z.string().nullable(),
  laResult: z.string(),
  awardName: z.string(),
  laHours: z.string(),
  laCredit: z.string(),
})
export type StudentLesson = z.output<typeof studentLesson>

/** A course that a member of staff leads or guides. */
const teacherLesson = personCourse.extend({ roles: z.array(z.enum(['principal', 'teacher'])) })
export type TeacherLesson = z.output<typeof teacherLesson>

export const personLessonApi = {
  ofStudent: call('GET', '/lessonsInfo/studentLessons', {
    summary: '学生参与的课程',
    permit: 'student:list',
    input: paging.extend({
      ...filters,
      laStatus: pick('报名状态', valuesOf('apply_status')).optional(),
      laResult: pick('结果', valuesOf('result_status')).optional(),
    }),
    output: paged(studentLesson),
  }),
  /** Also for a student who never registered: their way ends at the first gate. */
  path: call('GET', '/lessonsInfo/studentCreditPath', {
    summary: '学生学时去哪了',
    permit: 'student:list',
    input: z.object({ suId: id('学生'), liId: id('课程') }),
    output: creditTrace,
  }),
  /**
   * The courses as a sheet like a transcript: all, or those of `ids`. `people`: participants of all courses together.
   */
  teacherSheet: call('POST', '/transcript/teacherLessonInfo', {
    summary: '教师指导课程成绩单',
    permit: 'teacher:list',
    writes: false,
    input: z.object({ userId: id('教师'), ids: ids.optional() }),
    output: z.object({
      teacher: z.object({ suId: z.string(), suiName: z.string(), suiNumber: z.string() }),
      summary: z.object({ lessons: z.number(), people: z.number(), hours: z.string() }),
      records: z.array(teacherLesson),
    }),
  }),
  ofTeacher: call('GET', '/lessonsInfo/teacherLessons', {
    summary: '教师指导的课程',
    permit: 'teacher:list',
    input: paging.extend(filters),
    output: paged(teacherLesson),
  }),
}
