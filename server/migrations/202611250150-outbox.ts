import { sql, type Kysely } from 'kysely'

/**
 * One outbox for what leaves for other systems (decision 079). Triggers write the events, in the transaction of the act
 * that causes them and whichever way it comes: a call, an import, a job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [tables, ...functions, ...triggers]) await sql.raw(part).execute(db)
}

const tables = `
create table "outboxDestination" (
  "schoolId" text not null references "school" ("schoolId"),
  "odId" uuid not null,
  "odChannel" text not null,
  "odName" text not null,
  "address" text not null,
  "eventKinds" text[] not null default '{}',
  "sealedSecret" bytea not null,
  "enable" text not null default '1',
  "failures" int not null default 0,
  "failedSince" timestamptz,
  "pausedUntil" timestamptz,
  "isTold" boolean not null default false,
  "createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "updateBy" uuid,
  "updateTime" timestamptz not null default now(),
  "version" int not null default 0,
  primary key ("schoolId", "odId")
);
comment on table "outboxDestination" is 'other systems that are told of events';
comment on column "outboxDestination"."failures" is 'attempts since the last one that succeeded';
comment on column "outboxDestination"."pausedUntil" is 'no attempt before';
comment on column "outboxDestination"."isTold" is 'whether the administrators know that it fails';

create table "outboxDelivery" (
  "schoolId" text not null,
  "dlId" uuid not null,
  "odId" uuid not null,
  "eventId" uuid not null,
  "eventKind" text not null,
  "eventData" jsonb not null,
  "dlStatus" text not null default '0',
  "attempts" int not null default 0,
  "nextTime" timestamptz,
  "answerCode" int,
  "answerText" text not null default '',
  "lastTime" timestamptz,
  "endTime" timestamptz,
  "createTime" timestamptz not null default clock_timestamp(),
  primary key ("schoolId", "dlId"),
  foreign key ("schoolId", "odId") references "outboxDestination" ("schoolId", "odId") on delete cascade
);
comment on table "outboxDelivery" is 'one event for one destination';
comment on column "outboxDelivery"."nextTime" is 'no attempt before; null: at once';
comment on column "outboxDelivery"."answerCode" is 'HTTP status of the last answer; null where none came';
create index "outboxDelivery_destination" on "outboxDelivery" ("schoolId", "odId", "createTime" desc);
create index "outboxDelivery_waiting" on "outboxDelivery" ("schoolId", "odId", "createTime")
  where "dlStatus" in ('0', '1');
`

/** What the body of a trigger function becomes; it does nothing where nobody listens. */
const noting = (name: string, body: string) => `
create function "outbox_${name}"() returns trigger language plpgsql as $body$
begin
  if not exists (select from "outboxDestination" where "enable" = '1' and "eventKinds" <> '{}') then
    return null;
  end if;
  ${body}
  return null;
end $body$;`

const person = (schoolId: string, suId: string) => `(
    select jsonb_build_object('suId', p."suId", 'suiNumber', p."suiNumber", 'suiName', p."suiName")
    from "person" p where p."schoolId" = ${schoolId} and p."suId" = ${suId}
  )`
const course = (row: string) =>
  `jsonb_build_object('liId', ${row}."liId", 'liNo', ${row}."liNo", 'liName', ${row}."liName", 'liStatus', ${row}."liStatus")`
const participation = (row: string) => `jsonb_build_object(
    'laId', ${row}."laId", 'laStatus', ${row}."laStatus", 'laSignStatus', ${row}."laSignStatus",
    'course', (select ${course('l')} from "lesson" l where l."schoolId" = ${row}."schoolId" and l."liId" = ${row}."liId"),
    'person', ${person(`${row}."schoolId"`, `${row}."suId"`)}
  )`
const supplement = (row: string) => `jsonb_build_object(
    'lisId', ${row}."lisId", 'lisName', ${row}."lisName", 'lisType', ${row}."lisType", 'lisStatus', ${row}."lisStatus",
    'person', ${person(`${row}."schoolId"`, `${row}."suId"`)}
  )`
