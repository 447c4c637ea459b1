import { sql, type Kysely } from 'kysely'

/**
 * Teams that register for a course (decision 039): how large they are, what one place is for, who is in which, and what
 * a registration keeps of its team.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "lesson"
      add column "teamMin" int check ("teamMin" between 2 and 100),
      add column "teamMax" int check ("teamMax" between 2 and 100),
      add column "quotaUnit" text not null default '1',
      add constraint "lesson_team_size" check ("teamMax" >= "teamMin")`.execute(db)
  await sql`
    create table "team" (
      "schoolId" text not null,
      "teamId" uuid not null,
      "liId" uuid not null,
      "teamName" text not null,
      "captainId" uuid not null,
      "joinCode" text not null,
      "teamStatus" text not null default '0',
      "confirmTime" timestamptz,
      "createBy" uuid,
      "createName" text not null default '',
      "createTime" timestamptz not null default now(),
      "updateBy" uuid,
      "updateTime" timestamptz not null default now(),
      "version" integer not null default 0,
      primary key ("schoolId", "teamId"),
      foreign key ("schoolId", "liId") references "lesson",
      foreign key ("schoolId", "captainId") references "person"
    )`.execute(db)
  // a name is free again once its team is dissolved
  await sql`
    create unique index "team_name" on "team" ("schoolId", "liId", "teamName")
    where "teamStatus" <> '2'`.execute(db)
  await sql`create unique index "team_code" on "team" ("schoolId", "liId", "joinCode")`.execute(db)
  await sql`
    create table "teamMember" (
      "schoolId" text not null,
      "teamId" uuid not null,
      "suId" uuid not null,
      "liId" uuid not null,
      "memberRank" int not null check ("memberRank" > 0),
      "joinTime" timestamptz not null default now(),
      primary key ("schoolId", "teamId", "suId"),
      foreign key ("schoolId", "teamId") references "team",
      foreign key ("schoolId", "suId") references "person"
    )`.execute(db)
  // somebody is in at most one team of a course
  await sql`create unique index "teamMember_once" on "teamMember" ("schoolId", "liId", "suId")`.execute(db)
  await sql`
    alter table "registration"
      add column "teamId" uuid,
      add column "teamRank" int,
      add column "teamSize" int,
      add foreign key ("schoolId", "teamId") references "team",
      add constraint "registration_team_share" check ("teamRank" between 1 and "teamSize")`.execute(db)
  await sql`
    create index "registration_team" on "registration" ("schoolId", "teamId")
    where "teamId" is not null`.execute(db)
}
