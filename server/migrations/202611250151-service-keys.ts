import { sql, type Kysely } from 'kysely'

/** Keys by which programs ask (decision 081): only a hash of each is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "serviceKey" (
  "schoolId" text not null references "school" ("schoolId"),
  "keyId" uuid not null,
  "keyName" text not null,
  "prefix" text not null,
  "keyHash" bytea not null,
  "srId" uuid not null,
  "targets" jsonb not null default '[]',
  "networks" text[] not null default '{}',
  "perMinute" int not null,
  "endDate" date not null,
  "revokeTime" timestamptz,
  "revokeName" text not null default '',
  "lastTime" timestamptz,
  "lastIp" text not null default '',
  "createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "updateBy" uuid,
  "updateTime" timestamptz not null default now(),
  "version" int not null default 0,
  primary key ("schoolId", "keyId"),
  foreign key ("schoolId", "srId") references "role" ("schoolId", "srId")
);
comment on table "serviceKey" is 'keys by which programs ask';
comment on column "serviceKey"."prefix" is 'how the key begins, by which people know it';
comment on column "serviceKey"."keyHash" is 'SHA-256 of the key';
comment on column "serviceKey"."targets" is 'control area: kind and id of each target';
comment on column "serviceKey"."networks" is 'addresses it may come from; any where empty';
create index "serviceKey_hash" on "serviceKey" ("keyHash");
create index "serviceKey_role" on "serviceKey" ("schoolId", "srId");
`,
    )
    .execute(db)
}
