import { sql, type Kysely } from 'kysely'

/**
 * A recovery code that neither a channel nor mail carries waits for an administrator, on whichever machine they ask for
 * it: with its request instead of in a folder of the machine that took the request.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "resetRequest" add column "sealedMessage" bytea`.execute(db)
  await sql`comment on column "resetRequest"."sealedMessage"
    is 'Sealed: the code and its person. Kept where somebody has to pass the code on, until it is used or has run out'`.execute(
    db,
  )
}
