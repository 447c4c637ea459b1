import type { OpenServices } from '../server/setup/open-services.ts'
import { size } from './prepare.ts'
import { rounded, type Part } from './report.ts'

interface TableRow {
  table: string
  rows: number
  heap: number
  indexes: number
  dead: number
  visible: number
  age: number
  vacuums: number
}

/** Tables smaller than this, in bytes, are summed up. */
const small = 2e6
/**
 * Bars: the share of dead rows from which on a table is behind with its vacuum, and the age at which the database
 * freezes a table whether that suits or not.
 */
const bars = { dead: 0.2, age: 200_000_000 }

/**
 * What the tables of the school take on the disk, by row, and how far the vacuum is with them: the figures of the model
 * of growth (`model.ts`).
 */
export async function storage({ pool }: OpenServices): Promise<Part> {
  const { rows } = await pool.query<TableRow>(
    `select c.relname "table", c.reltuples::float8 "rows", pg_table_size(c.oid)::float8 "heap",
       pg_indexes_size(c.oid)::float8 "indexes", coalesce(s.n_dead_tup, 0)::float8 "dead",
       case when c.relpages > 0 then c.relallvisible::float8 / c.relpages else 1 end "visible",
       age(c.relfrozenxid)::float8 "age", (coalesce(s.vacuum_count, 0) + coalesce(s.autovacuum_count, 0))::float8 "vacuums"
     from pg_class c
     left join pg_stat_user_tables s on s.relid = c.oid
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
     order by pg_total_relation_size(c.oid) desc`,
  )
  const part: Part = {
    title: `What a school of ${size.students.toLocaleString('en')} students takes on the disk`,
    rows: [],
    missed: [],
  }
  const add = (table: string, all: TableRow[]): void => {
    const sum = (of: (row: TableRow) => number) => all.reduce((total, row) => total + of(row), 0)
    const [count, heap, indexes] = [sum(({ rows: n }) => Math.max(n, 0)), sum((t) => t.heap), sum((t) => t.indexes)]
    part.rows.push({
      table,
      rows: Math.round(count),
      MB: Math.round((heap + indexes) / 1e6),
      'bytes a row': count > 0 ? Math.round((heap + indexes) / count) : '',
      'of that indexes': count > 0 ? Math.round(indexes / count) : '',
      'rows a student': rounded(count / size.students),
      'dead rows': sum((t) => t.dead),
      'pages all visible': rounded(Math.min(...all.map((t) => t.visible))),
      'age of oldest row': Math.max(...all.map((t) => t.age)),
    })
  }
  const isBig = (row: TableRow): boolean => row.heap + row.indexes >= small
  for (const row of rows.filter(isBig)) add(row.table, [row])
  add(
    'all others',
    rows.filter((row) => !isBig(row)),
  )
  add('together', rows)
  for (const { table, rows: n, dead, age } of rows) {
    if (n > 1000 && dead > n * bars.dead) part.missed.push(`${table}: ${dead} dead rows of ${Math.round(n)}`)
    if (age > bars.age) part.missed.push(`${table}: its oldest row is ${age} transactions old`)
  }
  return part
}
