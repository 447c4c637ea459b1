import { sql, type Kysely } from 'kysely'

/**
 * Rules by which hours, credit, points or volunteer hours become credit, a mark or stars on the transcript. They are reckoned whenever
 * they are shown and write nothing into the ledger. ratio, min, value and cap are whole hundredths; segments [{min, value}] rise by min.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table "transformation" ("schoolId" text not null references "school", "trId" uuid not null, "trName" text not null, "trDesc" text not null default '', "fromType" text not null, "toType" text not null, "mode" text not null,
    "ratio" int, "segments" jsonb not null default '[]', "rounding" text not null default '1', "decimals" int not null default 2, "cap" int, "scopeLsIds" uuid[] not null default '{}', "scopeGrades" text[] not null default '{}', "effectTerm" uuid, "enable" text not null default '1',
    "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "updateBy" uuid, "updateTime" timestamptz not null default now(), "version" int not null default 0,
    primary key ("schoolId", "trId"), unique ("schoolId", "trName"), foreign key ("schoolId", "effectTerm") references "term")`)
    .execute(db)
}
