import { z } from 'zod'
import { isOneOf } from '../../core/codes/code-list.ts'
import { newsClass, yesNo } from '../../core/codes/platform.ts'
import { call, type ForAll } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import {
  choice,
  done,
  flag,
  fileIds,
  id,
  ids,
  nothing,
  optionalText,
  pick,
  rangeEnd,
  rangeStart,
  search,
  text,
  version,
  integer,
} from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedPaging } from '../../core/paging.ts'
import { linkAddress, richLimit } from '../../core/rich-text.ts'

const filters = {
  niTitle: search('标题').optional(),
  ntId: id('新闻分类').optional(),
  niStatus: pick('状态', valuesOf('news_status')).optional(),
  niClass: pick('类型', valuesOf('news_class')).optional(),
  niIsShow: pick('首页展示', [yesNo.no, yesNo.yes]).optional(),
  createStartDate: rangeStart('开始日期').optional(),
  createEndDate: rangeEnd('结束日期').optional(),
}

const named = z.object({ id: z.string(), name: z.string() })
const row = z.object({
  niId: z.string(),
  niTitle: z.string(),
  niSubtitle: z.string(),
  ntId: z.string(),
  ntName: z.string(),
  niClass: z.string(),
  niCover: z.string().nullable(),
  niStatus: z.string(),
  niIsShow: z.string(),
  niTop: z.string(),
  niSource: z.string(),
  niAuthor: z.string(),
  readCount: z.number(),
  publishTime: z.string().nullable(),
  createName: z.string(),
  createTime: z.string(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'publish', 'cancel', 'delete', 'show'])),
})
export type NewsRow = z.output<typeof row>

/**
 * A news item as its page shows it; `niDetail` is HTML of the elements in rich-text.ts. Recommended news that cannot be
 * read are left out.
 */
const detail = row.extend({
  niDetail: z.string(),
  niLink: z.string(),
  imgList: z.array(z.string()),
  attachments: z.array(named),
  relIds: z.array(z.string()),
  related: z.array(z.object({ niId: z.string(), niTitle: z.string(), publishTime: z.string().nullable() })),
  cancelReason: z.string(),
  updateTime: z.string(),
})
export type NewsDetail = z.output<typeof detail>

const fields = {
  ntId: choice('新闻分类'),
  niTitle: text('标题', 100),
  niSubtitle: optionalText('副标题', 200),
  niClass: pick('类型', valuesOf('news_class')).default(newsClass.article),
  niDetail: z
    .string()
    .max(richLimit, '正文过长，请删减内容；图片请用“插入图片”上传')
    .optional()
    .meta({ label: '正文' }),
  niLink: z
    .string()
    .trim()
    .max(500, '链接不能超过 500 个字')
    .regex(linkAddress, '链接须以 http:// 或 https:// 开头')
    .optional()
    .meta({ label: '链接', max: 500 }),
  niCover: id('封面').optional(),
  imgList: fileIds('图片', 9, '张'),
  attachments: fileIds('附件', 10),
  relIds: z.array(id('推荐新闻')).max(10, '推荐新闻最多 10 篇').default([]).meta({ label: '推荐新闻' }),
  niSource: optionalText('来源', 50),
  niAuthor: optionalText('作者', 50),
  niIsShow: flag('首页展示').default(true),
  niTop: flag('置顶').default(false),
}
/** An outside link and a video need an address. */
const needsLink = (value: { niClass: string; niLink?: string | undefined }): boolean =>
  !isOneOf(value.niClass, newsClass.link, newsClass.video) ||
  (value.niLink !== undefined && (!linkAddress.test(value.niLink) || /^http/i.test(value.niLink)))
const linkFault = { path: ['niLink'], message: '请填写以 http:// 或 https:// 开头的链接' }

const typeFields = { ntName: text('分类名称', 30), ntSort: integer('排序', 0, 9999).default(0) }

/** All news that the list finds. */
const ofList: ForAll[] = [
  { list: '/api/schoolbase/newsInfo/queryNewsList', row: 'niId', name: ['niTitle'], ids: 'niIds' },
]

