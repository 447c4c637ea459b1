import pg from 'pg'

/**
 * What the driver's query and connection have inside and its types do not tell. The driver's version is exact in
 * package.json, and `pool.test.ts` notices when a later one works otherwise.
 */
interface Connection {
  stream: { cork(): void; uncork(): void }
  query(text: string): void
  sendCopyFromChunk(rows: Buffer): void
  endCopyFrom(): void
  bind(message: { statement: string }): void
  describe(message: object): void
  execute(message: object): void
}
interface Columns {
  fields: unknown[]
  _parsers: unknown[] | undefined
  _prebuiltEmptyResultObject: unknown
}
interface DriverQuery {
  name: string
  callback: (error: Error | null, result?: pg.QueryResult) => void
  _result: Columns & { parseRow(values: unknown[]): unknown; addRow(row: unknown): void }
  _accumulateRows: boolean
  _canceledDueToError: unknown
  prepare(connection: Connection): void
  submit(connection: Connection): Error | null
  handleRowDescription(message: object): void
  handleDataRow(message: { fields: unknown[] }): void
  handleCommandComplete(message: object, connection: Connection): void
  handleCopyInResponse(connection: Connection): void
}
type Done = (error: Error | null, result: pg.QueryResult) => void
const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => DriverQuery

/** What is remembered for a connection. */
interface Memory {
  /** The columns of the statements that have been described, by their names. */
  columns: Map<string, Columns>
  /** The connection itself, which asks for no description. */
  silent: Connection
  /** What has been written in this turn of the event loop is sent at its end. */
  isCorked: boolean
}
const memories = new WeakMap<object, Memory>()

function memoryOf(connection: Connection): Memory {
  let memory = memories.get(connection)
  if (!memory) {
    const silent = Object.create(connection, { describe: { value: () => {} } }) as Connection
    memories.set(connection, (memory = { columns: new Map(), silent, isCorked: false }))
  }
  return memory
}

/**
 * A prepared statement whose columns are described by the server once per connection, not at each execution; PostgreSQL
 * refuses to run a prepared statement whose columns have changed. Statements of one turn of the event loop leave in one
 * write.
 */
class PreparedQuery extends DriverQuery {
  readonly #opening: string | undefined
  #isOpening: boolean
  #columns: Columns | undefined

  constructor({ name, text, values }: Statement, opening: string | undefined, done: Done) {
    // of an object the driver would make a copy, property by property
    super(text, values, done)
    if (name !== undefined) this.name = name
    this.#opening = opening
    this.#isOpening = opening !== undefined
  }

  override submit(connection: Connection): Error | null {
    const memory = memoryOf(connection)
    if (!memory.isCorked) {
      memory.isCorked = true
      connection.stream.cork()
      process.nextTick(() => {
        memory.isCorked = false
        connection.stream.uncork()
      })
    }
    return super.submit(connection)
  }

  override prepare(connection: Connection): void {
    // no Sync between: where the transaction cannot be opened, PostgreSQL skips the statement
    if (this.#opening !== undefined) {
      connection.bind({ statement: this.#opening })
      connection.execute({})
    }
    const { columns, silent } = memoryOf(connection)
    this.#columns = columns.get(this.name)
    if (!this.#columns) return super.prepare(connection)
    this._result.fields = this.#columns.fields
    this._result._parsers = this.#columns._parsers
    this._result._prebuiltEmptyResultObject = this.#columns._prebuiltEmptyResultObject
    this._accumulateRows = true
    super.prepare(silent)
  }

  override handleDataRow(message: { fields: unknown[] }): void {
    if (this._canceledDueToError) return
    try {
      this._result.addRow(this._result.parseRow(message.fields))
    } catch (error) {
      this._canceledDueToError = error
    }
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#isOpening) {
      this.#isOpening = false
      return
    }
    if (!this.#columns && this.name) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      memoryOf(connection).columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleCommandComplete(message, connection)
  }
}

/**
 * Whether PostgreSQL refused to run a prepared statement for what became of it: its columns are others since a newer
 * release changed the schema, or it is gone, as behind a pooler or after `discard all`. Nothing of it was run. Told by
 * the routine, for triggers of append-only tables refuse by the same code.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.routine === 'RevalidateCachedQuery' || error.code === '26000')

interface Statement {
  name: string | undefined
  text: string
  values: unknown[]
}

/**
 * Runs a statement, prepared under its name at its first use on the connection; without a name it is prepared for this
 * once.
 * @param opening the name of a prepared statement that opens a transaction, run just before; if that fails, neither
 *   takes effect
 */
export const runPrepared = (client: pg.ClientBase, statement: Statement, opening?: string): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result))
    const submitted = new PreparedQuery(statement, opening, done)
    client.query(submitted as unknown as pg.Submittable)
  })

/**
 * `copy … from stdin` whose rows go out right behind it, without waiting to be asked for them: so that statements that
 * are sent behind it stay behind it. PostgreSQL drops the rows where it refuses the statement.
 */
class CopyQuery extends DriverQuery {
  readonly #text: string
  readonly #rows: Buffer

  constructor(text: string, rows: Buffer, done: Done) {
    super(text, [], done)
    this.#text = text
    this.#rows = rows
  }

  override submit(connection: Connection): null {
    connection.query(this.#text)
    connection.sendCopyFromChunk(this.#rows)
    connection.endCopyFrom()
    return null
  }

  override handleCopyInResponse(): void {
    // they are on their way
  }
}

/** Runs `copy … from stdin`, before which the text may have other statements, with the rows in the text format. */
export const runCopy = (client: pg.ClientBase, text: string, rows: Buffer): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result))
    client.query(new CopyQuery(text, rows, done) as unknown as pg.Submittable)
  })
