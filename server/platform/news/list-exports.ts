import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { newsApi } from '../../../contract/platform/news/news.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listNews } from './news.queries.ts'

const columns: SheetColumn[] = [
  { key: 'niTitle', label: '标题', width: 50 },
  { key: 'ntName', label: '分类', width: 14 },
  { key: 'niClass', label: '类型', width: 10 },
  { key: 'niStatus', label: '状态', width: 12 },
  { key: 'niIsShow', label: '首页展示', width: 10 },
  { key: 'niSource', label: '来源', width: 16 },
  { key: 'niAuthor', label: '作者', width: 12 },
  { key: 'readCount', label: '阅读数', kind: 'integer', width: 8 },
  { key: 'publishTime', label: '发布时间', kind: 'moment' },
  { key: 'createName', label: '创建人', width: 12 },
  { key: 'createTime', label: '创建时间', kind: 'moment' },
  { key: 'niId', label: '新闻编号', width: 38 },
]

/** The news of the list as a workbook. */
export function exportNews(ctx: Context, input: Checked<typeof newsApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listNews(ctx, page), input),
    ({ can: _, ...row }) => ({
      ...row,
      niClass: labelOf('news_class', row.niClass),
      niStatus: labelOf('news_status', row.niStatus),
      niIsShow: labelOf('yes_no', row.niIsShow),
    }),
  )
  return exportList(ctx, { title: '新闻', columns, rows, filter: input })
}
