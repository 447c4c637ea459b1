import { sql, type Kysely } from 'kysely'

/**
 * What becomes of a student's standing and place (decision 108). A trigger writes it, in the transaction of the act
 * that causes it and whichever way it comes: a form, an import, a source, a graduation, an undo.
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

// for each row, so that an import that changes phones alone costs nothing: a join of what was and what became of
// thousands of people, of which the planner knows nothing, compared each with each
const noting = `
create function "person_studentChange"() returns trigger language plpgsql as $body$
declare
  v_cause text := coalesce(nullif(current_setting('dekt.cause', true), ''), 'form');
  v_cause_id uuid := nullif(current_setting('dekt.cause_id', true), '')::uuid;
  v_operator text;
  v_was jsonb := ${state('old')};
  v_new jsonb := ${state('new')};
  v_kind text;
begin
  if v_cause = 'import' and exists (
    select from "importSourceRun" r where r."schoolId" = new."schoolId" and r."ibId" = v_cause_id
  ) then
    v_cause := 'source';
  end if;
  select p."suiName" into v_operator from "person" p
  where p."schoolId" = new."schoolId" and p."suId" = new."updateBy";
  for v_kind in
    select k.kind
    from (
      values
        (
          case new."suiStatus"
            when '2' then 'leave'
            when '3' then 'withdraw'
            when '4' then 'graduate'
            when '5' then 'delay'
            when '6' then 'retain'
            when '7' then 'enlist'
            else case when old."suiStatus" in ('3', '4', '5') then 'restore' else 'return' end
          end,
          new."suiStatus" <> old."suiStatus"
        ),
        (
          case
            when new."scClassId" is not distinct from old."scClassId" then 'reorganise'
            when new."suiCollegeId" is distinct from old."suiCollegeId" then 'transferCollege'
            when new."majorId" is distinct from old."majorId" then 'transferMajor'
            when new."suiGrade" is distinct from old."suiGrade" then 'transferGrade'
            else 'transferClass'
          end,
          (new."suiCollegeId", new."majorId", new."scClassId", new."suiGrade")
            is distinct from (old."suiCollegeId", old."majorId", old."scClassId", old."suiGrade")
        )
    ) k(kind, applies)
    where k.applies
  loop
    insert into "studentChange" (
      "schoolId", "chId", "suId", "changeKind", "changeCause", "causeId", "wasState", "newState", "operatorId",
      "operatorName", "createTime"
    ) values (
      new."schoolId", gen_random_uuid(), new."suId", case when v_cause = 'undo' then 'revoke' else v_kind end, v_cause,
      v_cause_id, v_was, v_new, new."updateBy", coalesce(v_operator, '系统'), new."updateTime"
    );
  end loop;
  return null;
end $body$;
create trigger "person_studentChange" after update on "person" for each row
  when (
    new."suiType" = '1' and new."delFlag" = '0' and old."delFlag" = '0'
    and (new."suiStatus", new."suiCollegeId", new."majorId", new."scClassId", new."suiGrade")
      is distinct from (old."suiStatus", old."suiCollegeId", old."majorId", old."scClassId", old."suiGrade")
  )
  execute function "person_studentChange"();
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
