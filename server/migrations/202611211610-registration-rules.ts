import { sql, type Kysely } from 'kysely'

/**
 * What a course says about who may register and where people sign in, drawing by lot with a seed that is promised before and shown
 * after, and attendance session by session.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // quotaByCollege [{scId, quota}]: places of single colleges within the whole; a college that is not named has no limit of its own.
  // signLng, signLat: where the activity is, for signing in by place; signRadius in metres, null for the school's rule.
  // pickTime: when lots were drawn by themselves, or those reminded who still had to decide.
  `alter table "lesson" add column "rangeMajors" uuid[] not null default '{}', add column "rangeClasses" uuid[] not null default '{}', add column "quotaByCollege" jsonb not null default '[]',
     add column "signLng" double precision, add column "signLat" double precision, add column "signRadius" int, add column "pickTime" timestamptz`,
  `create index "lesson_pick" on "lesson" ("applyEnd") where "liStatus" = '30' and "pickTime" is null and "pendingCount" > 0 and "delFlag" = '0'`,
  // the place in the draw, counted from 1
  `alter table "registration" add column "drawNo" int`,

  // seed: secret until drawn. ranked [[laId, laStatus]] in the order of the draw, so that anybody can do it again.
  `create table "lessonDraw" ("schoolId" text not null, "liId" uuid not null, "seed" text not null, "digest" text not null, "committedTime" timestamptz not null,
     "drawnTime" timestamptz, "drawnBy" text not null default '', "places" int, "ranked" jsonb not null default '[]', primary key ("schoolId", "liId"), foreign key ("schoolId", "liId") references "lesson")`,

  // one row a participant and session that he signed in to with a code
  `create table "sessionSign" ("schoolId" text not null, "laId" uuid not null, "lseNo" int not null, "signInTime" timestamptz not null, "signOutTime" timestamptz, "signBy" uuid, "signLng" double precision, "signLat" double precision,
     primary key ("schoolId", "laId", "lseNo"), foreign key ("schoolId", "laId") references "registration" on delete cascade)`,
]
