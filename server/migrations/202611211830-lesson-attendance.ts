import { sql, type Kysely } from 'kysely'

/**
 * What share of its sessions a participant of a course must have come to (per cent), when an approved course publishes itself, and how often
 * somebody typed a wrong sign-in code for a course lately (DOMAIN 1.1: eight tries).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "lesson" add column "minAttendRate" int not null default 0 check ("minAttendRate" between 0 and 100), add column "publishAt" timestamptz`,
  `create index "lesson_publish_at" on "lesson" ("publishAt") where "publishAt" is not null and "liStatus" = '20' and "delFlag" = '0'`,
  `create table "signTry" ("schoolId" text not null references "school", "liId" uuid not null, "suId" uuid not null, "tries" int not null default 1, "since" timestamptz not null, primary key ("schoolId", "liId", "suId"),
     foreign key ("schoolId", "liId") references "lesson", foreign key ("schoolId", "suId") references "person")`,
]
