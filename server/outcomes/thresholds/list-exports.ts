import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import { thresholdSheet } from '../../../contract/outcomes/thresholds/thresholds.sheets.ts'
import { thresholdTargets, type thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { tutorNamesOf } from '../../school/people/tutors.service.ts'
import { baseValues } from './bases.service.ts'
import { gapText } from './threshold-rules.ts'
import { warningsAfter } from './warnings.queries.ts'

const columns = [
  { key: 'suiNumber', label: '学号', width: 18 },
  { key: 'suiName', label: '姓名', width: 12 },
  { key: 'collegeName', label: '学院', width: 24 },
  { key: 'majorName', label: '专业', width: 22 },
  { key: 'className', label: '班级', width: 20 },
  { key: 'suiGrade', label: '年级', width: 8 },
  { key: 'level', label: '预警等级', width: 10 },
  { key: 'totalNeed', label: '应有学时', kind: 'amount' },
  { key: 'totalHave', label: '已有学时', kind: 'amount' },
  { key: 'totalGap', label: '还差学时', kind: 'amount' },
  { key: 'finalGap', label: '预计毕业时缺口', kind: 'amount', width: 14 },
  { key: 'gap', label: '缺口', width: 50 },
  { key: 'lastPromptTime', label: '最近提醒', kind: 'moment' },
  { key: 'promptCount', label: '提醒次数', kind: 'integer', width: 10 },
  { key: 'helperName', label: '帮扶人', width: 12 },
  { key: 'helpCount', label: '帮扶次数', kind: 'integer', width: 10 },
  { key: 'calcTime', label: '计算时间', kind: 'moment' },
] as const satisfies readonly SheetColumn[]

/** The warning list as a workbook, in the order of student numbers. */
export const exportWarnings = (
  ctx: Context,
  { reason, sort: _, order: __, current: ___, pageSize: ____, ...filter }: Checked<typeof thresholdApi.exportList>,
): Promise<FileAnswer> =>
  exportList(ctx, {
    title: '预警名单',
    columns,
    rows: inBatches(async (last: { suiNumber: string } | undefined) =>
      (await warningsAfter(ctx, filter, last?.suiNumber, 1000)).map(
        ({ gaps, zeroTerm, warnLevel, totalNeed, totalHave, totalGap, finalGap, can: _can, ...row }) => ({
          ...row,
          level: labelOf('warn_level', warnLevel),
          gap: gapText(gaps, zeroTerm),
          totalNeed: whole(totalNeed),
          totalHave: whole(totalHave),
          totalGap: whole(totalGap),
          finalGap: whole(finalGap),
        }),
      ),
    ),
    filter: { ...filter, ...(reason && { reason }) },
  })

const helpColumns = [
  { key: 'suiNumber', label: '学号', width: 18 },
  { key: 'suiName', label: '姓名', width: 12 },
  { key: 'collegeName', label: '学院', width: 24 },
  { key: 'className', label: '班级', width: 20 },
  { key: 'suiGrade', label: '年级', width: 8 },
  { key: 'level', label: '预警等级', width: 10 },
  { key: 'reason', label: '帮扶原因', width: 50 },
  { key: 'finalGap', label: '预计毕业时缺口', kind: 'amount', width: 14 },
  { key: 'counselor', label: '辅导员', width: 12 },
  { key: 'headTeacher', label: '班主任', width: 12 },
  { key: 'helperName', label: '最近帮扶人', width: 12 },
  { key: 'lastHelp', label: '最近帮扶日期', width: 14 },
  { key: 'plan', label: '帮扶措施', width: 30 },
] as const satisfies readonly SheetColumn[]

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
      return rows.map(
        ({
          suId,
          suiNumber,
          suiName,
          suiGrade,
          collegeName,
          className,
          warnLevel,
          gaps,
          zeroTerm,
          finalGap,
          helperName,
          lastHelpTime,
        }) => ({
          suiNumber,
          suiName,
          suiGrade,
          collegeName,
          className,
          level: labelOf('warn_level', warnLevel),
          reason: gapText(gaps, zeroTerm),
          finalGap: whole(finalGap),
          ...tutors.get(suId),
          helperName,
          lastHelp: lastHelpTime?.slice(0, 10) ?? '',
          plan: '',
        }),
      )
    }),
    filter: { ...filter, ...(reason && { reason }) },
  })

/** Amounts travel as decimal text and stand in sheets as hundredths. */
const whole = (text: string): number =>
  text.startsWith('-') ? -(toHundredths(text.slice(1)) ?? 0) : (toHundredths(text) ?? 0)

/**
 * The base values of all years as a sheet that can be filled in and imported again; years without values of their own
 * with what the rules of the school amount to.
 */
export async function exportTemplate(ctx: Context): Promise<FileAnswer> {
  const { grades } = await baseValues(ctx, {})
  return exportList(ctx, {
    title: thresholdSheet.title,
    columns: thresholdSheet.columns,
    rows: (async function* () {
      for (const grade of grades) {
        const { rows } = await baseValues(ctx, { grade })
        yield rows.map(({ tbTarget, lsId, name, checkpointTerm, required, warn1, warn2, warn3 }) => ({
          grade,
          target: lsId ? name : thresholdTargets[tbTarget],
          checkpointTerm,
          required: whole(required),
          warn1: whole(warn1),
          warn2: whole(warn2),
          warn3: whole(warn3),
        }))
      }
    })(),
  })
}
