import { sql, type Kysely } from 'kysely'

/**
 * What people are told inside goes outside as well, by channels of their school, through the one outbox (decision 092).
 * A trigger writes it in the transaction of the message, whichever way that comes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [columns, tables, messages]) await sql.raw(part).execute(db)
}

const columns = `
alter table "outboxDestination" alter column "sealedSecret" drop not null;
alter table "outboxDestination"
  add column "settings" jsonb not null default '{}',
  add column "messageKinds" text[] not null default '{}',
  add column "digestKinds" text[] not null default '{}',
  add column "digestAt" text not null default '',
  add column "quietFrom" text not null default '',
  add column "quietTo" text not null default '';
comment on column "outboxDestination"."settings" is 'of a message channel, by the way: host, base address, sender';
comment on column "outboxDestination"."messageKinds" is 'which messages go out by it at all';
comment on column "outboxDestination"."digestKinds" is 'of them those that are gathered unless a person wants otherwise';
comment on column "outboxDestination"."digestAt" is 'HH:mm of each day';
comment on column "outboxDestination"."quietFrom" is 'HH:mm from which only urgent messages go out; empty: no quiet hours';

alter table "outboxDelivery"
  add column "suId" uuid,
  add column "iurId" uuid,
  add column "isUrgent" boolean not null default false,
  add column "digestId" uuid,
  add column "sealedContent" bytea,
  add column "target" text not null default '',
  add column "queueTime" timestamptz not null default clock_timestamp();
comment on column "outboxDelivery"."suId" is 'who is told; null: an event for another system';
comment on column "outboxDelivery"."iurId" is 'the copy in the inbox that it tells of';
comment on column "outboxDelivery"."digestId" is 'the delivery that it was gathered into';
comment on column "outboxDelivery"."sealedContent" is 'what stands nowhere else, until it has ended';
comment on column "outboxDelivery"."target" is 'where it went, masked';
comment on column "outboxDelivery"."queueTime" is 'since when it waits: the message, or sending again';
`

const tables = `
create table "messageTemplate" (
  "schoolId" text not null references "school" ("schoolId"),
  "messageKind" text not null,
  "subject" text not null,
  "content" text not null,
  "createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "updateBy" uuid,
  "updateTime" timestamptz not null default now(),
  "version" int not null default 0,
  primary key ("schoolId", "messageKind")
);
comment on table "messageTemplate" is 'words of a school for messages that go outside, where it has its own';

create table "messagePreference" (
  "schoolId" text not null,
  "suId" uuid not null,
  "odChannel" text not null,
  "messageKind" text not null,
  "mpMode" text not null,
  "updateTime" timestamptz not null,
  primary key ("schoolId", "suId", "odChannel", "messageKind"),
  foreign key ("schoolId", "suId") references "person" on delete cascade
);
comment on table "messagePreference" is 'what people want by which channel, where it is not what their school says';
`

const messages = `
create function "outbox_message"() returns trigger language plpgsql as $body$
declare
  d record;
begin
  if not exists (select from "outboxDestination" where "enable" = '1' and "messageKinds" <> '{}') then
    return null;
  end if;
  for d in
    select n."schoolId", o."odId", n."iurId", i."iiType", n."suId",
      case coalesce(p."mpMode", case when o."digestKinds" @> array[i."iiType"] then 'digest' else 'now' end)
        when 'digest' then '6' else '0' end "dlStatus"
    from became n
    join "information" i on i."schoolId" = n."schoolId" and i."iiId" = n."iiId"
    join "outboxDestination" o on o."schoolId" = n."schoolId" and o."enable" = '1'
      and o."messageKinds" @> array[i."iiType"]
    join "account" a on a."schoolId" = n."schoolId" and a."suId" = n."suId" and a."suStatus" = '1'
    left join "messagePreference" p on p."schoolId" = n."schoolId" and p."suId" = n."suId"
      and p."odChannel" = o."odChannel" and p."messageKind" = i."iiType"
    where p."mpMode" is distinct from 'off'
    order by n."suId", o."odId"
  loop
    insert into "outboxDelivery" (
      "schoolId", "dlId", "odId", "eventId", "eventKind", "eventData", "dlStatus", "suId", "iurId"
    )
    values (
      d."schoolId", gen_random_uuid(), d."odId", d."iurId", d."iiType", '{}', d."dlStatus", d."suId", d."iurId"
    );
  end loop;
  return null;
end $body$;
create trigger "informationReceiver_outbox_insert" after insert on "informationReceiver"
  referencing new table as became for each statement execute function "outbox_message"();
`
