import type { Checked } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import type { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { amount, code, count, figure, moment, text, yesNo } from '../../core/export/columns.ts'
import { exportList, inBatches, pagedExport } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { isNarrowed } from './earned.ts'
import { lessonsDetail } from './lesson-detail.queries.ts'
import { loginsAfter } from './login-detail.queries.ts'
import { studentsAfter } from './student-detail.queries.ts'
import { supplementsAfter } from './supplement-detail.queries.ts'
import { guidedLessons, teachersDetail } from './teacher-detail.queries.ts'

/**
 * The lists behind the figures as workbooks: what the screen lists, with its filters. Long ones are read by their key,
 * in its order.
 */

const batch = 1000

export const exportLessonsDetail = pagedExport(
  '发布明细',
  [
    text('课程名称', 'liName', 30),
    text('模块', 'lsName', 24),
    text('级别', 'levelName', 10),
    text('主办', 'liSponsorName', 24),
    text('负责人', 'liPrincipalName', 12),
    code('状态', 'lesson_status', 'liStatus', 14),
    count('报名', 'applied'),
    count('录取', 'passed'),
    count('签到', 'signed'),
    count('合格', 'qualified'),
    count('成长记录', 'granted'),
    figure('签到率（%）', 'signRate'),
    amount('学时', 'hours'),
    figure('评分', 'rating'),
    moment('发布时间', 'publishTime'),
  ],
  lessonsDetail,
)

const loginColumns = [
  text('学工号', 'suiNumber', 18),
  text('姓名', 'suiName', 12),
  text('人员', ({ suiType }: { suiType: string }) => (suiType === personType.student ? '学生' : '教职工'), 10),
  text('学院', 'collegeName', 24),
  text('年级', 'grade', 8),
  count('登录次数', 'times'),
  moment('最近登录', 'lastTime'),
  text('终端', 'terminal', 12),
  text('IP', 'ip', 16),
]

export const exportLoginDetail = (
  ctx: Context,
  input: Checked<typeof loginStatApi.exportDetail>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '登录明细',
    columns: loginColumns,
    filter: input,
    rows: inBatches((last: { suiNumber: string } | undefined) => loginsAfter(ctx, input, last?.suiNumber, batch)),
  })

const supplementColumns = [
  text('名称', 'lisName', 30),
  text('学号', 'suiNumber', 18),
  text('学生', 'suiName', 12),
  text('学院', 'collegeName', 24),
  text('班级', 'className', 20),
  text('模块', 'lsName', 24),
  text('级别', 'levelName', 10),
  code('类型', 'sup_type', 'lisType', 14),
  text('奖项', 'lisAward', 12),
  text('主办或发证单位', 'lisOrg', 24),
  amount('认定学时', 'hours'),
  code('状态', 'sup_status', 'lisStatus', 12),
  moment('录入时间', 'createTime'),
]

export const exportSupplementsDetail = (
  ctx: Context,
  input: Checked<typeof supplementStatApi.exportDetail>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '补录明细',
    columns: supplementColumns,
    filter: input,
    rows: inBatches((last: { lisId: string } | undefined) => supplementsAfter(ctx, input, last?.lisId, batch)),
  })

interface ModuleHours {
  modules: readonly { lsId: string; hours: string }[]
}

export async function exportStudentsDetail(
  ctx: Context,
  input: Checked<typeof studentStatApi.exportDetail>,
): Promise<FileAnswer> {
  const modules = await modulesOf(ctx)
  return exportList(ctx, {
    title: '学生统计明细',
    columns: [
      text('学号', 'suiNumber', 18),
      text('姓名', 'suiName', 12),
      text('学院', 'collegeName', 24),
      text('班级', 'className', 20),
      text('年级', 'grade', 8),
      amount(isNarrowed(input) ? '所选学时' : '总学时', 'hours'),
      amount('学分', 'credit'),
      ...modules.map(({ lsId, lsName }) =>
        amount(lsName, (row: ModuleHours) => row.modules.find((module) => module.lsId === lsId)?.hours),
      ),
      count('活动', 'activities'),
      amount('距总学时', 'gap'),
      yesNo('达标', 'met', 8),
      count('诚信分', 'suiCredibility'),
      count('缺席', 'absences'),
      code('预警等级', 'warn_level', 'warnLevel', 10),
      moment('最近记录', 'lastTime'),
    ],
    filter: input,
    rows: inBatches((last: { suiNumber: string } | undefined) => studentsAfter(ctx, input, last?.suiNumber, batch)),
  })
}

export const exportTeachersDetail = pagedExport(
  '教师统计明细',
  [
    text('工号', 'suiNumber', 18),
    text('教师', 'suiName', 12),
    text('学院', 'collegeName', 24),
    text('职称', 'title', 12),
    count('指导课程', 'lessons'),
    count('指导圈子', 'circles'),
    count('学生人次', 'times'),
    amount('指导学时', 'hours'),
    figure('评分', 'rating'),
    count('审批件数', 'handled'),
    figure('平均处理（小时）', 'handleHours'),
  ],
  teachersDetail,
)

export const exportGuidedLessons = pagedExport(
  '教师指导课程明细',
  [
    text('课程名称', 'liName', 30),
    text('教师', 'suiName', 12),
    text('工号', 'suiNumber', 18),
    text('学院', 'collegeName', 24),
    text('级别', 'levelName', 10),
    code('状态', 'lesson_status', 'liStatus', 14),
    moment('开始时间', 'startTime'),
    count('签到人次', 'signed'),
    amount('学时', 'hours'),
    figure('评分', 'rating'),
  ],
  guidedLessons,
)
