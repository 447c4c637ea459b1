import { sql } from 'kysely'
import { Failure } from '../../../contract/core/failure.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { deleteMany, insertMany, updateMany, type BulkTable } from '../../core/request/bulk-edit.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'

/** What taking an imported row back needs: nothing of the record before where the import made it. */
interface UndoRow<B> {
  id: string
  before: B | null
  /** The version the import left the record in; another one now means that somebody has changed it since. */
  version: number
}

/** A row to be written: the values of its columns, and the record it changes if there is one. */
interface WriteRow<C extends string> {
  values: Record<C, unknown>
  known?: ({ id: string; version: number } & Record<C, unknown>) | undefined
  /** The id of a new record, where others of the same import refer to it. */
  id?: string
}

/** Writes imported rows, new and changed alike, and returns what takes each of them back. */
export async function writeRows<C extends string>(
  ctx: Context,
  table: BulkTable<C>,
  rows: readonly WriteRow<NoInfer<C>>[],
): Promise<UndoRow<Record<C, unknown>>[]> {
  const names = Object.keys(table.columns) as C[]
  const undo = rows.map(({ known, id }) => {
    if (!known) return { id: id ?? newId(), before: null, version: 0 }
    const before = Object.fromEntries(names.map((name) => [name, known[name]])) as Record<C, unknown>
    return { id: known.id, before, version: known.version + 1 }
  })
  const withIds = rows.map(({ values, known }, at) => ({ ...values, id: undo[at]!.id, isNew: !known }))
  await insertMany(
    ctx,
    table,
    withIds.filter(({ isNew }) => isNew),
  )
  await updateMany(
    ctx,
    table,
    withIds.filter(({ isNew }) => !isNew),
  )
  return undo
}

/**
 * Takes rows back; refuses unless every record is still as the import left it, naming those that are not. What hangs on
 * new records is asked before.
 * @param nameColumn the column of the records' names
 */
export async function takeBack<C extends string>(
  ctx: Context,
  table: BulkTable<C>,
  nameColumn: NoInfer<C>,
  rows: readonly UndoRow<Record<NoInfer<C>, unknown>>[],
): Promise<void> {
  const { rows: now } = await sql<{ id: string; name: string; version: number }>`
      select ${sql.ref(table.id)} "id", ${sql.ref(nameColumn)} "name", "version"
      from ${sql.table(table.table)}
      where "schoolId" = ${ctx.actor.schoolId}
        and
        ${anyOf(
          table.id,
          rows.map(({ id }) => id),
        )}
      order by ${sql.ref(table.id)}
      for update`.execute(ctx.db)
  const left = new Map(rows.map(({ id, version }) => [id, version]))
  const changed = now.filter(({ id, version }) => left.get(id) !== version)
  if (changed.length > 0)
    throw new Failure('import-undo-late', {
      what: `${changed
        .slice(0, 5)
        .map(({ name }) => `“${name}”`)
        .join('、')}${changed.length > 5 ? `等 ${changed.length} 条记录` : ''}在导入之后已被修改`,
    })
  if (now.length < rows.length) throw new Failure('import-undo-late', { what: '部分记录在导入之后已被删除' })
  const added = rows.filter(({ before }) => before === null)
  const altered = rows.filter(({ before }) => before !== null)
  await deleteMany(ctx, table, added)
  await updateMany(
    ctx,
    table,
    altered.map(({ id, version, before }) => ({ ...before!, id, version })),
  )
}

/** The ids of the records that the import made. */
export const addedIds = (rows: readonly UndoRow<unknown>[]): string[] =>
  rows.filter(({ before }) => before === null).map(({ id }) => id)
