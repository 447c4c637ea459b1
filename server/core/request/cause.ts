import { sql } from 'kysely'
import type { Context } from './context.ts'

/** Why people's rows are about to change, where it is not that somebody saves a form. */
export type Cause = 'import' | 'source' | 'graduation' | 'undo'

/**
 * Sets `dekt.cause` for the rest of this transaction; triggers write it into `studentChange` (decision 108).
 * @param id the import or graduation
 */
export async function because({ db }: Pick<Context, 'db'>, cause: Cause, id = ''): Promise<void> {
  await sql`select set_config('dekt.cause', ${cause}, true), set_config('dekt.cause_id', ${id}, true)`.execute(db)
}
