import { sql, type Kysely } from 'kysely'

const subjects = [
  { table: 'lesson', id: 'liId', level: 'liLevel' },
  { table: 'supplement', id: 'lisId', level: 'lisLevel' },
]

/** What statistics tell of a supplement. */
const told = ['createTime', 'lisName', 'lsPath', 'lisType', 'lisLevel', 'lisAward', 'lisHours', 'lisStatus', 'delFlag']
  .map((column) => `"${column}"`)
  .join(', ')

/**
 * What each person earned and handed in and when they signed in, packed for processes that keep it in columns (decision
 * 035). A note has every school calculated anew by the job of the statistics, for that takes a minute where a school is
 * large. "statDay", "statLogin" and "statLoginYear" are no longer read or written; a later release drops them, for a
 * process of the version before may still run beside this one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table "statState" add column "stamp" bigint not null default 0; -- the latest stamp of a row; 0: of no row yet
alter table "statPerson" add column "stamp" bigint not null default 0; -- rises with every calculation of a row

-- What packed records and abilities name by number: a module with path and level of what brought it, or an ability.
create table "statItem" (
  "schoolId" text not null references "school",
  "itId" int generated always as identity,
  "item" uuid not null, -- the module; of an ability the label
  "path" uuid[] not null, -- of the course or supplement, as "level"; empty where there is none
  "level" text not null,
  primary key ("schoolId", "itId"),
  unique ("schoolId", "item", "path", "level")
);

-- What each person earned, one record after another by time, as 32-bit numbers: no statement looks into it.
create table "statEarned" (
  "schoolId" text not null,
  "suId" uuid not null,
  "records" bytea not null, -- of each record: second since 2000, 8 × itId + kind and whether it stands, hours, credit
  "abilities" bytea not null, -- of each ability of a record: second since 2000, itId, score
  primary key ("schoolId", "suId")
);

-- When each person signed in, one day after another, as 32-bit numbers: no statement looks into it.
create table "statSignIn" (
  "schoolId" text not null,
  "suId" uuid not null,
  "days" bytea not null, -- 32 × day since 2000 with the sign-ins of the day; then, + hour + 1, with those of the hour
  "stamp" bigint not null, -- rises with every calculation of a row
  primary key ("schoolId", "suId")
);

-- What each student handed in as supplements, one after another, as 32-bit numbers: no statement looks into it.
create table "statSupplement" (
  "schoolId" text not null,
  "suId" uuid not null,
  -- of each: second since 2000, itId, 256 × status + kind, hours, a number that alike ones share (0: none is), and of
  -- its approvals that were decided seconds and number
  "records" bytea not null,
  "stamp" bigint not null, -- rises with every calculation of a row
  primary key ("schoolId", "suId")
);

-- supplements that came, went or changed in what a statistic tells of them
create function "note_supplement"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey")
  select distinct "schoolId", 'S', "suId"
  from touched;
  return null;
end $$;
create trigger "supplement_note_insert" after insert on "supplement"
  referencing new table as touched
  for each statement execute function "note_supplement"();
create trigger "supplement_note_delete" after delete on "supplement"
  referencing old table as touched
  for each statement execute function "note_supplement"();
create function "note_supplement_update"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey")
  select distinct s."schoolId", 'S', s."suId"
  from (
    (
      select "schoolId", "suId", "lisId", ${told}
      from became
      except
      select "schoolId", "suId", "lisId", ${told}
      from was
    )
    union all
    (
      select "schoolId", "suId", "lisId", ${told}
      from was
      except
      select "schoolId", "suId", "lisId", ${told}
      from became
    )
  ) s;
  return null;
end $$;
create trigger "supplement_note_update" after update on "supplement"
  referencing old table as was new table as became
  for each statement execute function "note_supplement_update"();

-- how long their approvals took
create function "note_approval_of_supplement"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey")
  select distinct s."schoolId", 'S', s."suId"
  from touched a
  join "supplement" s on s."schoolId" = a."schoolId" and s."lisId" = a."bizId"
  where a."bizType" = 'supplement';
  return null;
end $$;
create trigger "approval_note_supplement_insert" after insert on "approval"
  referencing new table as touched
  for each statement execute function "note_approval_of_supplement"();
create trigger "approval_note_supplement_update" after update on "approval"
  referencing new table as touched
  for each statement execute function "note_approval_of_supplement"();
create trigger "approval_note_supplement_delete" after delete on "approval"
  referencing old table as touched
  for each statement execute function "note_approval_of_supplement"();
${subjects
  .map(
    ({ table, id, level }) => `
-- A ${table} at another place of the curriculum or of another level: the records that came of it say so. As a difference
-- of sets, for the plan of a function is made for a handful of rows.
create function "${table}_note_subject"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey")
  select distinct c."schoolId", 'P', c."suId"
  from (
    select "schoolId", "${id}" "bizId", "lsPath", "${level}"
    from became
    except
    select "schoolId", "${id}", "lsPath", "${level}"
    from was
  ) changed
  join "creditLedger" c on c."schoolId" = changed."schoolId" and c."bizId" = changed."bizId";
  return null;
end $$;
create trigger "${table}_note_subject" after update on "${table}"
  referencing old table as was new table as became
  for each statement execute function "${table}_note_subject"();
`,
  )
  .join('')}
-- what abilities of a period were summed up from
drop index "creditLedger_ability";

insert into "statChange" ("schoolId", "scKind")
select "schoolId", 'A'
from "school";
`,
    )
    .execute(db)
}
