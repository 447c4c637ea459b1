import { sql, type Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/** Participants hand in what their course asks for (decision 121). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "lesson" add column if not exists "workRequest" text not null default ''`.execute(db)
  await sql`
    comment on column "lesson"."workRequest" is 'what participants are to hand in, in words; blank: nothing'`.execute(
    db,
  )
  await sql`
    alter table "registration"
      add column if not exists "workText" text not null default '',
      add column if not exists "workFiles" uuid[] not null default '{}',
      add column if not exists "workTime" timestamptz`.execute(db)
  await sql`
    comment on column "registration"."workTime" is 'when the work was handed in last; null: none was'`.execute(db)
  await concurrentIndex(db, {
    name: 'registration_works',
    on: '"registration" using gin ("workFiles") where "workTime" is not null',
  })
}
