import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { newsClass, newsStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { newsApi } from '../../../contract/platform/news/news.calls.ts'
import { imagesIn, plainText } from '../../../contract/core/rich-text.ts'
import { cleanHtml } from '../../core/base/clean-html.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { releaseFiles, replaceFiles, useFiles } from '../files/file-use.service.ts'
import { ownNews } from './news.queries.ts'

type Form = Checked<typeof newsApi.add>

/** Adds a draft. It belongs to the writer's college, or to the school where they look after all of it. */
export const addNews = (ctx: Context, form: Form) =>
  inTransaction(ctx, async (tx) => {
    const values = await valuesOf(tx, form)
    const row = {
      ...createdColumns(tx),
      ...values,
      niId: newId(),
      niCollegeId: tx.scope.whole ? null : await ownCollege(tx),
    }
    await tx.db.insertInto('news').values(row).execute()
    await useFiles(tx, filesOf(values))
    await audit(tx, {
      action: '新增新闻',
      bizType: 'news',
      bizId: row.niId,
      bizName: row.niTitle,
      after: trailOf(values),
    })
    return { niId: row.niId }
  })

/** Changes a news item; a published one stays published, and the trail says what changed. */
export const updateNews = (ctx: Context, { niId, version, ...form }: Checked<typeof newsApi.update>) =>
  inTransaction(ctx, async (tx) => {
    const before = await ownNews(tx).selectAll('news').where('niId', '=', niId).forUpdate('news').executeTakeFirst()
    assertVersion(tx, before, version)
    if (form.relIds.includes(niId)) throw invalidInput([{ field: 'relIds', msg: '不能推荐本篇新闻' }])
    const values = await valuesOf(tx, form, before.relIds)
    await tx.db
      .updateTable('news')
      .set({ ...values, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('niId', '=', niId)
      .execute()
    await replaceFiles(tx, filesOf(before), filesOf(values))
    await audit(tx, {
      action: '编辑新闻',
      bizType: 'news',
      bizId: niId,
      bizName: values.niTitle,
      ...changedFields<Record<string, unknown>>(trailOf(before), trailOf(values)),
    })
    return { affected: 1 }
  })

/** News of an action on several, locked in one order; all or none. */
async function locked(ctx: Context, niIds: string[]) {
  const rows = await ownNews(ctx)
    .select(['niId', 'niTitle', 'niStatus', 'niIsShow', 'niCover', 'imgList', 'attachments', 'niDetail'])
    .where(anyOf('niId', niIds))
    .orderBy('niId')
    .forUpdate('news')
    .execute()
  if (rows.length !== niIds.length) throw new Failure('not-found')
  return rows
}

/** Shows news to the school (0 or 2 -> 1), or takes them back (1 -> 2) with the reason. */
export const publishNews = (
  ctx: Context,
  { niIds, reason = '' }: { niIds: string[]; reason?: string | undefined },
  to: '1' | '2',
) =>
  inTransaction(ctx, async (tx) => {
    const rows = await locked(tx, niIds)
    const act = to === newsStatus.published ? '发布' : '取消发布'
    if (to === newsStatus.unpublished && rows.some(({ niStatus }) => niStatus === newsStatus.draft))
      throw new Failure('wrong-state', { act })
    const changing = rows.filter(({ niStatus }) => niStatus !== to)
    if (changing.length === 0) return { affected: 0 }
    const state =
      to === newsStatus.published
        ? { niStatus: to, publishTime: tx.clock.now(), cancelReason: '' }
        : { niStatus: to, cancelReason: reason }
    await tx.db
      .updateTable('news')
      .set({ ...state, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(
        anyOf(
          'niId',
          changing.map(({ niId }) => niId),
        ),
      )
      .execute()
    await auditMany(
      tx,
      changing.map(({ niId, niTitle, niStatus }) => ({
        action: `${act}新闻`,
        bizType: 'news',
        bizId: niId,
        bizName: niTitle,
        reason,
        before: { niStatus },
        after: { niStatus: to },
      })),
    )
    return { affected: changing.length }
  })

/** Says whether news stand on the home page; independent of their publication (docs/rules.md R46). */
export const showNews = (ctx: Context, { niIds, niIsShow }: Checked<typeof newsApi.show>) =>
  inTransaction(ctx, async (tx) => {
    const changing = (await locked(tx, niIds)).filter((row) => row.niIsShow !== niIsShow)
    if (changing.length === 0) return { affected: 0 }
    await tx.db
      .updateTable('news')
      .set({ niIsShow, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(
        anyOf(
          'niId',
          changing.map(({ niId }) => niId),
        ),
      )
      .execute()
    await auditMany(
      tx,
      changing.map(({ niId, niTitle }) => ({
        action: niIsShow === yesNo.yes ? '新闻首页展示' : '新闻首页不展示',
        bizType: 'news',
        bizId: niId,
        bizName: niTitle,
        before: { niIsShow: niIsShow === yesNo.yes ? yesNo.no : yesNo.yes },
        after: { niIsShow },
      })),
    )
    return { affected: changing.length }
  })

/** Removes news that are not published. */
export const removeNews = (ctx: Context, { niIds }: Checked<typeof newsApi.remove>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await locked(tx, niIds)
    const published = rows.find(({ niStatus }) => niStatus === newsStatus.published)
    if (published) throw new Failure('news-published', { name: published.niTitle })
    await tx.db
      .updateTable('news')
      .set({ delFlag: yesNo.yes, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('niId', niIds))
      .execute()
    for (const row of rows) await releaseFiles(tx, filesOf(row))
    await auditMany(
      tx,
      rows.map(({ niId, niTitle }) => ({
        action: '删除新闻',
        bizType: 'news',
        bizId: niId,
        bizName: niTitle,
        before: { niTitle },
      })),
    )
    return { affected: rows.length }
  })

/** Counts that somebody opened a published news item; nothing else changes. */
export async function readNews({ db, actor }: Context, { niId }: Checked<typeof newsApi.read>) {
  const done = await db
    .updateTable('news')
    .set({ readCount: sql`"readCount" + 1` })
    .where('schoolId', '=', actor.schoolId)
    .where('niId', '=', niId)
    .where('niStatus', '=', newsStatus.published)
    .where('delFlag', '=', sql.lit(yesNo.no))
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new Failure('not-found')
  return { affected: 1 }
}

async function ownCollege({ db, actor }: Context): Promise<string | null> {
  return (
    (await from({ db, actor }, 'person').select('suiCollegeId').where('suId', '=', actor.suId).executeTakeFirst())
      ?.suiCollegeId ?? null
  )
}

/** The form as columns: its text cleaned, its type and recommendations the school's own. */
async function valuesOf(ctx: Context, form: Form, keptRelations: readonly string[] = []) {
  const niDetail = cleanHtml(form.niDetail ?? '')
  const type = await from(ctx, 'newsType').select('ntId').where('ntId', '=', form.ntId).executeTakeFirst()
  const relIds = [...new Set(form.relIds)]
  const fresh = relIds.filter((niId) => !keptRelations.includes(niId))
  const known =
    fresh.length === 0
      ? []
      : await from(ctx, 'news')
          .select('niId')
          .where(anyOf('niId', fresh))
          .where('niStatus', '=', newsStatus.published)
          .execute()
  const faults = [
    ...(type ? [] : [{ field: 'ntId', msg: '所选新闻分类不存在' }]),
    ...(isOneOf(form.niClass, newsClass.article, newsClass.notice) &&
    plainText(niDetail) === '' &&
    imagesIn(niDetail).length === 0
      ? [{ field: 'niDetail', msg: '请输入正文' }]
      : []),
    ...(known.length === fresh.length ? [] : [{ field: 'relIds', msg: '所选推荐新闻不存在或未发布' }]),
  ]
  if (faults.length > 0) throw invalidInput(faults)
  return {
    ntId: form.ntId,
    niTitle: form.niTitle,
    niSubtitle: form.niSubtitle ?? '',
    niClass: form.niClass,
    niDetail,
    niLink: form.niLink ?? '',
    niCover: form.niCover ?? null,
    imgList: form.imgList,
    attachments: form.attachments,
    relIds,
    niSource: form.niSource ?? '',
    niAuthor: form.niAuthor ?? '',
    niIsShow: form.niIsShow ? yesNo.yes : yesNo.no,
    niTop: form.niTop ? yesNo.yes : yesNo.no,
  }
}
type Values = Omit<Awaited<ReturnType<typeof valuesOf>>, 'niClass' | 'niIsShow' | 'niTop'> &
  Record<'niClass' | 'niIsShow' | 'niTop', string>

/** Every file a news item names, those inside its text included. */
const filesOf = ({
  niCover,
  imgList,
  attachments,
  niDetail,
}: Pick<Values, 'niCover' | 'imgList' | 'attachments' | 'niDetail'>) => [
  niCover,
  ...imgList,
  ...attachments,
  ...imagesIn(niDetail),
]

/** What the trail keeps: the words of the text, not its marks. */
const trailOf = ({ niDetail, ...row }: Values) => ({
  ntId: row.ntId,
  niTitle: row.niTitle,
  niSubtitle: row.niSubtitle,
  niClass: row.niClass,
  niLink: row.niLink,
  niCover: row.niCover,
  imgList: row.imgList,
  attachments: row.attachments,
  relIds: row.relIds,
  niSource: row.niSource,
  niAuthor: row.niAuthor,
  niIsShow: row.niIsShow,
  niTop: row.niTop,
  niDetail: plainText(niDetail).slice(0, 2000),
})
