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
