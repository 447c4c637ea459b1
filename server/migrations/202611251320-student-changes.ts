import { sql, type Kysely } from 'kysely'

/**
 * What becomes of a student's standing and place (decision 108). A trigger writes it, in the transaction of the act that
 * causes it and whichever way it comes: a form, an import, a source, a graduation, an undo.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [table, noting, telling]) await sql.raw(part).execute(db)
}

const table = `
create table "studentChange" (
  "schoolId" text not null,
  "chId" uuid not null,
  "suId" uuid not null,
  "changeKind" text not null,
  "changeCause" text not null,
  "causeId" uuid,
  "wasState" jsonb not null,
  "newState" jsonb not null,
  "operatorId" uuid,
  "operatorName" text not null,
  "createTime" timestamptz not null,
  "isTold" boolean not null default false,
  primary key ("schoolId", "chId"),
  foreign key ("schoolId", "suId") references "person" ("schoolId", "suId") on delete cascade
);
comment on table "studentChange" is 'transfers, leaves, returns and departures of students';
comment on column "studentChange"."causeId" is 'the import or graduation that caused it';
comment on column "studentChange"."wasState" is 'status, grade, and id and name of college, major and class at that time';
comment on column "studentChange"."isTold" is 'whether those who look after the new class know';
create index "studentChange_untold" on "studentChange" ("schoolId", "createTime") where not "isTold";
create index "studentChange_of" on "studentChange" ("schoolId", "suId", "createTime" desc);
`

const state = (row: string) => `jsonb_build_object(
      'status', ${row}."suiStatus",
      'grade', ${row}."suiGrade",
      'collegeId', ${row}."suiCollegeId",
      'college', (
        select c."scName" from "college" c where c."schoolId" = ${row}."schoolId" and c."scId" = ${row}."suiCollegeId"
      ),
      'majorId', ${row}."majorId",
      'major', (select m."smName" from "major" m where m."schoolId" = ${row}."schoolId" and m."smId" = ${row}."majorId"),
      'classId', ${row}."scClassId",
      'class', (
        select c."scClassName" from "schoolClass" c
        where c."schoolId" = ${row}."schoolId" and c."scClassId" = ${row}."scClassId"
      )
    )`

const noting = `
create function "person_studentChange"() returns trigger language plpgsql as $body$
declare
  d record;
  v_cause text := coalesce(nullif(current_setting('dekt.cause', true), ''), 'form');
  v_cause_id uuid := nullif(current_setting('dekt.cause_id', true), '')::uuid;
begin
  for d in
    select
      n."schoolId",
      n."suId",
      case when v_cause = 'undo' then 'revoke' else k.kind end "changeKind",
      case
        when v_cause = 'import' and exists (
          select from "importSourceRun" r where r."schoolId" = n."schoolId" and r."ibId" = v_cause_id
        ) then 'source'
        else v_cause
      end "changeCause",
      ${state('o')} "wasState",
      ${state('n')} "newState",
      n."updateBy" "operatorId",
      coalesce((select p."suiName" from "person" p where p."schoolId" = n."schoolId" and p."suId" = n."updateBy"), '系统')
        "operatorName",
      n."updateTime" "createTime"
    from became n
    join was o on o."schoolId" = n."schoolId" and o."suId" = n."suId"
    cross join lateral (
      values
        (
          case n."suiStatus"
            when '2' then 'leave'
            when '3' then 'withdraw'
            when '4' then 'graduate'
            when '5' then 'delay'
            when '6' then 'retain'
            when '7' then 'enlist'
            else case when o."suiStatus" in ('3', '4', '5') then 'restore' else 'return' end
          end,
          n."suiStatus" <> o."suiStatus"
        ),
        (
          case
            when n."scClassId" is not distinct from o."scClassId" then 'reorganise'
            when n."suiCollegeId" is distinct from o."suiCollegeId" then 'transferCollege'
            when n."majorId" is distinct from o."majorId" then 'transferMajor'
            when n."suiGrade" is distinct from o."suiGrade" then 'transferGrade'
            else 'transferClass'
          end,
          (n."suiCollegeId", n."majorId", n."scClassId", n."suiGrade")
            is distinct from (o."suiCollegeId", o."majorId", o."scClassId", o."suiGrade")
        )
    ) k(kind, applies)
    where k.applies and n."suiType" = '1' and n."delFlag" = '0' and o."delFlag" = '0'
  loop
    insert into "studentChange" (
      "schoolId", "chId", "suId", "changeKind", "changeCause", "causeId", "wasState", "newState", "operatorId",
      "operatorName", "createTime"
    ) values (
      d."schoolId", gen_random_uuid(), d."suId", d."changeKind", d."changeCause", v_cause_id, d."wasState", d."newState",
      d."operatorId", d."operatorName", d."createTime"
    );
  end loop;
  return null;
end $body$;
create trigger "person_studentChange" after update on "person" referencing old table as was new table as became
  for each statement execute function "person_studentChange"();
`

const telling = `
create function "outbox_studentChange"() returns trigger language plpgsql as $body$
begin
  if not exists (select from "outboxDestination" where "enable" = '1' and "eventKinds" <> '{}') then
    return null;
  end if;
  perform "outbox_put"(
    n."schoolId",
    case
      when n."changeKind" like 'transfer%' then 'student.transferred'
      when n."changeKind" in ('leave', 'retain', 'enlist') then 'student.onLeave'
      when n."changeKind" = 'return' then 'student.returned'
      when n."changeKind" = 'withdraw' then 'student.withdrawn'
      when n."changeKind" = 'graduate' then 'student.graduated'
      when n."changeKind" = 'revoke' then 'student.changeRevoked'
      else 'student.adjusted'
    end,
    jsonb_build_object(
      'chId', n."chId", 'changeKind', n."changeKind", 'changeCause', n."changeCause",
      'wasState', n."wasState", 'newState', n."newState",
      'person', (
        select jsonb_build_object('suId', p."suId", 'suiNumber', p."suiNumber", 'suiName', p."suiName")
        from "person" p where p."schoolId" = n."schoolId" and p."suId" = n."suId"
      )
    )
  )
  from became n;
  return null;
end $body$;
create trigger "studentChange_outbox_insert" after insert on "studentChange" referencing new table as became
  for each statement execute function "outbox_studentChange"();
`
