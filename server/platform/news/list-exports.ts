import { code, count, moment, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listNews } from './news.queries.ts'
import { listTypes } from './types.service.ts'

/** The news of the list as a workbook. */
export const exportNews = pagedExport(
  '新闻',
  [
    text('标题', 'niTitle', 50),
    text('分类', 'ntName', 14),
    code('类型', 'news_class', 'niClass', 10),
    code('状态', 'news_status', 'niStatus', 12),
    code('首页展示', 'yes_no', 'niIsShow', 10),
    text('来源', 'niSource', 16),
    text('作者', 'niAuthor', 12),
    count('阅读数', 'readCount', 8),
    moment('发布时间', 'publishTime'),
    text('创建人', 'createName', 12),
    moment('创建时间', 'createTime'),
    text('新闻编号', 'niId', 38),
  ],
  listNews,
)

/** The types of news as a workbook. */
export const exportTypes = pagedExport(
  '新闻分类',
  [
    text('分类名称', 'ntName', 26),
    count('新闻数', 'newsCount', 10),
    count('排序', 'ntSort', 8),
    text('创建人', 'createName', 12),
    moment('更新时间', 'updateTime'),
  ],
  listTypes,
)
