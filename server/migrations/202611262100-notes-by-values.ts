import { sql, type Kysely } from 'kysely'

/**
 * The triggers of the statistics, of the configuration's version and of the counts of supplements insert by values, a
 * school at a time, and ask no table beside a transition table: an engine that keeps schools on several machines runs
 * nothing else inside a trigger (decision 123). What day a sign-in was of is no longer noted, for nobody reads it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(functions).execute(db)
  await sql`alter table "statChange" drop column "scDay"`.execute(db)
}

/** A trigger's function whose transition table gives rows of a school and keys: each key is noted once. */
const noting = (name: string, kind: string, rows: string) => `
create or replace function "${name}"() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in
    ${rows.replaceAll('\n', '\n    ')}
  loop
    perform "note_keys"(r."schoolId", '${kind}', r.keys);
  end loop;
  return null;
end $$;`

const touched = (key: string, where = '') =>
  `select "schoolId", array_agg(distinct "${key}") keys\nfrom touched${where && `\nwhere ${where}`}\ngroup by 1`

/** Keys of what a statement changed in these columns, of the rows as they are now. */
const changed = (key: string, columns: string) => `select "schoolId", array_agg(distinct "${key}") keys
from (
  select ${columns}
  from became
  except
  select ${columns}
  from was
) c
group by 1`

/** A trigger's function by which courses of a circle are noted, from a moment on. */
const notingCircle = (name: string, rows: string) => `
create or replace function "${name}"() returns trigger language plpgsql as $$
declare
  r record;
  lessons uuid[];
begin
  for r in
    ${rows.replaceAll('\n', '\n    ')}
  loop
    select array_agg(l."liId") into lessons
    from "lesson" l
    where l."schoolId" = r."schoolId" and l."liCircleId" = r."ciId" and l."startTime" >= r."from";
    perform "note_keys"(r."schoolId", 'L', lessons);
  end loop;
  return null;
end $$;`

/** A trigger's function by which people are noted whose credit from a record belongs elsewhere now. */
const notingSubject = (name: string, columns: string) => `
create or replace function "${name}"() returns trigger language plpgsql as $$
declare
  r record;
  people uuid[];
begin
  for r in
    ${changed('bizId', columns).replaceAll('\n', '\n    ')}
  loop
    select array_agg(distinct c."suId") into people
    from "creditLedger" c
    where c."schoolId" = r."schoolId" and c."bizId" = any(r.keys);
    perform "note_keys"(r."schoolId", 'P', people);
  end loop;
  return null;
end $$;`

const lessonColumns =
  '"schoolId", "liId", "delFlag", "liStatus", "publishTime", "startTime", "liHours", "liCollegeId", "liDepartmentId", "liCircleId", "liPrincipalId", "createBy", "lsPath", "liLevel"'
const personColumns =
  '"schoolId", "suId", "suiType", "suiStatus", "suiCollegeId", "majorId", "scClassId", "suiGrade", "delFlag", "suiSex", "suiPolitical", "suiCredibility", "blackUntil", "suiEnterDate"'
const supplementColumns =
  '"schoolId", "suId", "lisId", "createTime", "lisName", "lsPath", "lisType", "lisLevel", "lisAward", "lisHours", "lisStatus", "delFlag"'

const counted = '"schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath"'
const counting = (name: string, rows: string) => `
create or replace function "${name}"() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in
    ${rows.replaceAll('\n', '\n    ')}
  loop
    insert into "supplementCount"
      ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
    values
      (r."schoolId", r."delFlag", r."lisStatus", r."lisType", r."lisLevel", r."source", r."lsPath", r.n);
  end loop;
  return null;
end $$;`

const functions = `
create function "note_keys"(p_school text, p_kind text, p_keys uuid[]) returns void language plpgsql as $$
declare
  k uuid;
begin
  foreach k in array coalesce(p_keys, '{}') loop
    insert into "statChange" ("schoolId", "scKind", "scKey") values (p_school, p_kind, k);
  end loop;
end $$;
${noting('note_registration', 'L', touched('liId'))}
${noting('note_lessonSession', 'L', touched('liId'))}
${noting('note_lessonPerson', 'L', touched('liId', `"lpRole" = 'teacher'`))}
${noting('note_lesson', 'L', touched('liId'))}
${noting('note_approval', 'L', touched('bizId', `"bizType" = 'publish'`))}
${noting('note_person', 'P', touched('suId'))}
${noting('note_supplement', 'S', touched('suId'))}
${noting('note_loginDay', 'G', touched('suId'))}
${noting(
  'note_loginDay_update',
  'G',
  `select t."schoolId", array_agg(distinct t."suId") keys
