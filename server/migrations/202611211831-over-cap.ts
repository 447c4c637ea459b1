import { sql, type Kysely } from 'kysely'

/** Hours above the school's cap of a term that a student was granted, in hundredths; written once, never changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table "overCap" ("schoolId" text not null references "school", "ocId" uuid not null, "suId" uuid not null, "tmName" text not null, "tmStart" date not null, "tmEnd" date not null, "hours" int not null check ("hours" > 0),
    "reason" text not null, "createBy" uuid not null, "createName" text not null, "createTime" timestamptz not null, primary key ("schoolId", "ocId"), foreign key ("schoolId", "suId") references "person")`)
    .execute(db)
  await sql.raw(`create index "overCap_student" on "overCap" ("schoolId", "suId")`).execute(db)
}
