import { sql, type Kysely } from 'kysely'

/** What a school decides before anything happens. A role belongs to it because parts of the curriculum name it. */
const tables = [
  'term',
  'curriculum',
  'lessonLevel',
  'evaluation',
  'awardTemplate',
  'awardDetail',
  'qualityLabel',
  'role',
]
const events = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
]

/**
 * Every school has a version of its configuration, so that processes may keep what they have worked out from it until
 * it changes (decision 033). Triggers give a new one in the transaction of the change, whoever makes it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Which configuration a school has; a random value, so that none ever comes back with other contents.
create table "configuration" (
  "schoolId" text primary key references "school",
  "version" uuid not null
);

create function "configuration_changed"() returns trigger language plpgsql as $$
begin
  insert into "configuration" ("schoolId", "version")
  select "schoolId", gen_random_uuid()
  from (select distinct "schoolId" from touched order by 1) s
  on conflict ("schoolId") do update set "version" = excluded."version";
  return null;
end $$;

create function "configuration_changed_settings"() returns trigger language plpgsql as $$
begin
  insert into "configuration" ("schoolId", "version")
  values (new."schoolId", gen_random_uuid())
  on conflict ("schoolId") do update set "version" = excluded."version";
  return null;
end $$;

create trigger "school_configuration_insert" after insert on "school"
  for each row execute function "configuration_changed_settings"();
create trigger "school_configuration_update" after update of "settings" on "school"
  for each row execute function "configuration_changed_settings"();

insert into "configuration" ("schoolId", "version")
select "schoolId", gen_random_uuid()
from "school";
${tables
  .flatMap((table) =>
    events.map(
      ([event, rows]) => `
create trigger "${table}_configuration_${event}" after ${event} on "${table}"
  referencing ${rows} table as touched
  for each statement execute function "configuration_changed"();`,
    ),
  )
  .join('')}`,
    )
    .execute(db)
}
