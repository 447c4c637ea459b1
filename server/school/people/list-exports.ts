import type { Checked } from '../../../contract/core/call.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { studentApi } from '../../../contract/school/people/students.calls.ts'
import type { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { code, count, text, texts } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { studentsAfter } from './students.queries.ts'
import { teachersAfter } from './teachers.queries.ts'

const account = (row: { suStatus: string; activated: boolean }) =>
  row.suStatus === accountStatus.active && !row.activated ? '未激活' : labelOf('account_status', row.suStatus)

const studentColumns = [
  text('学号', 'suiNumber', 16),
  text('姓名', 'suiName', 12),
  code('性别', 'sex', 'suiSex', 8),
  text('学院', 'suiCollegeName', 26),
  text('专业', 'majorName', 24),
  text('班级', 'scClassName', 20),
  text('年级', 'suiGrade', 8),
  code('学籍状态', 'student_status', 'suiStatus', 10),
  count('诚信分', 'suiCredibility', 8),
  code('预警等级', 'warn_level', 'warnLevel', 10),
  text('账号', account, 10),
]

/** The students of the list as a workbook; what the list does not show is not in it either. */
export const exportStudents = (ctx: Context, input: Checked<typeof studentApi.exportList>): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '学生',
    columns: studentColumns,
    rows: inBatches((last: { suiNumber: string } | undefined) => studentsAfter(ctx, input, last?.suiNumber)),
    filter: input,
  })

const teacherColumns = [
  text('工号', 'suiNumber', 16),
  text('姓名', 'suiName', 12),
  code('性别', 'sex', 'suiSex', 8),
  text('学院', 'suiCollegeName', 26),
  texts('部门', 'departments', 26),
  code('职称', 'teacher_title', 'title', 12),
  code('类型', 'teacher_type', 'teacherType', 12),
  text('职务', 'post', 14),
  texts('角色', 'roles', 26),
  code('在职状态', 'teacher_status', 'suiStatus', 10),
  text('账号', account, 10),
]

/** The teachers of the list as a workbook. */
export const exportTeachers = (ctx: Context, input: Checked<typeof teacherApi.exportList>): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '教师',
    columns: teacherColumns,
    rows: inBatches((last: { suiNumber: string } | undefined) => teachersAfter(ctx, input, last?.suiNumber)),
    filter: input,
  })
