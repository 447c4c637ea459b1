import { sql, type Kysely } from 'kysely'

/**
 * Courses that change after they were published: what is approved stays in force until the change is approved too. Also what finds the
 * parts of a series, the sessions at a time, and courses whose sign-up has just ended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // lcStatus: 0 under approval, 1 in force, 2 refused, 3 withdrawn. columns: of the course, only those that change; teacherIds, signerIds, sessions: null where they stay
  `create table "lessonChange" ("schoolId" text not null, "lcId" uuid not null, "liId" uuid not null, "lcStatus" text not null default '0', "columns" jsonb not null, "sessions" jsonb, "teacherIds" uuid[], "signerIds" uuid[],
     "filesBefore" uuid[] not null default '{}', "filesAfter" uuid[] not null default '{}', "differences" jsonb not null, "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(), "endTime" timestamptz, "reason" text not null default '',
     primary key ("schoolId", "lcId"), foreign key ("schoolId", "liId") references "lesson" on delete cascade)`,
  `create unique index "lessonChange_open" on "lessonChange" ("schoolId", "liId") where "lcStatus" = '0'`,
  // changeId: the change under approval. turnoutFor: the end of sign-up for which the number of applicants has been weighed
  `alter table "lesson" add "changeId" uuid, add "turnoutFor" timestamptz`,
  `create index "lesson_series" on "lesson" ("schoolId", "parentLiId") where "parentLiId" is not null`,
  `create index "lesson_turnout" on "lesson" ("applyEnd") where "liStatus" = '30' and "delFlag" = '0'`,
  `create index "lessonSession_time" on "lessonSession" ("schoolId", "startTime")`,
]
