import { sql, type Kysely } from 'kysely'

/** A reviewer may ask a colleague for an opinion, and an administrator may end an approval for a reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "approvalTask" add column "adviceOn" uuid`.execute(db)
  await sql`comment on column "approvalTask"."adviceOn" is 'the task whose checker wants an opinion by this one'`.execute(
    db,
  )
  await sql`
    alter table "approval"
      add column "endName" text not null default '',
      add column "endReason" text not null default ''`.execute(db)
  await sql`comment on column "approval"."endName" is 'who ended it without a decision'`.execute(db)
}
