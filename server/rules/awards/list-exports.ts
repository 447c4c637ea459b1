import { code, count, moment, text, texts } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listTemplates } from './awards.service.ts'

/** The award templates of the list as a workbook. */
export const exportTemplates = pagedExport(
  '奖励模板',
  [
    text('模板名称', 'atName', 26),
    code('类型', 'award_type', 'atType', 12),
    texts('奖项', 'awardNames', 50),
    count('采用课程', 'usedCount'),
    code('状态', 'enable_status', 'enable', 10),
    text('说明', 'atDesc', 40),
    text('创建人', 'createName'),
    moment('更新时间', 'updateTime'),
  ],
  listTemplates,
)
