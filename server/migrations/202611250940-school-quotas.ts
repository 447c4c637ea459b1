import { sql, type Kysely } from 'kysely'

/**
 * What a school may use, where its operator sets a bound, and what it uses of that: counted along, and anew each hour.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "schoolQuota" (
      "schoolId" text primary key references "school" ("schoolId"),
      "maxPeople" integer check ("maxPeople" > 0),
      "maxBytes" bigint check ("maxBytes" > 0),
      "maxConcurrent" integer check ("maxConcurrent" > 0),
      "maxPerMinute" integer check ("maxPerMinute" > 0),
      "maxTasks" integer check ("maxTasks" > 0),
      "maxMessages" integer check ("maxMessages" > 0),
      "usedPeople" integer not null default 0,
      "usedBytes" bigint not null default 0,
      "usedMessages" integer not null default 0,
      "messageDay" date not null default '0001-01-01',
      "countTime" timestamptz not null default now()
    )`.execute(db)
  await sql`
    comment on table "schoolQuota"
      is 'bounds that the operator has set a school; null for none, and no row where there is none at all'`.execute(db)
  await sql`
    comment on column "schoolQuota"."usedMessages" is 'copies that people have sent on messageDay'`.execute(db)
}
