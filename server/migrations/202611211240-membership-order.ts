import { sql, type Kysely } from 'kysely'

/** A membership of a role may end by itself, and the members of a department stand in an order of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // the last day on which the role holds; null: until it is taken back
  await sql`alter table "roleUser" add column "endDate" date`.execute(db)
  await sql`create index "roleUser_end" on "roleUser" ("endDate") where "endDate" is not null`.execute(db)
  // who has a class, a college or a department in his area
  await sql`create index "controlArea_target" on "controlArea" ("schoolId", "caType", "caTarget")`.execute(db)
  // where a member stands among those of his department; sdSort is where a department stands among those of a person
  await sql`alter table "departmentUser" add column "memberSort" int not null default 0`.execute(db)
}
