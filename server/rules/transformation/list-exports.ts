import { code, count, range, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listTransformations } from './transformation.service.ts'

/** The conversion rules of the list as a workbook. */
export const exportTransformations = pagedExport(
  '转换规则',
  [
    text('规则名称', 'trName', 24),
    code('折算来源', 'convert_from', 'fromType', 12),
    code('折算为', 'convert_to', 'toType', 10),
    text('规则', 'text', 50),
    code('取整方式', 'rounding', 'rounding', 12),
    count('小数位', 'decimals'),
    range('计入的课程体系', 'scopeLsNames', 36),
    range('适用年级', 'scopeGrades', 20),
    text('生效学期', ({ effectTermName }: { effectTermName: string }) => effectTermName || '不限', 24),
    text('说明', 'trDesc', 40),
    code('状态', 'enable_status', 'enable', 10),
  ],
  listTransformations,
)