export const newsApi = {
  list: call('GET', '/newsInfo/queryNewsList', {
    summary: '新闻列表',
    permit: 'news:list',
    input: sortedPaging.extend(filters),
    output: paged(row),
  }),
  exportList: fileCall('POST', '/newsInfo/newsExport', {
    summary: '导出新闻',
    permit: 'news:list',
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  /** Published and meant for the home page; for everybody of the school. */
  shown: call('GET', '/newsInfo/queryShownNews', {
    summary: '首页新闻',
    permit: 'signed-in',
    input: paging.extend({ ntId: id('新闻分类').optional() }),
    output: paged(row.omit({ can: true, version: true })),
  }),
  /** What is published is for everybody of the school; drafts are for those who work on them. */
  detail: call('GET', '/newsInfo/getNewsDetail', {
    summary: '新闻详情',
    permit: 'signed-in',
    input: z.object({ niId: id('新闻') }),
    output: detail,
  }),
  read: call('POST', '/newsInfo/readNews', {
    summary: '阅读新闻',
    permit: 'signed-in',
    input: z.strictObject({ niId: id('新闻') }),
    output: done,
  }),
  options: call('GET', '/newsInfo/searchNews', {
    summary: '查找可推荐的新闻',
    permit: 'news:edit',
    cost: 'search',
    input: z.object({ niTitle: search('标题').optional() }),
    output: z.array(z.object({ niId: z.string(), niTitle: z.string(), publishTime: z.string().nullable() })),
  }),
  add: call('POST', '/newsInfo/addNewsInfo', {
    summary: '新增新闻',
    permit: 'news:edit',
    input: z.strictObject(fields).refine(needsLink, linkFault),
    output: z.object({ niId: z.string() }),
  }),
  update: call('POST', '/newsInfo/updateNewsInfo', {
    summary: '编辑新闻',
    permit: 'news:edit',
    input: z.strictObject({ niId: id('新闻'), version, ...fields }).refine(needsLink, linkFault),
    output: done,
  }),
  publish: call('POST', '/newsInfo/newsPublish', {
    summary: '发布新闻',
    permit: 'news:publish',
    input: z.strictObject({ niIds: ids }),
    output: done,
    forAll: ofList,
  }),
  cancel: call('POST', '/newsInfo/newsCancelPublish', {
    summary: '取消发布新闻',
    permit: 'news:publish',
    input: z.strictObject({ niIds: ids, reason: optionalText('取消原因', 200) }),
    output: done,
    forAll: ofList,
  }),
  show: call('POST', '/newsInfo/newsShow', {
    summary: '设置新闻首页展示',
    permit: 'news:publish',
    input: z.strictObject({ niIds: ids, niIsShow: pick('首页展示', [yesNo.no, yesNo.yes]) }),
    output: done,
    forAll: ofList,
  }),
  remove: call('POST', '/newsInfo/delNewsInfo', {
    summary: '删除新闻',
    permit: 'news:delete',
    input: z.strictObject({ niIds: ids }),
    output: done,
    forAll: ofList,
  }),
}

/** A kind of news as its list shows it. */
export const newsTypeRow = z.object({
  ntId: z.string(),
  ntName: z.string(),
  ntSort: z.number(),
  newsCount: z.number(),
  createName: z.string(),
  updateTime: z.string(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'delete'])),
})
const typeFilters = { ntName: search('分类名称').optional() }

export const newsTypeApi = {
  all: call('GET', '/newsType/queryAllNewsType', {
    summary: '新闻分类下拉',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ ntId: z.string(), ntName: z.string() })),
  }),
  list: call('GET', '/newsType/queryNewsTypeList', {
    summary: '新闻分类列表',
    permit: 'news:list',
    input: sortedPaging.extend(typeFilters),
    output: paged(newsTypeRow),
  }),
  exportList: fileCall('POST', '/newsType/newsTypeExport', {
    summary: '导出新闻分类',
    permit: 'news:list',
    input: sortedPaging.extend({ ...typeFilters, reason: exportReason }),
  }),
  add: call('POST', '/newsType/add', {
    summary: '新增新闻分类',
    permit: 'news:category',
    input: z.strictObject(typeFields),
    output: z.object({ ntId: z.string() }),
  }),
  update: call('POST', '/newsType/update', {
    summary: '编辑新闻分类',
    permit: 'news:category',
    input: z.strictObject({ ntId: id('新闻分类'), version: version.optional(), ...typeFields }),
    output: done,
  }),
  remove: call('POST', '/newsType/del', {
    summary: '删除新闻分类',
    permit: 'news:category',
    alsoNamed: { ntId: 'ntIds' },
    input: z.strictObject({ ntIds: ids }),
    output: done,
  }),
}