const dispute = (row: string) => `jsonb_build_object(
    'qId', ${row}."qId", 'liId', ${row}."liId", 'lisId', ${row}."lisId", 'qType', ${row}."qType",
    'qStatus', ${row}."qStatus", 'qOutcome', ${row}."qOutcome"
  )`
const transcript = (row: string) => `jsonb_build_object(
    'tiId', ${row}."tiId", 'serial', ${row}."serial", 'tiStatus', ${row}."tiStatus",
    'person', ${person(`${row}."schoolId"`, `${row}."suId"`)}
  )`
const member = (row: string) => `jsonb_build_object(
    'suiType', ${row}."suiType", 'suiStatus', ${row}."suiStatus",
    'person', jsonb_build_object('suId', ${row}."suId", 'suiNumber', ${row}."suiNumber", 'suiName', ${row}."suiName")
  )`

const functions = [
  `
create function "outbox_put"(p_school text, p_kind text, p_data jsonb) returns void language plpgsql as $body$
declare
  d record;
  e uuid := gen_random_uuid();
begin
  for d in
    select "odId" from "outboxDestination"
    where "schoolId" = p_school and "enable" = '1' and "eventKinds" @> array[p_kind]
    order by "odId"
  loop
    insert into "outboxDelivery" ("schoolId", "dlId", "odId", "eventId", "eventKind", "eventData")
    values (p_school, gen_random_uuid(), d."odId", e, p_kind, p_data);
  end loop;
end $body$;`,
  noting(
    'lesson',
    `perform "outbox_put"(n."schoolId", k.kind, ${course('n')})
  from became n
  join was o on o."schoolId" = n."schoolId" and o."liId" = n."liId" and o."liStatus" <> n."liStatus"
  cross join lateral (
    values
      ('course.submitted', n."liStatus" = '10'),
      ('course.approved', o."liStatus" = '10' and n."liStatus" in ('20', '30')),
      ('course.refused', n."liStatus" = '11'),
      ('course.published', n."liStatus" = '30' and o."liStatus" in ('0', '10', '11', '20', '90')),
      ('course.takenDown', n."liStatus" = '90'),
      ('course.cancelled', n."liStatus" in ('91', '92')),
      ('result.submitted', n."liStatus" = '40'),
      ('result.approved', o."liStatus" = '40' and n."liStatus" in ('50', '60')),
      ('result.refused', n."liStatus" = '41'),
      ('publicity.begun', n."liStatus" = '60' and o."liStatus" <> '61'),
      ('publicity.ended', o."liStatus" in ('60', '61') and n."liStatus" = '70')
  ) k(kind, applies)
  where k.applies;`,
  ),
  noting(
    'registration',
    `if tg_op = 'INSERT' then
    perform "outbox_put"(n."schoolId", k.kind, ${participation('n')})
    from became n
    cross join lateral (
      values
        ('registration.accepted', n."laStatus" = '1'),
        ('attendance.signedIn', n."laSignStatus" in ('1', '2', '7'))
    ) k(kind, applies)
    where k.applies and n."delFlag" = '0';
  else
    perform "outbox_put"(n."schoolId", k.kind, ${participation('n')})
    from became n
    join was o on o."schoolId" = n."schoolId" and o."laId" = n."laId"
    cross join lateral (
      values
        ('registration.accepted', n."laStatus" = '1' and o."laStatus" <> '1' and n."delFlag" = '0'),
        (
          'registration.cancelled',
          (n."laStatus" in ('4', '6', '7') and o."laStatus" not in ('2', '4', '6', '7'))
            or (n."delFlag" = '1' and o."delFlag" = '0' and o."laStatus" in ('0', '1', '3', '5'))
        ),
        (
          'attendance.signedIn',
          n."laSignStatus" in ('1', '2', '7') and o."laSignStatus" not in ('1', '2', '3', '4', '7')
            and n."delFlag" = '0'
        )
    ) k(kind, applies)
    where k.applies;
  end if;`,
  ),
  noting(
    'supplement',
    `if tg_op = 'INSERT' then
    perform "outbox_put"(n."schoolId", 'supplement.submitted', ${supplement('n')})
    from became n
    where n."lisStatus" = '1';
  else
    perform "outbox_put"(n."schoolId", k.kind, ${supplement('n')})
    from became n
    join was o on o."schoolId" = n."schoolId" and o."lisId" = n."lisId" and o."lisStatus" <> n."lisStatus"
    cross join lateral (
      values
        ('supplement.submitted', n."lisStatus" = '1'),
        ('supplement.approved', o."lisStatus" in ('0', '1') and n."lisStatus" in ('2', '5')),
        ('supplement.refused', n."lisStatus" = '3')
    ) k(kind, applies)
    where k.applies;
  end if;`,
  ),
  noting(
    'question',
    `if tg_op = 'INSERT' then
    perform "outbox_put"(n."schoolId", 'dispute.opened', ${dispute('n')}) from became n;
  else
    perform "outbox_put"(n."schoolId", 'dispute.settled', ${dispute('n')})
    from became n
    join was o on o."schoolId" = n."schoolId" and o."qId" = n."qId"
    where (n."qStatus" = '3' and o."qStatus" <> '3') or (n."qOutcome" is not null and o."qOutcome" is null);
  end if;`,
  ),
  noting(
    'creditLedger',
    `perform "outbox_put"(n."schoolId", n.kind, jsonb_build_object(
      'source', n."source", 'bizId', n."bizId", 'bizName', n."bizName", 'entries', n.entries,
      'person', ${person('n."schoolId"', 'n."suId"')}
    ))
  from (
    select
      "schoolId", "suId", "source", "bizId", "bizName",
      case when "reverseOf" is null then 'credit.granted' else 'credit.reversed' end kind,
      jsonb_agg(jsonb_build_object(
        'clId', "clId", 'clType', "clType", 'moduleId', "moduleId", 'value', ("clValue" / 100.0)::numeric(12, 2)::text
      ) order by "clType", "clId") entries
    from became
    group by 1, 2, 3, 4, 5, 6
  ) n;`,
  ),
  noting(
    'transcriptIssue',
    `if tg_op = 'INSERT' then
    perform "outbox_put"(n."schoolId", 'transcript.issued', ${transcript('n')}) from became n;
  else
    perform "outbox_put"(n."schoolId", 'transcript.revoked', ${transcript('n')})
    from became n
    join was o on o."schoolId" = n."schoolId" and o."tiId" = n."tiId"
    where n."tiStatus" = '3' and o."tiStatus" <> '3';
  end if;`,
  ),
  noting(
    'person',
    `if tg_op = 'INSERT' then
    perform "outbox_put"(n."schoolId", 'person.added', ${member('n')}) from became n;
  else
    perform "outbox_put"(n."schoolId", k.kind, ${member('n')})
    from became n
    join was o on o."schoolId" = n."schoolId" and o."suId" = n."suId"
    cross join lateral (
      select
        n."delFlag" = '0' and n."suiStatus" not in ('3', case n."suiType" when '1' then '4' else '2' end) now_here,
        o."delFlag" = '0' and o."suiStatus" not in ('3', case o."suiType" when '1' then '4' else '2' end) was_here
    ) h
    cross join lateral (
      values
        ('person.left', h.was_here and not h.now_here),
        ('person.added', h.now_here and not h.was_here)
    ) k(kind, applies)
    where k.applies;
  end if;`,
  ),
]

const onInsert = (table: string) => `
create trigger "${table}_outbox_insert" after insert on "${table}" referencing new table as became
  for each statement execute function "outbox_${table}"();`
const onUpdate = (table: string) => `
create trigger "${table}_outbox_update" after update on "${table}" referencing old table as was new table as became
  for each statement execute function "outbox_${table}"();`

const triggers = [
  ...['registration', 'supplement', 'question', 'creditLedger', 'transcriptIssue', 'person'].map(onInsert),
  ...['lesson', 'registration', 'supplement', 'question', 'transcriptIssue', 'person'].map(onUpdate),
]
