import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import type { Checked } from '../../../contract/core/call.ts'
import type { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import type { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import type { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import { listClasses } from './classes.queries.ts'
import { listColleges } from './colleges.queries.ts'
import { listMajors } from './majors.queries.ts'

const count = (key: string, label: string) =>
  ({ key, label, kind: 'integer', width: 10 }) as const satisfies SheetColumn

export function exportColleges(ctx: Context, input: Checked<typeof collegeApi.exportList>): Promise<FileAnswer> {
  const columns: SheetColumn[] = [
    { key: 'scCode', label: '学院编码', width: 14 },
    { key: 'scName', label: '学院名称', width: 26 },
    { key: 'scShort', label: '简称', width: 14 },
    { key: 'scType', label: '类型', width: 10 },
    { key: 'scLeader', label: '负责人', width: 14 },
    { key: 'scPhone', label: '联系电话', width: 18 },
    count('majorCount', '专业数'),
    count('classCount', '班级数'),
    count('studentCount', '学生数'),
    count('scSort', '排序'),
    { key: 'enable', label: '状态', width: 10 },
  ]
  const rows = mapped(
    inPages((page) => listColleges(ctx, page), input),
    (row) => ({ ...row, can: null, enable: labelOf('enable_status', row.enable) }),
  )
  return exportList(ctx, { title: '学院', columns, rows, filter: input })
}

export function exportMajors(ctx: Context, input: Checked<typeof majorApi.exportList>): Promise<FileAnswer> {
  const columns: SheetColumn[] = [
    { key: 'smCode', label: '专业代码', width: 14 },
    { key: 'smName', label: '专业名称', width: 26 },
    { key: 'scName', label: '所属学院', width: 26 },
    { key: 'eduLevel', label: '层次', width: 10 },
    count('years', '学制'),
    count('classCount', '班级数'),
    count('studentCount', '学生数'),
  ]
  const rows = mapped(
    inPages((page) => listMajors(ctx, page), input),
    (row) => ({ ...row, can: null, eduLevel: labelOf('edu_level', row.eduLevel) }),
  )
  return exportList(ctx, { title: '专业', columns, rows, filter: input })
}

export function exportClasses(ctx: Context, input: Checked<typeof classApi.exportList>): Promise<FileAnswer> {
  const columns: SheetColumn[] = [
    { key: 'scClassCode', label: '班级编码', width: 14 },
    { key: 'scClassName', label: '班级名称', width: 22 },
    { key: 'scName', label: '所属学院', width: 26 },
    { key: 'smName', label: '所属专业', width: 26 },
    { key: 'scClassGrade', label: '年级', width: 10 },
    { key: 'counselorName', label: '辅导员', width: 14 },
    { key: 'headTeacherName', label: '班主任', width: 14 },
    { key: 'leagueSecretaryName', label: '团支书', width: 14 },
    count('studentCount', '学生数'),
  ]
  const rows = mapped(
    inPages((page) => listClasses(ctx, page), input),
    (row) => ({ ...row, can: null }),
  )
  return exportList(ctx, { title: '班级', columns, rows, filter: input })
}
