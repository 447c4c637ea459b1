import { sql, type Kysely } from 'kysely'

/** Seals over the audit trail, one chain a school, and the guarded way by which rows older than the retention leave it (decision 009). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // form: how rows and seals are put into bytes; logIds and rowHashes: the rows under the seal in order, 32 bytes each
  `create table "auditSeal" ("schoolId" text not null, "sealNo" int not null check ("sealNo" > 0), "form" int not null, "sealTime" timestamptz not null, "firstTime" timestamptz not null, "lastTime" timestamptz not null, "rowCount" int not null check ("rowCount" > 0),
     "logIds" uuid[] not null check (cardinality("logIds") = "rowCount"), "rowHashes" bytea not null check (octet_length("rowHashes") = 32 * "rowCount"), "prevHash" bytea not null check (octet_length("prevHash") = 32), "hash" bytea not null check (octet_length("hash") = 32),
     primary key ("schoolId", "sealNo"))`,
  `create index "auditSeal_time" on "auditSeal" ("schoolId", "lastTime")`,
  `create trigger "auditSeal_append_only" before update or delete on "auditSeal" for each row execute function refuse_change()`,
  `create trigger "auditSeal_no_truncate" before truncate on "auditSeal" execute function refuse_change()`,

  // rows of whole seals that were written to a file and then removed; every row under them is older than cutTime
  `create table "auditArchive" ("schoolId" text not null, "arcNo" int not null check ("arcNo" > 0), "fromSeal" int not null, "throughSeal" int not null check ("throughSeal" >= "fromSeal"), "rowCount" int not null, "firstTime" timestamptz not null, "lastTime" timestamptz not null,
     "cutTime" timestamptz not null, "fileName" text not null, "size" bigint not null, "sha256" text not null, "createTime" timestamptz not null, primary key ("schoolId", "arcNo"), unique ("schoolId", "throughSeal"), check ("lastTime" < "cutTime"))`,
  `create trigger "auditArchive_append_only" before update or delete on "auditArchive" for each row execute function refuse_change()`,
  `create trigger "auditArchive_no_truncate" before truncate on "auditArchive" execute function refuse_change()`,

  // the one way out: the rows of one archive, all of them or none
  `create function remove_archived_audit(p_school text, p_archive int) returns int language plpgsql as $$
   declare a "auditArchive"; n int;
   begin
     select * into strict a from "auditArchive" where "schoolId" = p_school and "arcNo" = p_archive;
     delete from "auditLog" l using "auditSeal" s
       where s."schoolId" = p_school and s."sealNo" between a."fromSeal" and a."throughSeal" and l."schoolId" = p_school and l."logId" = any(s."logIds");
     get diagnostics n = row_count;
     if n <> a."rowCount" then raise exception 'archive % of % names % rows, % are there', p_archive, p_school, a."rowCount", n using errcode = '0A000'; end if;
     return n;
   end $$`,
  // deletes pass only from within that function, for rows of an archive, and never within six months (the law's least)
  `create function refuse_audit_change() returns trigger language plpgsql as $$
   declare stack text;
   begin
     if tg_op = 'DELETE' then
       get diagnostics stack = pg_context;
       if stack ~ E'\\nPL/pgSQL function remove_archived_audit\\\\(text,integer\\\\) line ' and old."logTime" < now() - interval '6 months'
         and exists (select from "auditArchive" a where a."schoolId" = old."schoolId" and old."logTime" < a."cutTime") then return old; end if;
     end if;
     raise exception 'append-only table %: rows are never changed or removed', tg_table_name using errcode = '0A000';
   end $$`,
  `drop trigger "auditLog_append_only" on "auditLog"`,
  `create trigger "auditLog_append_only" before update or delete on "auditLog" for each row execute function refuse_audit_change()`,
]
