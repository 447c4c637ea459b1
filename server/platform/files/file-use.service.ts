import { sql } from 'kysely'
import { fileState } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { addDays } from '../../core/base/clock.ts'
import { filesStay } from '../../core/backup/snapshot.ts'
import { recordset } from '../../core/database/bulk.ts'
import { directDatabase } from '../../core/database/pool.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'

/**
 * Which files records hold. A record that names files in a column tells it here, in the transaction that writes the
 * record; a file that no record holds any more is removed by the sweep.
 */

/**
 * A private file is given out only by the domain whose record holds it; it must come fresh from the person's own hands.
 */
export interface Holding {
  isPrivate?: boolean
}

/**
 * Marks files as held by one more record: those the person uploaded themselves and those already held by records of
 * their school.
 * @throws Failure `file-gone` if one of them is missing, another's or another school's
 */
export async function useFiles(
  ctx: Context,
  fileIds: (string | null | undefined)[],
  { isPrivate = false }: Holding = {},
): Promise<void> {
  const ids = distinct(fileIds)
  if (ids.length === 0) return
  assertInTransaction(ctx)
  const { numUpdatedRows } = await ctx.db
    .updateTable('file')
    .set({ uses: sql`"uses" + 1`, fileState: fileState.inUse, isPrivate })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('fileId', '=', sql<string>`any(${ids}::uuid[])`)
    .where((where) =>
      where.or([
        where.and([where('fileState', '=', fileState.inUse), where('isPrivate', '=', false), where.val(!isPrivate)]),
        where.and([where('fileState', '=', fileState.uploaded), where('ownerId', '=', ctx.actor.suId)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) !== ids.length) throw new Failure('file-gone')
}

/** Marks files as held by one record less. */
export const releaseFiles = (ctx: Context, fileIds: (string | null | undefined)[]): Promise<void> =>
  releaseFilesOf(ctx, [fileIds])

/** Marks the files of several records as held by each of them no more; a file may be in more than one. */
export async function releaseFilesOf(ctx: Context, records: readonly (string | null | undefined)[][]): Promise<void> {
  const held = new Map<string, number>()
  for (const fileId of records.flatMap(distinct)) held.set(fileId, (held.get(fileId) ?? 0) + 1)
  if (held.size === 0) return
  assertInTransaction(ctx)
  const released = recordset(
    [...held].map(([fileId, count]) => ({ fileId, count })),
    { fileId: 'uuid', count: 'int' },
  )
  await sql`
    update "file" f
    set "uses" = greatest(f."uses" - r."count", 0),
      "fileState" = case
        when f."uses" <= r."count" then ${sql.lit(fileState.abandoned)} else ${sql.lit(fileState.inUse)}
      end
    from ${released}
    where f."schoolId" = ${ctx.actor.schoolId} and f."fileId" = r."fileId" and f."uses" > 0`.execute(ctx.db)
}

/**
 * For an edit: holds what is new in the record and releases what has left it. Pass every file the record names, before
 * and after.
 */
export async function replaceFiles(
  ctx: Context,
  before: (string | null | undefined)[],
  after: (string | null | undefined)[],
  holding: Holding = {},
): Promise<void> {
  const [had, has] = [distinct(before), distinct(after)]
  await useFiles(
    ctx,
    has.filter((id) => !had.includes(id)),
    holding,
  )
  await releaseFiles(
    ctx,
    had.filter((id) => !has.includes(id)),
  )
}

/**
 * A job: the sweep of {@link removeOrphans}, unless a backup is being written, which copies what was there when it
 * began: then the next one makes up for it.
 * @returns how many files were removed
 */
export const sweepOrphans = (services: SweepServices): Promise<number> =>
  // the lock is the connection's: behind a pooler it would stay with whoever gets the server process next
  (directDatabase(services.db) ?? services.db).connection().execute(async (held) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${filesStay}) "mine"`.execute(held)
    if (!rows[0]?.mine) return 0
    return removeOrphans(services).finally(() => sql`select pg_advisory_unlock(${filesStay})`.execute(held))
  })

type SweepServices = Pick<PublicContext, 'db' | 'files' | 'clock' | 'log'>

/**
 * Removes uploads that no record took within 24 hours and files that records gave up, content first, so that an
 * interrupted sweep leaves nothing that the next one would not find.
 */
async function removeOrphans({ db, files, clock, log }: SweepServices): Promise<number> {
  await db
    .updateTable('file')
    .set({ fileState: fileState.abandoned })
    .where('fileState', '=', fileState.uploaded)
    .where('createTime', '<', addDays(clock.now(), -1))
    .execute()
  let removed = 0
  for (let after = ''; ;) {
    const batch = await db
      .selectFrom('file')
      .select('storeKey')
      .where('fileState', '=', fileState.abandoned)
      .where('storeKey', '>', after)
      .orderBy('storeKey')
      .limit(200)
      .execute()
    const gone: string[] = []
    for (const { storeKey } of batch) {
      try {
        await files.remove(storeKey)
        gone.push(storeKey)
      } catch (err) {
        log.warn({ err, storeKey }, 'a file could not be removed; the next sweep tries again')
      }
    }
    await db
      .deleteFrom('file')
      .where('storeKey', '=', sql<string>`any(${gone}::text[])`)
      .where('fileState', '=', fileState.abandoned)
      .execute()
    removed += gone.length
    if (batch.length < 200) break
    after = batch.at(-1)!.storeKey
  }
  await files.tidy()
  return removed
}

const distinct = (ids: (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string')),
]

function assertInTransaction({ db }: Context): void {
  if (!db.isTransaction) throw new Error('files are taken and released in the transaction that writes the record')
}
