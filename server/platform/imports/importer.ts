import type { Permit } from '../../../contract/core/call.ts'
import type { Sheet, SheetRow } from '../../../contract/core/sheets.ts'
import type { ImportKind, ImportTarget } from '../../../contract/platform/imports/imports.schema.ts'
import type { Context } from '../../core/request/context.ts'
import type { CellFault } from '../../core/sheets/read-row.ts'

type Key<S extends Sheet> = S['columns'][number]['key']

/** What a domain says of one row. Faults are wrong in themselves; conflicts contradict what is already there. */
export interface Checked<S extends Sheet, F> {
  faults?: readonly { key?: Key<S>; msg: string }[]
  conflicts?: readonly { key?: Key<S>; msg: string }[]
  /** What deserves a look although the row is written. */
  hints?: readonly { key?: Key<S>; msg: string }[]
  /**
   * The record the row is about, if there is one: its values in the sheet's form, for the comparison field by field.
   */
  existing?: Partial<SheetRow<S>> | undefined
  /**
   * What the commit needs and the sheet does not say: ids of the names it mentions, the existing record's id and
   * version.
   */
  found?: F
}

/** A row to be written. Cells that were left blank hold the existing record's value. */
export interface CommitRow<S extends Sheet, F> {
  rowNo: number
  verdict: 'new' | 'update'
  row: SheetRow<S>
  found: F
}

/**
 * How one kind of record is imported; the machine does everything that is the same for all of them. Every function
 * works on all rows at once with a constant number of statements per few thousand rows, and sees only what `ctx.scope`
 * covers.
 */
interface Importer<S extends Sheet, L, F, U> {
  sheet: S
  /** The right that import of this kind needs; `ctx.scope` is what the caller may see under it. */
  permit: Permit
  /**
   * Columns that together name a record; each set may occur once in a file. Rows with an empty one are left to the
   * checks.
   */
  unique: readonly (readonly Key<S>[])[]
  /**
   * Columns that together are seldom the same for two records: rows of one file that agree in them are told, and
   * written all the same.
   */
  similar?: readonly (readonly Key<S>[])[]
  /** Which record the rows are imported into. */
  needs?: readonly (keyof ImportTarget)[]
  /**
   * Rows that are checked, written and taken back at a time, all inside one transaction; all rows of the file unless
   * given. For kinds of which schools have tens of thousands, and of which no row depends on another of the same file.
   */
  rowsAtOnce?: number
  /** Words of the template's drop-downs that depend on the school or the target. */
  choices?(ctx: Context, target: ImportTarget): Promise<Partial<Record<Key<S>, readonly string[]>>>
  /** How many new records the operator still lets the school have; undefined for no bound. */
  room?(ctx: Context): Promise<number | undefined>
  /**
   * Reads whatever the checks need. Refuses a target out of reach or in the wrong state. Runs again inside the commit.
   */
  load(ctx: Context, target: ImportTarget, rows: readonly SheetRow<S>[]): Promise<L>
  /** Checks one row; pure. */
  check(row: SheetRow<S>, lookups: L): Checked<S, F>
  /**
   * Writes the rows, inside the transaction. Returns for each row what {@link undo} needs to take it back. A value with
   * the record's `id` and the `version` it was left in lets an earlier import of the same record be taken back after
   * this one.
   */
  commit(ctx: Context, target: ImportTarget, rows: readonly CommitRow<S, F>[], ibId: string): Promise<readonly U[]>
  /**
   * Takes rows back, last first, inside a transaction; refuses with `import-undo-late` when they have been used since.
   */
  undo(ctx: Context, target: ImportTarget, rows: readonly U[], ibId: string): Promise<void>
}

/** An importer whose row types are known only to itself. */
export type AnyImporter = Importer<Sheet, unknown, unknown, unknown>

/** Makes an importer; its types follow from the sheet and what its functions return. */
export const importer = <S extends Sheet, L, F, U>(value: Importer<S, L, F, U>): AnyImporter =>
  value as unknown as AnyImporter

/** The importers of the service by kind, joined in app.ts. */
export type Importers = { readonly [K in ImportKind]?: AnyImporter }

export type { CellFault }
