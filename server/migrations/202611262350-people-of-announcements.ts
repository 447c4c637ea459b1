import { sql, type Kysely } from 'kysely'

/**
 * An announced erasure keeps whom it is of until it is carried out, so that nobody is erased who fell due otherwise
 * meanwhile. Announcements from before do not know and are made anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "erasure" add column "announcedIds" uuid[]`.execute(db)
  await sql`
    comment on column "erasure"."announcedIds"
      is 'who was announced, null once it has been carried out and where only their number was kept'`.execute(db)
}
