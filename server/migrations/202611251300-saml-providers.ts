import { sql, type Kysely } from 'kysely'

/** Assertions of SAML count once, as notices of sign-outs do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`comment on table "identityLogout" is 'What providers have said that counts once: notices of sign-outs, assertions.'`.execute(
    db,
  )
}
