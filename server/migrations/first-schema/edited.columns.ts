/**
 * The columns of every record that people edit: who made it and when, who changed it last and when, and its version.
 */
export const editedColumns = `"createBy" uuid,
  "createName" text not null default '',
  "createTime" timestamptz not null default now(),
  "updateBy" uuid,
  "updateTime" timestamptz not null default now(),
  "version" int not null default 0`
