import { code, count, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listClasses } from './classes.queries.ts'
import { listColleges } from './colleges.queries.ts'
import { listMajors } from './majors.queries.ts'

/** The colleges of the list as a workbook. */
export const exportColleges = pagedExport(
  '学院',
  [
    text('学院编码', 'scCode', 14),
    text('学院名称', 'scName', 26),
    text('简称', 'scShort', 14),
    text('类型', 'scType', 10),
    text('负责人', 'scLeader', 14),
    text('联系电话', 'scPhone', 18),
    count('专业数', 'majorCount'),
    count('班级数', 'classCount'),
    count('学生数', 'studentCount'),
    count('排序', 'scSort'),
    code('状态', 'enable_status', 'enable', 10),
  ],
  listColleges,
)

/** The majors of the list as a workbook. */
export const exportMajors = pagedExport(
  '专业',
  [
    text('专业代码', 'smCode', 14),
    text('专业名称', 'smName', 26),
    text('所属学院', 'scName', 26),
    code('层次', 'edu_level', 'eduLevel', 10),
    count('学制', 'years'),
    count('班级数', 'classCount'),
    count('学生数', 'studentCount'),
  ],
  listMajors,
)

/** The classes of the list as a workbook. */
export const exportClasses = pagedExport(
  '班级',
  [
    text('班级编码', 'scClassCode', 14),
    text('班级名称', 'scClassName', 22),
    text('所属学院', 'scName', 26),
    text('所属专业', 'smName', 26),
    text('年级', 'scClassGrade', 10),
    text('辅导员', 'counselorName', 14),
    text('班主任', 'headTeacherName', 14),
    text('团支书', 'leagueSecretaryName', 14),
    count('学生数', 'studentCount'),
  ],
  listClasses,
)
