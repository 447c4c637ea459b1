import { sql, type Kysely } from 'kysely'

/** A person's outbox is found without reading the school's messages; those of the system are in nobody's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "information_outbox" on "information" ("schoolId", "createBy", "sendTime") where "createBy" is not null and "outboxDeleted" = '0'`.execute(
    db,
  )
}
