import { sql, type Kysely } from 'kysely'

/** The share of a circle in its courses, kept with the rollup of courses, and the notes for it (decision 022). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A statement-level trigger on a table that notes the courses whose figures a statement moved. */
const noting = (name: string, table: string, event: 'insert' | 'update' | 'delete', body: string): string[] => [
  `create function "${name}"() returns trigger language plpgsql as $$ begin insert into "statChange" ("schoolId", "scKind", "scKey", "scDay") ${body}; return null; end $$`,
  `create trigger "${name}" after ${event} on "${table}" referencing ${[...(event === 'insert' ? [] : ['old table as was']), ...(event === 'delete' ? [] : ['new table as became'])].join(' ')} for each statement execute function "${name}"()`,
]
const courses = (touched: string, from: string) =>
  `select distinct l."schoolId", 'L', l."liId", null::date from (${touched}) m join "lesson" l on l."schoolId" = m."schoolId" and l."liCircleId" = m."ciId" and l."startTime" >= ${from}`

const statements = [
  // members: of the circle when the course began; membersSigned: those of them who were there. None for a course of no circle
  `alter table "statLesson" add column "members" int not null default 0, add column "membersSigned" int not null default 0`,
  `create index "circleMember_time" on "circleMember" ("schoolId", "ciId", "joinTime")`,

  // only courses that begin after somebody came or left see him differently
  ...noting('circleMember_note_insert', 'circleMember', 'insert', courses('select * from became', 'm."joinTime"')),
  ...noting('circleMember_note_delete', 'circleMember', 'delete', courses('select * from was', 'm."joinTime"')),
  ...noting(
    'circleMember_note_update',
    'circleMember',
    'update',
    courses(
      `select o."schoolId", x."ciId", case when o."ciId" = n."ciId" and o."suId" = n."suId" and o."joinTime" = n."joinTime" then least(coalesce(o."quitTime", 'infinity'), coalesce(n."quitTime", 'infinity')) else least(o."joinTime", n."joinTime") end "from"
     from was o join became n on n."schoolId" = o."schoolId" and n."cpiId" = o."cpiId" cross join lateral (values (o."ciId"), (n."ciId")) x("ciId")
     where (o."ciId", o."suId", o."joinTime", o."quitTime") is distinct from (n."ciId", n."suId", n."joinTime", n."quitTime")`,
      'm."from"',
    ),
  ),
  // a course that is given to a circle, or begins at another time
  ...noting(
    'lesson_note_update',
    'lesson',
    'update',
    `select n."schoolId", 'L', n."liId", null::date from was o join became n on n."schoolId" = o."schoolId" and n."liId" = o."liId"
     where coalesce(o."liCircleId", n."liCircleId") is not null and (o."liCircleId", o."startTime") is distinct from (n."liCircleId", n."startTime")`,
  ),
  // courses of circles are reckoned anew by the first run of the job
  `insert into "statChange" ("schoolId", "scKind", "scKey") select "schoolId", 'L', "liId" from "lesson" where "liCircleId" is not null`,
]
