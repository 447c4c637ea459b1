import type { Checked } from '../../../contract/core/call.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { studentApi } from '../../../contract/school/people/students.calls.ts'
import type { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inBatches, mapped } from '../../core/export/exports.ts'
import { studentsAfter } from './students.queries.ts'
import { teachersAfter } from './teachers.queries.ts'

const account = (row: { suStatus: string; activated: boolean }) =>
  row.suStatus === accountStatus.active && !row.activated ? '未启用' : labelOf('account_status', row.suStatus)

const studentColumns: SheetColumn[] = [
  { key: 'suiNumber', label: '学号', width: 16 },
  { key: 'suiName', label: '姓名', width: 12 },
  { key: 'suiSex', label: '性别', width: 8 },
  { key: 'suiCollegeName', label: '学院', width: 26 },
  { key: 'majorName', label: '专业', width: 24 },
  { key: 'scClassName', label: '班级', width: 20 },
  { key: 'suiGrade', label: '年级', width: 8 },
  { key: 'suiStatus', label: '学籍状态', width: 10 },
  { key: 'suiCredibility', label: '诚信分', kind: 'integer', width: 8 },
  { key: 'warnLevel', label: '预警等级', width: 10 },
  { key: 'account', label: '账号', width: 10 },
]

/** The students of the list as a workbook; what the list does not show is not in it either. */
export function exportStudents(ctx: Context, input: Checked<typeof studentApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inBatches<Awaited<ReturnType<typeof studentsAfter>>[number]>((last) => studentsAfter(ctx, input, last?.suiNumber)),
    (row) => ({
      suiNumber: row.suiNumber,
      suiName: row.suiName,
      suiSex: labelOf('sex', row.suiSex),
      suiCollegeName: row.suiCollegeName,
      majorName: row.majorName,
      scClassName: row.scClassName,
      suiGrade: row.suiGrade,
      suiStatus: labelOf('student_status', row.suiStatus),
      suiCredibility: row.suiCredibility,
      warnLevel: labelOf('warn_level', row.warnLevel),
      account: account(row),
    }),
  )
  return exportList(ctx, { title: '学生', columns: studentColumns, rows, filter: input })
}

const teacherColumns: SheetColumn[] = [
  { key: 'suiNumber', label: '工号', width: 16 },
  { key: 'suiName', label: '姓名', width: 12 },
  { key: 'suiSex', label: '性别', width: 8 },
  { key: 'suiCollegeName', label: '学院', width: 26 },
  { key: 'departments', label: '部门', width: 26 },
  { key: 'title', label: '职称', width: 12 },
  { key: 'teacherType', label: '类型', width: 12 },
  { key: 'post', label: '职务', width: 14 },
  { key: 'roles', label: '角色', width: 26 },
  { key: 'suiStatus', label: '在职状态', width: 10 },
  { key: 'account', label: '账号', width: 10 },
]

/** The teachers of the list as a workbook. */
export function exportTeachers(ctx: Context, input: Checked<typeof teacherApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inBatches<Awaited<ReturnType<typeof teachersAfter>>[number]>((last) => teachersAfter(ctx, input, last?.suiNumber)),
    (row) => ({
      suiNumber: row.suiNumber,
      suiName: row.suiName,
      suiSex: labelOf('sex', row.suiSex),
      suiCollegeName: row.suiCollegeName,
      departments: row.departments.join('、'),
      title: row.title ? labelOf('teacher_title', row.title) : '',
      teacherType: row.teacherType ? labelOf('teacher_type', row.teacherType) : '',
      post: row.post,
      roles: row.roles.join('、'),
      suiStatus: labelOf('teacher_status', row.suiStatus),
      account: account(row),
    }),
  )
  return exportList(ctx, { title: '教师', columns: teacherColumns, rows, filter: input })
}
