import { sql } from 'kysely'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** Keeps what taking back the committed rows of an import needs. */
export async function keepUndo(
  { db, actor }: Context,
  ibId: string,
  undo: readonly { rowNo: number; undo: unknown }[],
): Promise<void> {
  for await (const part of chunksOf(undo, 2000)) {
    const rows = part.map(({ rowNo, undo: value }) => ({ rowNo, ...markOf(value), undo: value }))
    await sql`
      insert into "importUndo" ("schoolId", "ibId", "rowNo", "recordId", "version", "undo")
      select ${actor.schoolId}, ${ibId}::uuid, r.*
      from ${recordset(rows, { rowNo: 'int', recordId: 'uuid', version: 'int', undo: 'jsonb' })}`.execute(db)
  }
}

/** The record a row left, and in which version, where the importer tells it. */
function markOf(value: unknown): { recordId: string | null; version: number | null } {
  const { id, version } = value as { id?: unknown; version?: unknown }
  return typeof id === 'string' && typeof version === 'number'
    ? { recordId: id, version }
    : { recordId: null, version: null }
}

/** What undoing an import needs, last row first, some at a time. */
export async function* undoOf(ctx: Context, ibId: string, immediateWork: number): AsyncGenerator<unknown[]> {
  for (let before = 2 ** 31 - 1; ;) {
    const rows = await from(ctx, 'importUndo')
      .select(['rowNo', 'undo', 'version'])
      .where('ibId', '=', ibId)
      .where('rowNo', '<', before)
      .orderBy('rowNo', 'desc')
      .limit(immediateWork)
      .execute()
    if (rows.length === 0) return
    yield rows.map(({ undo, version }) => (version === null ? undo : { ...(undo as object), version }))
    before = rows.at(-1)!.rowNo
  }
}

/**
 * After an undo the records that the import had changed are as they were, but their versions have gone on. The earlier
 * imports that left them in that state take the new versions over, so that they can be taken back in their turn.
 */
export async function passVersionsOn({ db, actor }: Context, ibId: string): Promise<void> {
  await sql`
    update "importUndo" e
    set "version" = u."version" + 1
    from "importUndo" u
    where u."schoolId" = ${actor.schoolId}
      and u."ibId" = ${ibId}::uuid
      and u."recordId" is not null
      and e."schoolId" = u."schoolId"
      and e."recordId" = u."recordId"
      and e."ibId" <> u."ibId"
      and e."version" = u."version" - 1`.execute(db)
}
