import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listEvaluations } from './evaluation.service.ts'

const columns: SheetColumn[] = [
  { key: 'lsFullName', label: '课程体系', width: 30 },
  { key: 'levelName', label: '级别', width: 12 },
  { key: 'esName', label: '规则名称', width: 24 },
  { key: 'baseHours', label: '学时', kind: 'amount' },
  { key: 'hourCap', label: '学时上限', kind: 'amount' },
  { key: 'credit', label: '学分', kind: 'amount' },
  { key: 'points', label: '积分', kind: 'amount' },
  { key: 'modes', label: '参与方式系数', width: 36 },
  { key: 'awards', label: '奖项加计', width: 50 },
  { key: 'abilities', label: '能力权重', width: 40 },
  { key: 'effectFrom', label: '生效日期', kind: 'date' },
  { key: 'effectTo', label: '失效日期', kind: 'date' },
  { key: 'versionNo', label: '版本', kind: 'integer' },
  { key: 'lessonCount', label: '采用课程', kind: 'integer' },
  { key: 'enable', label: '状态', width: 10 },
]
const amount = (text: string | null) => (text === null ? null : toHundredths(text))

/** The scoring rules of the list as a workbook. */
export function exportEvaluations(ctx: Context, input: Checked<typeof evaluationApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listEvaluations(ctx, page), input),
    (row) => ({
      lsFullName: row.lsFullName,
      levelName: row.levelName,
      esName: row.esName,
      baseHours: amount(row.baseHours),
      hourCap: amount(row.hourCap),
      credit: amount(row.credit),
      points: amount(row.points),
      modes: row.modeRules
        .map(({ partakeMode, factor }) => `${labelOf('partake_mode', partakeMode)} ${factor}`)
        .join('、'),
      awards: row.awardRules
        .map(({ adName, hours, credit, points }) => `${adName}：学时 ${hours}，学分 ${credit}，积分 ${points}`)
        .join('；'),
      abilities: row.abilityRules.map(({ sqlName, weight }) => `${sqlName} ${weight}%`).join('、'),
      effectFrom: row.effectFrom,
      effectTo: row.effectTo,
      versionNo: row.versionNo,
      lessonCount: row.lessonCount,
      enable: labelOf('enable_status', row.enable),
    }),
  )
  return exportList(ctx, { title: '评价体系', columns, rows, filter: input })
}
