import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { thresholdSheet } from '../../../contract/outcomes/thresholds/thresholds.sheets.ts'
import { thresholdTargets, type thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { amount, code, columnsOfSheet, count, moment, text, yesNo } from '../../core/export/columns.ts'
import { exportList, inBatches, pagedExport } from '../../core/export/exports.ts'
import { tutorNamesOf } from '../../school/people/tutors.service.ts'
import { baseValues } from './bases.service.ts'
import { listPrompts } from './prompts.service.ts'
import { gapText } from './threshold-rules.ts'
import { warningsAfter } from './warnings.queries.ts'

type Row = Awaited<ReturnType<typeof warningsAfter>>[number]
const reasonText = ({ gaps, zeroTerm }: Row) => gapText(gaps, zeroTerm)

const columns = [
  text('学号', 'suiNumber', 18),
  text('姓名', 'suiName', 12),
  text('学院', 'collegeName', 24),
  text('专业', 'majorName', 22),
  text('班级', 'className', 20),
  text('年级', 'suiGrade', 8),
  code('预警等级', 'warn_level', 'warnLevel', 10),
  amount('应有学时', 'totalNeed'),
  amount('已有学时', 'totalHave'),
  amount('还差学时', 'totalGap'),
  amount('预计毕业时缺口', 'finalGap', 14),
  text('缺口', reasonText, 50),
  moment('最近提醒', 'lastPromptTime'),
  count('提醒次数', 'promptCount', 10),
  text('帮扶人', 'helperName', 12),
  count('帮扶次数', 'helpCount', 10),
  moment('计算时间', 'calcTime'),
]

/** The warning list as a workbook, in the order of student numbers. */
export const exportWarnings = (
  ctx: Context,
  { reason, sort: _, order: __, current: ___, pageSize: ____, ...filter }: Checked<typeof thresholdApi.exportList>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '预警名单',
    columns,
    rows: inBatches((last: { suiNumber: string } | undefined) => warningsAfter(ctx, filter, last?.suiNumber, 1000)),
    filter: { ...filter, ...(reason && { reason }) },
  })

const helpColumns = [
  text('学号', 'suiNumber', 18),
  text('姓名', 'suiName', 12),
  text('学院', 'collegeName', 24),
  text('班级', 'className', 20),
  text('年级', 'suiGrade', 8),
  code('预警等级', 'warn_level', 'warnLevel', 10),
  text('帮扶原因', reasonText, 50),
  amount('预计毕业时缺口', 'finalGap', 14),
  text('辅导员', 'counselor', 12),
  text('班主任', 'headTeacher', 12),
  text('最近帮扶人', 'helperName', 12),
  text('最近帮扶日期', ({ lastHelpTime }: Row) => lastHelpTime?.slice(0, 10), 14),
  text('帮扶措施', () => '', 30),
]

/** Whom to help, why, and who looks after them; the last column is for what is agreed on. Warned students only. */
export const exportHelpList = (
  ctx: Context,
  { reason, sort: _, order: __, current: ___, pageSize: ____, ...filter }: Checked<typeof thresholdApi.exportHelpList>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '帮扶名单',
    columns: helpColumns,
    rows: inBatches(async (last: { suiNumber: string } | undefined) => {
      const rows = await warningsAfter(ctx, { ...filter, warned: true }, last?.suiNumber, 1000)
      const tutors = await tutorNamesOf(
        ctx,
        rows.map(({ suId }) => suId),
      )
      return rows.map((row) => ({
        ...row,
        counselor: tutors.get(row.suId)?.counselor,
        headTeacher: tutors.get(row.suId)?.headTeacher,
      }))
    }),
    filter: { ...filter, ...(reason && { reason }) },
  })

/**
 * The base values of all years as a sheet that can be filled in and imported again; years without values of their own
 * with what the rules of the school amount to.
 */
export async function exportTemplate(ctx: Context): Promise<FileAnswer> {
  const { grades } = await baseValues(ctx, {})
  return exportList(ctx, {
    title: thresholdSheet.title,
    columns: columnsOfSheet(thresholdSheet.columns),
    rows: (async function* () {
      for (const grade of grades) {
        const { rows } = await baseValues(ctx, { grade })
        yield rows.map(({ tbTarget, lsId, name, checkpointTerm, required, warn1, warn2, warn3 }) => ({
          grade,
          target: lsId ? name : thresholdTargets[tbTarget],
          checkpointTerm,
          required,
          warn1,
          warn2,
          warn3,
        }))
      }
    })(),
  })
}

/** What students were reminded of, as a workbook. */
export const exportPrompts = pagedExport(
  '提醒记录',
  [
    text('学号', 'suiNumber', 18),
    text('姓名', 'suiName', 12),
    text('班级', 'className', 20),
    code('当时等级', 'warn_level', 'warnLevel', 10),
    text('当时缺口', 'gapText', 40),
    text('提醒内容', 'content', 60),
    moment('提醒时间', 'promptTime'),
    text('提醒人', 'createName', 12),
    yesNo('已读', 'isRead', 8),
    moment('阅读时间', 'readTime'),
  ],
  listPrompts,
)
