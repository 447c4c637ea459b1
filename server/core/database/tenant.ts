import { sql, type JoinBuilder, type SelectQueryBuilder, type StringReference } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { Db, Tables } from './pool.ts'

type TableWith<Column extends string> = {
  [T in keyof Tables]: [Column] extends [keyof Tables[T]] ? T : never
}[keyof Tables]
type SchoolTable = TableWith<'schoolId'>
type SoftDeletedTable = TableWith<'schoolId' | 'delFlag'>
/** The tables, with one of them also under another name, as Kysely has them after `selectFrom('lesson as l')`. */
type TablesWith<A extends string, T extends keyof Tables> = {
  [K in keyof Tables | A]: K extends A ? Tables[T] : K extends keyof Tables ? Tables[K] : never
}

/** Tables whose rows are marked as deleted and stay. The type makes sure that none is missing. */
const softDeleted: Record<SoftDeletedTable, true> = {
  awardDetail: true,
  circle: true,
  lesson: true,
  news: true,
  person: true,
  question: true,
  registration: true,
  supplement: true,
  thresholdHelp: true,
}

/** Where to read and which school's rows: a request's context has both. */
export type SchoolReader = { db: Db } & ({ actor: { schoolId: string } } | { schoolId: string })

interface FromOptions {
  /** Rows marked as deleted come too. */
  withDeleted?: true
}

/**
 * Begins a query for the rows of one table that belong to the school at hand and, where the table marks deleted rows,
 * are not deleted: `from(ctx, 'lesson')`, `from({ db, schoolId }, 'lesson as l')`.
 */
export function from<T extends SchoolTable>(
  reader: SchoolReader,
  table: T,
  options?: T extends SoftDeletedTable ? FromOptions : never,
): SelectQueryBuilder<Tables, T, {}>
export function from<T extends SchoolTable, A extends string>(
  reader: SchoolReader,
  table: `${T} as ${A}`,
  options?: T extends SoftDeletedTable ? FromOptions : never,
): SelectQueryBuilder<TablesWith<A, T>, A, {}>
export function from(reader: SchoolReader, table: string, { withDeleted }: FromOptions = {}) {
  const [name = table, alias = name] = table.split(' as ')
  const schoolId = 'actor' in reader ? reader.actor.schoolId : reader.schoolId
  const rows = reader.db.selectFrom(table as SchoolTable).where(sql.ref<string>(`${alias}.schoolId`), '=', schoolId)
  if (!(name in softDeleted) || withDeleted) return rows
  // written into the statement: the planner uses a partial index only where it sees the constant
  return rows.where(sql.ref<string>(`${alias}.delFlag`), '=', sql.lit(yesNo.no))
}

type SchoolOf<Column extends string> = Column extends `${infer Table}.${string}` ? `${Table}.schoolId` : never

/**
 * The condition of a join: two columns are equal, and both rows belong to the same school:
 * `.leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))`. Columns are written with their table; a
 * column that the query does not have fails to compile.
 */
export function withinSchool<L extends `${string}.${string}`, R extends `${string}.${string}`>(left: L, right: R) {
  return <DB, TB extends keyof DB>(
    join: JoinBuilder<DB, TB>,
  ): [L | R | SchoolOf<L | R>] extends [StringReference<DB, TB>]
    ? JoinBuilder<DB, TB>
    : 'a column is not of this query or has no table before it' => {
    const schoolOf = (column: string): string => `${column.split('.')[0]}.schoolId`
    return join
      .onRef(schoolOf(left) as never, '=', schoolOf(right) as never)
      .onRef(left as never, '=', right as never) as never
  }
}

/**
 * Condition of work that goes through all schools by itself: rows of a school that its operator has suspended are left
 * until it works again.
 * @param table name or alias of what is selected from
 */
export const ofWorkingSchool = (table: string) => sql<boolean>`not exists (
    select
    from "school"
    where "school"."schoolId" = ${sql.ref(`${table}.schoolId`)} and "school"."suspendedTime" is not null
  )`
