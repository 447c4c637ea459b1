import { sql, type Kysely } from 'kysely'

/** What statistics tell of a course beside its figures. */
const told = [
  'liStatus',
  'publishTime',
  'startTime',
  'liHours',
  'liCollegeId',
  'liDepartmentId',
  'liCircleId',
  'liPrincipalId',
  'createBy',
  'lsPath',
  'liLevel',
]
const columns = told.map((column) => `"${column}"`).join(', ')

/**
 * Beside the figures of a course what statistics select and group it by, for processes that keep all courses of a
 * school (decision 035). A process of the version before may still calculate rows without these: the nightly check
 * finds them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table "statLesson"
  -- of the course, as there
  add column "removed" boolean not null default false,
  add column "liStatus" text not null default '0',
  add column "publishTime" timestamptz,
  add column "startTime" timestamptz not null default '-infinity',
  add column "liHours" int not null default 0,
  add column "liCollegeId" uuid,
  add column "liDepartmentId" uuid,
  add column "liCircleId" uuid,
  add column "liPrincipalId" uuid,
  add column "createBy" uuid,
  add column "lsPath" uuid[] not null default '{}',
  add column "liLevel" text not null default '',
  add column "teachers" uuid[] not null default '{}', -- who guides it
  add column "stamp" bigint not null default 0; -- rises with every calculation of a row

update "statLesson" t
set ("removed", ${columns}) = (
    select l."delFlag" = '1', ${columns}
    from "lesson" l
    where l."schoolId" = t."schoolId" and l."liId" = t."liId"
  ),
  "teachers" = array(
    select x."suId"
    from "lessonPerson" x
    where x."schoolId" = t."schoolId" and x."liId" = t."liId" and x."lpRole" = 'teacher'
    order by x."suId"
  )
where exists (select from "lesson" l where l."schoolId" = t."schoolId" and l."liId" = t."liId");

-- A course that has changed in what is told of it. As a difference of sets, for the plan of a function is made for a
-- handful of rows.
create or replace function "lesson_note_update"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select changed."schoolId", 'L', changed."liId", null::date
  from (
    select "schoolId", "liId", "delFlag", ${columns}
    from became
    except
    select "schoolId", "liId", "delFlag", ${columns}
    from was
  ) changed;
  return null;
end $$;

-- who guides it
create function "note_lessonPerson"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct "schoolId", 'L', "liId", null::date
  from touched
  where "lpRole" = 'teacher';
  return null;
end $$;
create trigger "lessonPerson_note_insert" after insert on "lessonPerson"
  referencing new table as touched
  for each statement execute function "note_lessonPerson"();
create trigger "lessonPerson_note_update" after update on "lessonPerson"
  referencing new table as touched
  for each statement execute function "note_lessonPerson"();
create trigger "lessonPerson_note_delete" after delete on "lessonPerson"
  referencing old table as touched
  for each statement execute function "note_lessonPerson"();
`,
    )
    .execute(db)
}
