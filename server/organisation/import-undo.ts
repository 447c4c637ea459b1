import { Failure } from '../../contract/core/failure.ts'
import { deleteMany, insertMany, updateMany, type BulkTable } from '../core/bulk-edit.ts'
import type { Context } from '../core/context.ts'
import { newId } from '../core/ids.ts'

/** What taking an imported row back needs: nothing of the record before where the import made it. */
export interface UndoRow<B> {
  id: string
  before: B | null
  /** The version the import left the record in; another one now means that somebody has changed it since. */
  version: number
}

/** A row to be written: the values of its columns, and the record it changes if there is one. */
export interface WriteRow<C extends string> {
  values: Record<C, unknown>
  known?: ({ id: string; version: number } & Record<C, unknown>) | undefined
  /** The id of a new record, where others of the same import refer to it. */
  id?: string
}

/** Writes imported rows, new and changed alike, and returns what takes each of them back. */
export async function writeRows<C extends string>(ctx: Context, table: BulkTable<C>, rows: readonly WriteRow<NoInfer<C>>[]): Promise<UndoRow<Record<C, unknown>>[]> {
  const names = Object.keys(table.columns) as C[]
  const undo = rows.map(({ known, id }) => {
    if (!known) return { id: id ?? newId(), before: null, version: 0 }
    const before = Object.fromEntries(names.map((name) => [name, known[name]])) as Record<C, unknown>
    return { id: known.id, before, version: known.version + 1 }
  })
  const withIds = rows.map(({ values, known }, at) => ({ ...values, id: undo[at]!.id, isNew: !known }))
  await insertMany(ctx, table, withIds.filter(({ isNew }) => isNew))
  await updateMany(ctx, table, withIds.filter(({ isNew }) => !isNew))
  return undo
}

/** Takes rows back; refuses unless every record is still as the import left it. What hangs on new records is asked before. */
export async function takeBack<C extends string>(ctx: Context, table: BulkTable<C>, rows: readonly UndoRow<Record<NoInfer<C>, unknown>>[]): Promise<void> {
  const added = rows.filter(({ before }) => before === null)
  const altered = rows.filter(({ before }) => before !== null)
  if ((await deleteMany(ctx, table, added)) !== added.length) throw new Failure('import-undo-late', { what: '部分新增的记录已被修改' })
  const back = altered.map(({ id, version, before }) => ({ ...before!, id, version }))
  if ((await updateMany(ctx, table, back)) !== altered.length) throw new Failure('import-undo-late', { what: '部分更新的记录已再次被修改' })
}

/** The ids of the records that the import made. */
export const addedIds = (rows: readonly UndoRow<unknown>[]): string[] => rows.filter(({ before }) => before === null).map(({ id }) => id)
