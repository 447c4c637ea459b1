import pg from 'pg'

/** One statement as it went to the database. */
export interface Statement {
  text: string
  values: unknown[]
  /** Statements of one wave were under way together; the next wave waited for their answers. */
  wave: number
}

type Query = (this: pg.Client, first: unknown, second?: unknown, third?: unknown) => unknown

/**
 * Runs `work` and returns what this process sent to the database meanwhile, in order. Not for use while anything else
 * goes on in it.
 */
export async function recording(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  let open = 0
  let wave = 0
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function (first, second, third) {
    if (open === 0) wave++
    const query =
      typeof first === 'string' ? { text: first, values: second } : (first as { text: string; values?: unknown })
    statements.push({
      text: query.text,
      values: Array.isArray(query.values) ? [...(query.values as unknown[])] : [],
      wave,
    })
    open++
    const answer = original.call(this, first, second, third)
    void Promise.resolve(answer)
      .catch(() => {})
      .finally(() => open--)
    return answer
  }
  try {
    await work()
  } finally {
    prototype.query = original
  }
  // a new connection sets itself up; that is no part of the work
  return statements.filter(({ text }) => !text.startsWith('set '))
}

/** The moment in a version 7 UUID, in milliseconds; 0 for anything else. */
const madeAt = (value: unknown): number =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(value)
    ? Number.parseInt(value.slice(0, 8) + value.slice(9, 13), 16)
    : 0

/** The ids among a recording's values that were made anew while it was recorded. */
export const idsMadeSince = (statements: Statement[], began: number): string[] => [
  ...new Set(statements.flatMap(({ values }) => values as string[]).filter((value) => madeAt(value) >= began)),
]
