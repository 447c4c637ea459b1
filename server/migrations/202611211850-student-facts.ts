import { sql, type Kysely } from 'kysely'

/** What a school keeps of a student besides his papers and his studies (DOMAIN 3.2): where he lives, when he joined league and party, and his number as a volunteer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "person" add "suiDorm" text, add "leagueJoinDate" date, add "partyJoinDate" date, add "isVolunteerRegistered" text not null default '0', add "volunteerNo" text`.execute(
    db,
  )
}
