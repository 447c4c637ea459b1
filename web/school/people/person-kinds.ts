import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { studentPaths, teacherPaths } from './people-paths.ts'
import { studentTones, teacherTones } from './person-parts.tsx'

/** Students and staff: what differs on the screens that are otherwise the same for both. */
export const personKinds = {
  student: {
    noun: '学生',
    /** What their number is called, and how wide its column is, in pixels. */
    number: { title: '学号', width: 120 },
    status: { title: '学籍状态', type: 'student_status', tones: studentTones },
    api: studentApi,
    paths: studentPaths,
  },
  teacher: {
    noun: '教师',
    number: { title: '工号', width: 100 },
    status: { title: '在职状态', type: 'teacher_status', tones: teacherTones },
    api: teacherApi,
    paths: teacherPaths,
  },
} as const
export type PersonKind = keyof typeof personKinds
