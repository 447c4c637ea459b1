import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { SavedView, savedViewApi } from '../../../contract/school/session/saved-views.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'

/** Most views of one list that a person may keep. */
const maxViews = 20

const ownViews = ({ db, actor }: Context) => from({ db, actor }, 'savedView').where('suId', '=', actor.suId)

/** The views of a list that whoever asks has kept, in the order in which they made them. */
export async function listViews(ctx: Context, { listName }: Checked<typeof savedViewApi.list>): Promise<SavedView[]> {
  const rows = await ownViews(ctx)
    .select(['svId', 'svTitle', 'svQuery'])
    .where('listName', '=', listName)
    .orderBy('createTime')
    .orderBy('svId')
    .execute()
  return rows.map((row) => ({ ...row, svQuery: row.svQuery as Record<string, string> }))
}

/** Keeps a view, or changes one's own. No audit: it is nobody's business but theirs. */
export function saveView(ctx: Context, { svId, listName, svTitle, svQuery }: Checked<typeof savedViewApi.save>) {
  return inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    // one person's windows wait for each other, so that number and names are counted right
    await sql`select pg_advisory_xact_lock(hashtextextended(${`saved-view:${schoolId}:${suId}`}::text, 0))`.execute(
      tx.db,
    )
    const views = await ownViews(tx).select(['svId', 'svTitle']).where('listName', '=', listName).execute()
    if (svId && !views.some((view) => view.svId === svId)) throw new Failure('not-found')
    if (!svId && views.length >= maxViews) throw new Failure('too-many-views', { n: maxViews })
    if (views.some((view) => view.svTitle === svTitle && view.svId !== svId))
      throw new Failure('view-name-taken', { name: svTitle })
    const values = { svTitle, svQuery: JSON.stringify(svQuery) }
    if (svId)
      await tx.db
        .updateTable('savedView')
        .set(values)
        .where('schoolId', '=', schoolId)
        .where('suId', '=', suId)
        .where('svId', '=', svId)
        .execute()
    const id = svId ?? newId()
    if (!svId)
      await tx.db
        .insertInto('savedView')
        .values({ schoolId, suId, svId: id, listName, ...values, createTime: tx.clock.now() })
        .execute()
    return { svId: id }
  })
}

/** Drops one's own view. */
export async function removeView({ db, actor }: Context, { svId }: Checked<typeof savedViewApi.remove>) {
  const { numDeletedRows } = await db
    .deleteFrom('savedView')
    .where('schoolId', '=', actor.schoolId)
    .where('suId', '=', actor.suId)
    .where('svId', '=', svId)
    .executeTakeFirstOrThrow()
  if (Number(numDeletedRows) === 0) throw new Failure('not-found')
  return { affected: 1 }
}
