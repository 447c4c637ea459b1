import type { Checked } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import type { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import type { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import type { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inBatches, inPages, mapped } from '../../core/export/exports.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { isNarrowed } from './earned.ts'
import { lessonsDetail } from './lesson-detail.queries.ts'
import { loginsAfter } from './login-detail.queries.ts'
import { studentsAfter } from './student-detail.queries.ts'
import { supplementsAfter } from './supplement-detail.queries.ts'
import { guidedLessons, teachersDetail } from './teacher-statistics.queries.ts'

/**
 * The lists behind the figures as workbooks: what the screen lists, with its filters. Long ones are read by their key,
 * in its order.
 */

const batch = 1000
const text = (key: string, label: string, width = 16): SheetColumn => ({ key, label, width })
const amount = (key: string, label: string): SheetColumn => ({ key, label, kind: 'amount' })
const whole = (key: string, label: string): SheetColumn => ({ key, label, kind: 'integer' })
const moment = (key: string, label: string): SheetColumn => ({ key, label, kind: 'moment' })
/** Figures stand in sheets as hundredths. */
const cell = (value: number | string | null): number | null =>
  value === null ? null : typeof value === 'number' ? Math.round(value * 100) : (toHundredths(value) ?? 0)

const lessonColumns = [
  text('liName', '课程名称', 30),
  text('lsName', '模块', 24),
  text('levelName', '级别', 10),
  text('liSponsorName', '主办', 24),
  text('liPrincipalName', '负责人', 12),
  text('status', '状态', 14),
  whole('applied', '报名'),
  whole('passed', '录取'),
  whole('signed', '签到'),
  whole('qualified', '合格'),
  whole('granted', '成长记录'),
  amount('signRate', '签到率（%）'),
  amount('hours', '学时'),
  amount('rating', '评分'),
  moment('publishTime', '发布时间'),
]

export const exportLessonsDetail = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.exportDetail>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '发布明细',
    columns: lessonColumns,
    filter: input,
    rows: mapped(
      inPages((page) => lessonsDetail(ctx, page), input),
      ({ liId: _, opens: __, liStatus, signRate, hours, rating, ...row }) => ({
        ...row,
        status: labelOf('lesson_status', liStatus),
        signRate: cell(signRate),
        hours: cell(hours),
        rating: cell(rating),
      }),
    ),
  })

const loginColumns = [
  text('suiNumber', '学号或工号', 18),
  text('suiName', '姓名', 12),
  text('kind', '人员', 10),
  text('collegeName', '学院', 24),
  text('grade', '年级', 8),
  whole('times', '登录次数'),
  moment('lastTime', '最近登录'),
  text('terminal', '终端', 12),
  text('ip', 'IP', 16),
]

export const exportLoginDetail = (
  ctx: Context,
  input: Checked<typeof loginStatApi.exportDetail>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '登录明细',
    columns: loginColumns,
    filter: input,
    rows: mapped(
      inBatches((last: { suiNumber: string } | undefined) => loginsAfter(ctx, input, last?.suiNumber, batch)),
      ({ suId: _, opens: __, suiType, ...row }) => ({
        ...row,
        kind: suiType === personType.student ? '学生' : '教职工',
      }),
    ),
  })

const supplementColumns = [
  text('lisName', '名称', 30),
  text('suiNumber', '学号', 18),
  text('suiName', '学生', 12),
  text('collegeName', '学院', 24),
  text('className', '班级', 20),
  text('lsName', '模块', 24),
  text('levelName', '级别', 10),
  text('type', '类型', 14),
  text('lisAward', '奖项', 12),
  text('lisOrg', '主办或发证单位', 24),
  amount('hours', '认定学时'),
  text('status', '状态', 12),
  moment('createTime', '申请时间'),
]

