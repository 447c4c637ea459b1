import { sql, type Kysely } from 'kysely'

/**
 * A school that moves to another installation: while it does, its people may look and not write; afterwards it says
 * where it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "school"
      add column "moveState" text not null default '',
      add column "movedTo" text not null default '',
      add constraint "school_moveState" check (
        "moveState" in ('', 'moving', 'moved') and ("moveState" = '' or "suspendedTime" is not null)
      )`.execute(db)
  await sql`
    comment on column "school"."moveState"
      is 'moving: a suspended school whose people may still look; moved: it is at movedTo now; empty: neither'`.execute(
    db,
  )
}
