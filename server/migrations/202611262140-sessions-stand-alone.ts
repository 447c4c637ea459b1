import { sql, type Kysely } from 'kysely'

/**
 * Sessions and requests for recovery codes stay with the machine that is asked first, accounts and providers lie where
 * their school does; no foreign key leads from one to the other (decision 123). The program removes them together, and
 * a session without its account or its provider opens nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "session"
      drop constraint "session_provider_fkey",
      drop constraint "session_schoolId_suId_fkey"`.execute(db)
  await sql`alter table "resetRequest" drop constraint "resetRequest_schoolId_suId_fkey"`.execute(db)
}
