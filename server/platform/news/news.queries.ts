import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { newsStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { newsApi, NewsDetail, NewsRow } from '../../../contract/platform/news/news.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'

type Reader = Pick<Context, 'db' | 'actor' | 'scope'>
type Filters = Checked<typeof newsApi.list>

const allNews = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'news')

/** News that somebody may work on: their own and those of their area. */
export const ownNews = (ctx: Reader) => {
  const covered = inScope(ctx.scope, { college: 'news.niCollegeId' })
  return allNews(ctx).where((or) => or.or([covered, or('news.createBy', '=', ctx.actor.suId)]))
}

/** News that exist for whoever asks: what is published, and besides what they may work on. */
export const visibleNews = (ctx: Reader) => {
  const covered = inScope(ctx.scope, { college: 'news.niCollegeId' })
  return allNews(ctx).where((or) =>
    or.or([or('news.niStatus', '=', newsStatus.published), covered, or('news.createBy', '=', ctx.actor.suId)]),
  )
}

const sortable = {
  createTime: 'news.createTime',
  publishTime: 'news.publishTime',
  readCount: 'news.readCount',
  niTitle: 'news.niTitle',
}

function matching(
  query: ReturnType<typeof visibleNews>,
  { niTitle, ntId, niStatus, niClass, niIsShow, createStartDate, createEndDate }: Partial<Filters>,
) {
  let found = query
  if (niTitle) found = found.where('news.niTitle', 'like', likeText(niTitle))
  if (ntId) found = found.where('news.ntId', '=', ntId)
  if (niStatus) found = found.where('news.niStatus', '=', niStatus)
  if (niClass) found = found.where('news.niClass', '=', niClass)
  if (niIsShow) found = found.where('news.niIsShow', '=', niIsShow)
  if (createStartDate) found = found.where('news.createTime', '>=', createStartDate)
  if (createEndDate) found = found.where('news.createTime', '<=', createEndDate)
  return found
}

const withType = (query: ReturnType<typeof visibleNews>) =>
  query
    .innerJoin('newsType as type', withinSchool('type.ntId', 'news.ntId'))
    .select([
      'news.niId',
      'news.niTitle',
      'news.niSubtitle',
      'news.ntId',
      'type.ntName',
      'news.niClass',
      'news.niCover',
      'news.niStatus',
      'news.niIsShow',
      'news.niTop',
      'news.niSource',
      'news.niAuthor',
    ])
    .select([
      'news.readCount',
      'news.publishTime',
      'news.createName',
      'news.createTime',
      'news.version',
      'news.createBy',
      'news.niCollegeId',
    ])

/** What the asking person may do to a news item in its present state. */
function actionsFor(
  { actor }: Pick<Context, 'actor'>,
  { niStatus, createBy, niCollegeId }: { niStatus: string; createBy: string | null; niCollegeId: string | null },
): NewsRow['can'] {
  const may = (permit: `news:${string}`) =>
    actor.permits.has(permit) &&
    (createBy === actor.suId || scopeIncludes(actor.scopeFor(permit), { college: niCollegeId }))
  return [
    ...(may('news:edit') ? (['edit'] as const) : []),
    ...(may('news:publish') ? ([niStatus === newsStatus.published ? 'cancel' : 'publish', 'show'] as const) : []),
    ...(may('news:delete') && niStatus !== newsStatus.published ? (['delete'] as const) : []),
  ]
}

/** News of the list: those put on top first, then the latest. */
export async function listNews(ctx: Context, input: Filters) {
  const query = matching(visibleNews(ctx), input)
  const [rows, total] = await Promise.all([
    withType(query)
      .$if(input.sort === undefined, (first) => first.orderBy('news.niTop', 'desc'))
      .orderBy(listOrder(input, sortable, input.order ?? 'desc'))
      .orderBy('news.niId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ createBy, niCollegeId, ...row }): NewsRow => ({
      ...row,
      can: actionsFor(ctx, { ...row, createBy, niCollegeId }),
    })),
    total,
    input,
  )
}

/** What is published and meant for the home page. */
export async function shownNews(ctx: Context, input: Checked<typeof newsApi.shown>) {
  const query = matching(allNews(ctx), { niStatus: newsStatus.published, niIsShow: yesNo.yes, ntId: input.ntId })
  const [rows, total] = await Promise.all([
    withType(query)
      .orderBy('news.niTop', 'desc')
      .orderBy('news.publishTime', 'desc')
      .orderBy('news.niId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ createBy: _, niCollegeId: __, version: ___, ...row }) => row),
    total,
    input,
  )
}

/** One news item; what is not published only for those who look after news and whose it is. */
export async function newsDetail(ctx: Context, { niId }: Checked<typeof newsApi.detail>): Promise<NewsDetail> {
  const editor = ctx.actor.permits.has('news:list')
  const readable = editor
    ? visibleNews({ ...ctx, scope: ctx.actor.scopeFor('news:list') })
    : allNews(ctx).where('news.niStatus', '=', newsStatus.published)
  return detailOf(ctx, niId, readable, editor)
}

/** One news item for its form; only for who may work on it. */
export const newsForEdit = (ctx: Context, niId: string): Promise<NewsDetail> => detailOf(ctx, niId, ownNews(ctx), true)

async function detailOf(
  ctx: Context,
  niId: string,
  readable: ReturnType<typeof allNews>,
  editor: boolean,
): Promise<NewsDetail> {
  const row = await withType(readable)
    .select(['news.niDetail', 'news.niLink', 'news.imgList', 'news.relIds', 'news.cancelReason', 'news.updateTime'])
    .select(
      sql<NewsDetail['attachments']>`coalesce(
          (
            select json_agg(json_build_object('id', f."fileId", 'name', f."fileName") order by a."at")
            from unnest("news"."attachments") with ordinality a("id", "at")
            join "file" f on f."schoolId" = "news"."schoolId" and f."fileId" = a."id"
          ), '[]'
        )`.as('attachments'),
    )
    .where('news.niId', '=', niId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const { createBy, niCollegeId, ...shown } = row
  const related =
    row.relIds.length === 0
      ? []
      : await allNews(ctx)
          .select(['niId', 'niTitle', 'publishTime'])
          .where('niStatus', '=', newsStatus.published)
          .where(anyOf('niId', row.relIds))
          .execute()
  const can = editor ? actionsFor(ctx, row) : []
  return {
    ...shown,
    can,
    related: row.relIds.flatMap((one) => related.find((news) => news.niId === one) ?? []),
    ...(can.length === 0 && { cancelReason: '' }),
  }
}

/** News that may be recommended beside another: the published ones, the latest twenty that fit. */
export const newsOptions = (ctx: Context, { niTitle }: Checked<typeof newsApi.options>) =>
  matching(allNews(ctx), { niTitle, niStatus: newsStatus.published })
    .select(['niId', 'niTitle', 'publishTime'])
    .orderBy('publishTime', 'desc')
    .orderBy('niId', 'desc')
    .limit(20)
    .execute()
