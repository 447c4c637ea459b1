import pg from 'pg'

/** One statement as it went to the database. */
export interface Statement {
  text: string
  values: unknown[]
}

type Query = (this: pg.Client, first: unknown, second?: unknown, third?: unknown) => unknown

/** Runs `work` and returns what it sent to the database, in order. Statements of signing in are left out: the peer has no sign-in. */
export async function recording(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function (first, second, third) {
    if (typeof first === 'string') statements.push({ text: first, values: Array.isArray(second) ? second : [] })
    else if (first && typeof first === 'object' && 'text' in first) statements.push({ text: (first as Statement).text, values: (first as Statement).values ?? [] })
    return original.call(this, first, second, third)
  }
  try {
    await work()
  } finally {
    prototype.query = original
  }
  return statements.filter(({ text }) => !/from "session"|"roleUser"\."suId" = |update "session"|^set timezone|^select 1$|"jobStatus"/.test(text))
}
