import { sql, type Kysely } from 'kysely'

/**
 * Who asked for their data to be erased: by whom it was done, when and why (decision 131). The reason is kept without
 * what the person was recognised by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "personErasure" (
      "schoolId" text not null,
      "suId" uuid not null,
      "reason" text not null,
      "createBy" uuid,
      "createName" text not null default '',
      "createTime" timestamptz not null,
      primary key ("schoolId", "suId"),
      foreign key ("schoolId", "suId") references "person" ("schoolId", "suId")
    )`.execute(db)
  await sql`comment on table "personErasure" is 'People whose data were erased because they asked for it.'`.execute(db)
  await sql`comment on column "personErasure"."reason" is 'why, without the name and numbers of the person'`.execute(db)
}
