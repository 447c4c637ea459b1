import { sql, type Kysely } from 'kysely'

/** What the screen about the state of the installation tells: processes that are alive, slow statements, alarms. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "processBeat" (
      "pbId" uuid primary key,
      "instance" text not null,
      "pbKind" text not null,
      "programVersion" text not null,
      "nodeVersion" text not null,
      "startTime" timestamptz not null default now(),
      "beatTime" timestamptz not null default now(),
      "memory" bigint not null,
      "loopDelay" int not null,
      "poolBusy" int not null,
      "poolWaiting" int not null,
      "listenSilence" int
    )`.execute(db)
  await sql`comment on table "processBeat" is 'processes of the installation and when they last said so'`.execute(db)
  await sql`comment on column "processBeat"."loopDelay" is 'milliseconds, the 99th percentile since the last beat'`.execute(
    db,
  )
  await sql`
    create table "slowStatement" (
      "ssId" text primary key,
      "ssText" text not null,
      "ssCall" text not null,
      "ssCount" bigint not null,
      "totalMs" bigint not null,
      "maxMs" bigint not null,
      "lastTime" timestamptz not null default now()
    )`.execute(db)
  await sql`comment on table "slowStatement" is 'texts without values, by call'`.execute(db)
  await sql`
    create table "alarm" (
      "schoolId" text not null references "school",
      "alKind" text not null,
      "alText" text not null,
      "occurrence" text not null default '',
      "raiseTime" timestamptz not null,
      primary key ("schoolId", "alKind")
    )`.execute(db)
  await sql`comment on table "alarm" is 'what is wrong now and has been told to people of the school'`.execute(db)
}
