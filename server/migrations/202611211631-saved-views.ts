import { sql, type Kysely } from 'kysely'

/** Filters of a list that a person keeps under a name. listName: the path of the screen; svQuery: filters and order as the address bar has them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table "savedView" ("schoolId" text not null, "suId" uuid not null, "svId" uuid not null, "listName" text not null, "svTitle" text not null, "svQuery" jsonb not null, "createTime" timestamptz not null,
    primary key ("schoolId", "suId", "svId"), unique ("schoolId", "suId", "listName", "svTitle"), foreign key ("schoolId", "suId") references "person" on delete cascade)`.execute(
    db,
  )
}
