import { sql, type Kysely } from 'kysely'

/**
 * A delivery waits since its message was sent, by the clock that the message was sent by: the database may run on
 * another machine, whose clock is another one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(noting).execute(db)
}

const noting = `
create or replace function "outbox_message"() returns trigger language plpgsql as $body$
declare
  d record;
begin
  if not exists (select from "outboxDestination" where "enable" = '1' and "messageKinds" <> '{}') then
    return null;
  end if;
  for d in
    select n."schoolId", o."odId", n."iurId", i."iiType", i."sendTime", n."suId",
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
      "schoolId", "dlId", "odId", "eventId", "eventKind", "eventData", "dlStatus", "suId", "iurId",
      "createTime", "queueTime"
    )
    values (
      d."schoolId", gen_random_uuid(), d."odId", d."iurId", d."iiType", '{}', d."dlStatus", d."suId", d."iurId",
      d."sendTime", d."sendTime"
    );
  end loop;
  return null;
end $body$;
`