from touched t
join former f on f."schoolId" = t."schoolId" and f."logDay" = t."logDay" and f."suId" = t."suId"
where t."times" <> f."times" or t."hours" <> f."hours"
group by 1`,
)}
${noting('lesson_note_update', 'L', changed('liId', lessonColumns))}
${noting('note_person_update', 'P', changed('suId', personColumns))}
${noting(
  'note_supplement_update',
  'S',
  `select "schoolId", array_agg(distinct "suId") keys
from (
  (
    select ${supplementColumns}
    from became
    except
    select ${supplementColumns}
    from was
  )
  union all
  (
    select ${supplementColumns}
    from was
    except
    select ${supplementColumns}
    from became
  )
) c
group by 1`,
)}
${notingSubject('lesson_note_subject', '"schoolId", "liId" "bizId", "lsPath", "liLevel"')}
${notingSubject('supplement_note_subject', '"schoolId", "lisId" "bizId", "lsPath", "lisLevel"')}
${notingCircle('circleMember_note_insert', `select "schoolId", "ciId", min("joinTime") "from"\nfrom became\ngroup by 1, 2`)}
${notingCircle('circleMember_note_delete', `select "schoolId", "ciId", min("joinTime") "from"\nfrom was\ngroup by 1, 2`)}
${notingCircle(
  'circleMember_note_update',
  `select
  o."schoolId",
  x."ciId",
  min(
    case
      when o."ciId" = n."ciId" and o."suId" = n."suId" and o."joinTime" = n."joinTime"
        then least(coalesce(o."quitTime", 'infinity'), coalesce(n."quitTime", 'infinity'))
      else least(o."joinTime", n."joinTime")
    end
  ) "from"
from was o
join became n on n."schoolId" = o."schoolId" and n."cpiId" = o."cpiId"
cross join lateral (values (o."ciId"), (n."ciId")) x("ciId")
where (o."ciId", o."suId", o."joinTime", o."quitTime")
  is distinct from (n."ciId", n."suId", n."joinTime", n."quitTime")
group by 1, 2`,
)}

create or replace function "note_approval_of_supplement"() returns trigger language plpgsql as $$
declare
  r record;
  people uuid[];
begin
  for r in
    select "schoolId", array_agg(distinct "bizId") keys
    from touched
    where "bizType" = 'supplement'
    group by 1
  loop
    select array_agg(distinct s."suId") into people
    from "supplement" s
    where s."schoolId" = r."schoolId" and s."lisId" = any(r.keys);
    perform "note_keys"(r."schoolId", 'S', people);
  end loop;
  return null;
end $$;

create or replace function "note_creditLedger"() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in
    select
      "schoolId",
      array_agg(distinct "suId") people,
      array_agg(distinct "bizId") filter (where "source" <> 'SUP') lessons
    from touched
    group by 1
  loop
    perform "note_keys"(r."schoolId", 'P', r.people);
    perform "note_keys"(r."schoolId", 'L', r.lessons);
  end loop;
  return null;
end $$;

create or replace function "note_curriculum"() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in select distinct "schoolId" from touched where "lsPid" is null loop
    insert into "statChange" ("schoolId", "scKind") values (r."schoolId", 'A');
  end loop;
  return null;
end $$;

create or replace function "configuration_changed"() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in select distinct "schoolId" from touched order by 1 loop
    insert into "configuration" ("schoolId", "version")
    values (r."schoolId", gen_random_uuid())
    on conflict ("schoolId") do update set "version" = excluded."version";
  end loop;
  return null;
end $$;
${counting('supplement_count_insert', `select ${counted}, count(*) n\nfrom became\ngroup by 1, 2, 3, 4, 5, 6, 7`)}
${counting('supplement_count_delete', `select ${counted}, -count(*) n\nfrom was\ngroup by 1, 2, 3, 4, 5, 6, 7`)}
${counting(
  'supplement_count_update',
  `select ${counted}, sum(n) n
from (
  select ${counted}, 1 n
  from became
  union all
  select ${counted}, -1
  from was
) c
group by 1, 2, 3, 4, 5, 6, 7
having sum(n) <> 0`,
)}
`
