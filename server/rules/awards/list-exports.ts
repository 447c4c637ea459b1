import type { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listTemplates } from './awards.service.ts'

const columns: SheetColumn[] = [
  { key: 'atName', label: '模板名称', width: 26 },
  { key: 'atType', label: '类型', width: 12 },
  { key: 'awardNames', label: '奖项', width: 50 },
  { key: 'usedCount', label: '采用课程', kind: 'integer' },
  { key: 'enable', label: '状态', width: 10 },
  { key: 'atDesc', label: '说明', width: 40 },
  { key: 'createName', label: '创建人' },
  { key: 'updateTime', label: '更新时间', kind: 'moment' },
]

/** The award templates of the list as a workbook. */
export function exportTemplates(ctx: Context, input: Checked<typeof awardApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listTemplates(ctx, page), input),
    ({ can: _, ...row }) => ({
      ...row,
      awardNames: row.awardNames.join('、'),
      atType: labelOf('award_type', row.atType),
      enable: labelOf('enable_status', row.enable),
    }),
  )
  return exportList(ctx, { title: '奖励模板', columns, rows, filter: input })
}
