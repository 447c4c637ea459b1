import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listTransformations } from './transformation.service.ts'

const columns: SheetColumn[] = [
  { key: 'trName', label: '规则名称', width: 24 },
  { key: 'fromType', label: '折算来源', width: 12 },
  { key: 'toType', label: '折算为', width: 10 },
  { key: 'text', label: '规则', width: 50 },
  { key: 'rounding', label: '取整方式', width: 12 },
  { key: 'decimals', label: '小数位', kind: 'integer' },
  { key: 'nodes', label: '计入的课程体系', width: 36 },
  { key: 'grades', label: '适用年级', width: 20 },
  { key: 'effectTermName', label: '生效学期', width: 24 },
  { key: 'trDesc', label: '说明', width: 40 },
  { key: 'enable', label: '状态', width: 10 },
]

/** The conversion rules of the list as a workbook. */
export function exportTransformations(
  ctx: Context,
  input: Checked<typeof transformationApi.exportList>,
): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listTransformations(ctx, page), input),
    (row) => ({
      trName: row.trName,
      fromType: labelOf('convert_from', row.fromType),
      toType: labelOf('convert_to', row.toType),
      text: row.text,
      rounding: labelOf('rounding', row.rounding),
      decimals: row.decimals,
      nodes: row.scopeLsNames.join('、') || '全部',
      grades: row.scopeGrades.join('、') || '全部',
      effectTermName: row.effectTermName || '不限',
      trDesc: row.trDesc,
      enable: labelOf('enable_status', row.enable),
    }),
  )
  return exportList(ctx, { title: '转换规则', columns, rows, filter: input })
}
