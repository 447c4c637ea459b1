import { sql, type RawBuilder } from 'kysely'
import { liftStatementLimit } from '../../core/database/pool.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { calledIn, gone, TraceEraser, type Plain, type Trace } from './traces.ts'
import { writtenTexts, type Written } from './written-texts.ts'

/** Rows read in one go; of those that change, each page is a transaction. */
const pageSize = 1000

/** People of whom PostgreSQL finds the rows that name them; of more the texts are read here, each once for all. */
const maxSought = 20

type Row = Record<string, Plain>

/** Types of a table's columns, and its key without the school. */
interface Shape {
  types: Record<string, string>
  key: string[]
}

/**
 * Takes the traces of people out of all that others wrote, page by page, each page a transaction unless there is one
 * around it; then it can be interrupted at any moment and begun again. The rows of the people themselves stay as they
 * are.
 */
export async function eraseTexts(ctx: Context, traces: readonly Trace[]): Promise<void> {
  if (traces.length === 0) return
  const eraser = new TraceEraser(traces, await kinOf(ctx, traces))
  const shapes = await shapesOf(ctx)
  for (const [table, written] of Object.entries(writtenTexts))
    await eraseIn(ctx, table, written, shapes(table), {
      eraser,
      sought: traces.length <= maxSought ? mayName(written, shapes(table), traces) : sql<boolean>`true`,
    })
}

/** The columns in which anybody may be named anywhere. */
const searched = ({ texts, bareNames = [] }: Written) => [...texts, ...bareNames]

/** Whether a row can name one of some people at all: the same as finding them in it, but for what is found too much. */
function mayName(written: Written, { types }: Shape, traces: readonly Trace[]) {
  const words = traces.flatMap((trace) => [...calledIn(trace), ...trace.tokens.map(([old]) => old)])
  // within JSON and lists a text is written as JSON writes it
  const sought = [...new Set(words.filter(Boolean).flatMap((word) => [word, JSON.stringify(word).slice(1, -1)]))]
  const patterns = sought.map((word) => `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`)
  const columns = searched(written).map((column) =>
    // as JSON it may have been written in another way
    types[column] === 'json' ? sql`${sql.ref(`t.${column}`)}::jsonb` : sql`${sql.ref(`t.${column}`)}`,
  )
  return sql<boolean>`(${sql.join(
    [
      ...(columns.length > 0
        ? [
            sql`concat_ws(' ', ${sql.join(columns.map((column) => sql`${column}::text`))}) like any(${patterns}::text[])`,
          ]
        : []),
      ...written.names.map(([, id]) => sql`${sql.ref(`t.${id}`)} = any(${traces.map(({ suId }) => suId)}::uuid[])`),
    ],
    sql` or `,
  )})`
}

async function eraseIn(
  ctx: Context,
  table: string,
  written: Written,
  shape: Shape,
  { eraser, sought }: { eraser: TraceEraser; sought: RawBuilder<boolean> },
): Promise<void> {
  for (let last: Row | undefined; ;) {
    const page = await inTransaction(ctx, async (tx) => {
      // of a school of many years a search takes longer than a request otherwise may
      await liftStatementLimit(tx.db)
      const found = await pageAfter(tx, table, shape, sought, last)
      const changed = found.filter((row) => without(row, written, eraser) !== row)
      if (changed.length === 0) return found
      // they may have changed since they were read
      const locked = await lockedRows(tx, table, shape, changed)
      await store(
        tx,
        table,
        written,
        shape,
        locked.map((row) => without(row, written, eraser)),
      )
      return found
    })
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}

/** The row without traces; the same object where it has none. */
function without(row: Row, written: Written, eraser: TraceEraser): Row {
  const { names, bareNames = [], contact } = written
  const people = eraser.about(row)
  let left = row
  const put = (column: string, value: Plain) => {
    if (JSON.stringify(value) !== JSON.stringify(row[column])) left = { ...left, [column]: value }
  }
  for (const column of searched(written)) put(column, eraser.erased(row[column] ?? null, people))
  for (const [column, id] of names) {
    const name = eraser.of(row[id])?.name
    // whatever they were called when it was written: the id says whose name it is
    if (name && row[column]) put(column, name.new)
  }
  for (const column of bareNames) put(column, eraser.bareName(left[column] ?? null))
  if (contact && left[contact[1]] !== row[contact[1]]) put(contact[0], gone)
  return left
}

const columnList = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(`t.${column}`)))
const valueList = (row: Row, { key, types }: Shape) =>
  sql.join(key.map((column) => sql`${String(row[column])}::${sql.raw(types[column]!)}`))