export const exportSupplementsDetail = (
  ctx: Context,
  input: Checked<typeof supplementStatApi.exportDetail>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '补录明细',
    columns: supplementColumns,
    filter: input,
    rows: mapped(
      inBatches((last: { lisId: string } | undefined) => supplementsAfter(ctx, input, last?.lisId, batch)),
      ({ lisId: _, suId: __, opens: ___, opensStudent: ____, lisType, lisStatus, hours, ...row }) => ({
        ...row,
        type: labelOf('sup_type', lisType),
        status: labelOf('sup_status', lisStatus),
        hours: cell(hours),
      }),
    ),
  })

const studentColumns = [
  text('suiNumber', '学号', 18),
  text('suiName', '姓名', 12),
  text('collegeName', '学院', 24),
  text('className', '班级', 20),
  text('grade', '年级', 8),
]
const studentEnd = [
  whole('activities', '活动'),
  amount('gap', '距总学时'),
  text('met', '达标', 8),
  whole('suiCredibility', '诚信分'),
  whole('absences', '缺席'),
  text('warn', '预警等级', 10),
  moment('lastTime', '最近记录'),
]

export async function exportStudentsDetail(
  ctx: Context,
  input: Checked<typeof studentStatApi.exportDetail>,
): Promise<FileAnswer> {
  const modules = await modulesOf(ctx)
  return exportList(ctx, {
    title: '学生统计明细',
    columns: [
      ...studentColumns,
      amount('hours', isNarrowed(input) ? '所选学时' : '总学时'),
      amount('credit', '学分'),
      ...modules.map(({ lsId, lsName }) => amount(lsId, lsName)),
      ...studentEnd,
    ],
    filter: input,
    rows: mapped(
      inBatches((last: { suiNumber: string } | undefined) => studentsAfter(ctx, input, last?.suiNumber, batch)),
      ({ suId: _, opens: __, modules: own, hours, credit, gap, met, warnLevel, ...row }) => ({
        ...row,
        warn: labelOf('warn_level', warnLevel),
        hours: cell(hours),
        credit: cell(credit),
        gap: cell(gap),
        met: met ? '是' : '否',
        ...Object.fromEntries(own.map((module) => [module.lsId, cell(module.hours)])),
      }),
    ),
  })
}

const teacherColumns = [
  text('suiNumber', '工号', 18),
  text('suiName', '教师', 12),
  text('collegeName', '学院', 24),
  text('title', '职称', 12),
  whole('lessons', '指导课程'),
  whole('circles', '指导圈子'),
  whole('times', '学生人次'),
  amount('hours', '指导学时'),
  amount('rating', '评分'),
  whole('handled', '审批件数'),
  amount('handleHours', '平均处理（小时）'),
]

export const exportTeachersDetail = (
  ctx: Context,
  input: Checked<typeof teacherStatApi.exportDetail>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '教师统计明细',
    columns: teacherColumns,
    filter: input,
    rows: mapped(
      inPages((page) => teachersDetail(ctx, page), input),
      ({ suId: _, opens: __, hours, rating, handleHours, ...row }) => ({
        ...row,
        hours: cell(hours),
        rating: cell(rating),
        handleHours: cell(handleHours),
      }),
    ),
  })

const guidedColumns = [
  text('liName', '课程名称', 30),
  text('suiName', '教师', 12),
  text('suiNumber', '工号', 18),
  text('collegeName', '学院', 24),
  text('levelName', '级别', 10),
  text('status', '状态', 14),
  moment('startTime', '开始时间'),
  whole('signed', '签到人次'),
  amount('hours', '学时'),
  amount('rating', '评分'),
]

export const exportGuidedLessons = (
  ctx: Context,
  input: Checked<typeof teacherStatApi.exportLessons>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '教师指导课程明细',
    columns: guidedColumns,
    filter: input,
    rows: mapped(
      inPages((page) => guidedLessons(ctx, page), input),
      ({ id: _, liId: __, suId: ___, opens: ____, liStatus, hours, rating, ...row }) => ({
        ...row,
        status: labelOf('lesson_status', liStatus),
        hours: cell(hours),
        rating: cell(rating),
      }),
    ),
  })
