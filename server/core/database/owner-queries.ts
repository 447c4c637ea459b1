import type pg from 'pg'

/**
 * What commands of the owner ask of a whole database, over a connection of their own and outside of any school.
 */

/** What tells one installation from another and betrays none of its secrets; undefined before its first start. */
export async function installationHash(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ is: string }>(
    `select encode(sha256(convert_to("inValue", 'UTF8')), 'hex') "is" from "installation" where "inKey" = 'secrets'`,
  )
  return rows[0]?.is
}

/** What the file store of the database is known by (`core/files/store-mark.ts`); undefined before its first start. */
export async function storeMark(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ mark: string }>(
    `select "inValue" "mark" from "installation" where "inKey" = 'files'`,
  )
  return rows[0]?.mark
}

/**
 * Runs `work` while no other command does the same to a school in this installation; the lock goes with the connection.
 * @param what is done, in words of the code
 * @returns undefined, with nothing done, where another one does it
 */
export async function whileAlone<R>(
  client: pg.Client,
  what: string,
  schoolId: string,
  work: () => Promise<R>,
): Promise<{ done: R } | undefined> {
  const { rows } = await client.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(hashtext($1), hashtext($2)) "mine"`,
    [what, schoolId],
  )
  if (!rows[0]!.mine) return undefined
  try {
    return { done: await work() }
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1), hashtext($2))', [what, schoolId]).catch(() => {})
  }
}

/** Names of the tables that hold rows of schools, by the alphabet; parts of a table are not named beside it. */
export async function schoolTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname "name"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'schoolId' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`,
  )
  return rows.map(({ name }) => name)
}