async function pageAfter(
  { db, actor }: Context,
  table: string,
  shape: Shape,
  sought: RawBuilder<boolean>,
  last?: Row,
): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(t) "row"
    from ${sql.table(table)} t
    where t."schoolId" = ${actor.schoolId}
      and ${sought}
      ${last && shape.key.length > 0 ? sql`and (${columnList(shape.key)}) > (${valueList(last, shape)})` : sql``}
    order by ${shape.key.length > 0 ? columnList(shape.key) : sql`t."schoolId"`}
    limit ${pageSize}`.execute(db)
  return rows.map(({ row }) => row)
}

/** Rows sent as one parameter, named `r`. */
const sent = (rows: readonly Row[], columns: readonly string[], { types }: Shape) =>
  sql`json_to_recordset(${JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((one) => [one, row[one]]))))}::json)
    as r(${sql.join(columns.map((one) => sql`${sql.ref(one)} ${sql.raw(types[one]!)}`))})`

const sameKey = ({ key }: Shape) =>
  sql.join([sql`true`, ...key.map((one) => sql`${sql.ref(`t.${one}`)} = ${sql.ref(`r.${one}`)}`)], sql` and `)

async function lockedRows({ db, actor }: Context, table: string, shape: Shape, rows: readonly Row[]): Promise<Row[]> {
  const keys = shape.key.length > 0 ? sql`, ${sent(rows, shape.key, shape)}` : sql``
  const found = await sql<{ row: Row }>`
    select to_jsonb(t) "row"
    from ${sql.table(table)} t ${keys}
    where t."schoolId" = ${actor.schoolId} and ${sameKey(shape)}
    order by ${shape.key.length > 0 ? columnList(shape.key) : sql`t."schoolId"`}
    for no key update of t`.execute(db)
  return found.rows.map(({ row }) => row)
}

async function store({ db, actor }: Context, table: string, written: Written, shape: Shape, rows: Row[]) {
  const columns = [...searched(written), ...written.names.map(([column]) => column)]
  await sql`
    update ${sql.table(table)} t
    set ${sql.join(columns.map((one) => sql`${sql.ref(one)} = ${sql.ref(`r.${one}`)}`))}
    from ${sent(rows, [...shape.key, ...columns], shape)}
    where t."schoolId" = ${actor.schoolId} and ${sameKey(shape)}`.execute(db)
}

async function shapesOf({ db }: Context): Promise<(table: string) => Shape> {
  const { rows } = await sql<{ table: string; column: string; type: string; isKey: boolean }>`
    select c.relname "table", a.attname "column", format_type(a.atttypid, a.atttypmod) "type",
      coalesce(a.attnum = any(i.indkey), false) "isKey"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${Object.keys(writtenTexts)}::text[])
    order by c.relname, array_position(i.indkey::int[], a.attnum::int)`.execute(db)
  return (table) => {
    const own = rows.filter((row) => row.table === table)
    return {
      types: Object.fromEntries(own.map(({ column, type }) => [column, type])),
      key: own.filter(({ column, isKey }) => isKey && column !== 'schoolId').map(({ column }) => column),
    }
  }
}

/** Records of these people that name them in texts of other rows, by their ids. */
async function kinOf({ db, actor }: Context, traces: readonly Trace[]): Promise<Map<string, string>> {
  const kin = new Map<string, string>()
  for (let at = 0; at < traces.length; at += pageSize) {
    const suIds = traces.slice(at, at + pageSize).map(({ suId }) => suId)
    const own = (table: string, id: string, person: string) =>
      sql`
        select ${sql.ref(`t.${id}`)} "id", ${sql.ref(`t.${person}`)} "suId"
        from ${sql.table(table)} t
        where t."schoolId" = ${actor.schoolId} and ${sql.ref(`t.${person}`)} = any(${suIds}::uuid[])`
    const approvalsOf = (table: string, id: string, person: string) =>
      sql`
        select a."insId", o."suId"
        from (${own(table, id, person)}) o
        join "approval" a on a."schoolId" = ${actor.schoolId} and a."bizId" = o."id"`
    const parts = [
      own('supplement', 'lisId', 'suId'),
      own('registration', 'laId', 'suId'),
      own('question', 'qId', 'reporterSuId'),
      own('question', 'qId', 'targetSuId'),
      own('lesson', 'liId', 'liPrincipalId'),
      own('circleApply', 'caId', 'applyBy'),
      own('approval', 'insId', 'startBy'),
      approvalsOf('supplement', 'lisId', 'suId'),
      approvalsOf('question', 'qId', 'reporterSuId'),
      approvalsOf('question', 'qId', 'targetSuId'),
    ]
    const { rows } = await sql<{ id: string; suId: string }>`${sql.join(parts, sql` union `)}`.execute(db)
    for (const { id, suId } of rows) kin.set(id, suId)
  }
  return kin
}
