import pg from 'pg'

/** One statement as it went to the database. */
export interface Statement {
  text: string
  values: unknown[]
}

type Query = (this: pg.Client, first: unknown, second?: unknown, third?: unknown) => unknown

/**
 * What is no part of the work: a new connection sets itself up, and learns once how a transaction is opened; afterwards
 * that travels with the first statement. An idle one is asked now and then whether it is still there, by an empty one.
 */
const ofConnection = /^(set |start transaction|select pg_backend_pid\(\)|;$)/

/**
 * Runs `work` and returns what this process sent to the database meanwhile, in order, `commit` included. Not
 * for use while anything else goes on in the process.
 */
export async function recording(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function (first, second, third) {
    const query =
      typeof first === 'string' ? { text: first, values: second } : (first as { text: string; values?: unknown })
    statements.push({ text: query.text, values: Array.isArray(query.values) ? [...(query.values as unknown[])] : [] })
    return original.call(this, first, second, third)
  }
  try {
    await work()
  } finally {
    prototype.query = original
  }
  return statements.filter(({ text }) => !ofConnection.test(text))
}
