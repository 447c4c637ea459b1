/** The audit trail, its seals, and the guarded way by which old rows leave it (decision 009). */
export const audit = String.raw`
-- Who did what to which record, when and from where (decision 009).
create table "auditLog" (
  "schoolId" text not null,
  "logId" uuid not null,
  "actorId" uuid,
  "actorName" text not null,
  "onBehalfOf" uuid,
  "action" text not null,
  "result" text not null default 'ok', -- audit_result
  "bizType" text not null default '', -- audit_kind
  "bizId" text not null default '',
  "bizName" text not null default '',
  "before" jsonb,
  "after" jsonb,
  "reason" text not null default '',
  "requestId" text not null,
  "ip" text not null,
  "agent" text not null,
  "logTime" timestamptz not null default now(),
  primary key ("schoolId", "logId")
);
-- the history of a record
create index "auditLog_biz" on "auditLog" ("schoolId", "bizId", "logTime");
-- the list
create index "auditLog_time" on "auditLog" ("schoolId", "logTime" desc);
-- search by person
create index "auditLog_actor" on "auditLog" ("schoolId", "actorId", "logTime" desc);
-- search by act
create index "auditLog_action" on "auditLog" ("schoolId", "action", "logTime" desc);
-- search by kind of record
create index "auditLog_kind" on "auditLog" ("schoolId", "bizType", "logTime" desc);
-- search by address
create index "auditLog_ip" on "auditLog" ("schoolId", "ip", "logTime" desc);
-- search by request
create index "auditLog_request" on "auditLog" ("schoolId", "requestId");
-- what was refused
create index "auditLog_refused" on "auditLog" ("schoolId", "logTime" desc)
  where "result" = 'refused';
-- substring search by the record’s name (decision 004)
create index "auditLog_name_grams" on "auditLog" using gin (grams("bizName"));
-- the function follows below, with the one way by which rows leave
create trigger "auditLog_no_truncate" before truncate on "auditLog"
  execute function refuse_change();

-- Seals over the audit trail, one chain a school: each holds the hash of the one before (decision 009).
create table "auditSeal" (
  "schoolId" text not null,
  "sealNo" int not null check ("sealNo" > 0),
  "form" int not null, -- how rows and seals are put into bytes
  "sealTime" timestamptz not null,
  "firstTime" timestamptz not null,
  "lastTime" timestamptz not null,
  "rowCount" int not null check ("rowCount" > 0),
  "logIds" uuid[] not null, -- the rows under the seal in order
  "rowHashes" bytea not null, -- 32 bytes each
  "prevHash" bytea not null check (octet_length("prevHash") = 32),
  "hash" bytea not null check (octet_length("hash") = 32),
  primary key ("schoolId", "sealNo"),
  check (cardinality("logIds") = "rowCount"),
  check (octet_length("rowHashes") = 32 * "rowCount")
);
-- seals that are old enough to be archived
create index "auditSeal_time" on "auditSeal" ("schoolId", "lastTime");
create trigger "auditSeal_append_only" before update or delete on "auditSeal"
  for each row execute function refuse_change();
create trigger "auditSeal_no_truncate" before truncate on "auditSeal"
  execute function refuse_change();

-- Rows of whole seals that were written to a file and then removed; every row under them is older than "cutTime".
create table "auditArchive" (
  "schoolId" text not null,
  "arcNo" int not null check ("arcNo" > 0),
  "fromSeal" int not null,
  "throughSeal" int not null,
  "rowCount" int not null,
  "firstTime" timestamptz not null,
  "lastTime" timestamptz not null,
  "cutTime" timestamptz not null,
  "fileName" text not null,
  "size" bigint not null,
  "sha256" text not null,
  "createTime" timestamptz not null,
  primary key ("schoolId", "arcNo"),
  unique ("schoolId", "throughSeal"),
  check ("throughSeal" >= "fromSeal"),
  check ("lastTime" < "cutTime")
);
create trigger "auditArchive_append_only" before update or delete on "auditArchive"
  for each row execute function refuse_change();
create trigger "auditArchive_no_truncate" before truncate on "auditArchive"
  execute function refuse_change();

-- The one way out of the audit trail: the rows of one archive, all of them or none.
create function remove_archived_audit(p_school text, p_archive int) returns int language plpgsql as $$
declare
  a "auditArchive";
  n int;
begin
  select * into strict a
  from "auditArchive"
  where "schoolId" = p_school and "arcNo" = p_archive;
  delete from "auditLog" l
  using "auditSeal" s
  where s."schoolId" = p_school
    and s."sealNo" between a."fromSeal" and a."throughSeal"
    and l."schoolId" = p_school
    and l."logId" = any(s."logIds");
  get diagnostics n = row_count;
  if n <> a."rowCount" then
    raise exception 'archive % of % names % rows, % are there', p_archive, p_school, a."rowCount", n
      using errcode = '0A000';
  end if;
  return n;
end $$;

-- Deletes pass only from within that function, for rows of an archive, and never within six months (the law's least).
create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  stack text;
begin
  if tg_op = 'DELETE' then
    get diagnostics stack = pg_context;
    if stack ~ E'\nPL/pgSQL function remove_archived_audit\\(text,integer\\) line '
      and old."logTime" < now() - interval '6 months'
      and exists (
        select from "auditArchive" a
        where a."schoolId" = old."schoolId" and old."logTime" < a."cutTime"
      )
    then
      return old;
    end if;
  end if;
  raise exception 'append-only table %: rows are never changed or removed', tg_table_name using errcode = '0A000';
end $$;
create trigger "auditLog_append_only" before update or delete on "auditLog"
  for each row execute function refuse_audit_change();
`
