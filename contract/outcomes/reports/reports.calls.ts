import { z } from 'zod'
import { exportReason } from '../../core/exports.ts'
import { day, id, pick } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'

/** What a report covers, and as what it comes: to be read and printed, or to be written on. */
export const reportSpans = { week: '周报', month: '月报' } as const
export const reportFormats = { pdf: 'PDF 文件', docx: 'Word 文档（可编辑）' } as const

export const reportApi = {
  /**
   * Figures of the statistics calls under the asking person's own rights: what they may not see on a screen is not in
   * their report.
   */
  export: fileCall('POST', '/statistics/report/exportReport', {
    summary: '导出周报月报',
    permit: 'lessonstat:export',
    /** `day`: any day of the week (Monday to Sunday) or month. */
    input: z.object({
      span: pick('报告周期', ['week', 'month']),
      day: day('报告日期'),
      collegeId: id('学院').optional(),
      format: pick('格式', ['pdf', 'docx']).default('pdf'),
      reason: exportReason,
    }),
  }),
}
