import { sql, type Kysely } from 'kysely'

/** How many students were warned at the end of each term (DOMAIN 4.8: 每学期预警趋势): kept by where they stood, so that everybody sees the trend of his own part of the school. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // rewritten by every weighing of its term: the last one of a term stays. About as many rows a term as there are classes
  `create table "warningTerm" ("schoolId" text not null references "school", "wtId" uuid not null default gen_random_uuid(), "tmStart" date not null, "tmName" text not null, "collegeId" uuid, "majorId" uuid, "classId" uuid, "grade" text,
     "total" int not null, "level1" int not null, "level2" int not null, "level3" int not null, primary key ("schoolId", "tmStart", "wtId"))`,
]
