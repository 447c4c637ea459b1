import { sql, type Kysely } from 'kysely'

/**
 * What the form of a course asks besides: who organises it with whom, its labels, more of its range, and who has a
 * place from the beginning. The form of industry courses is offered where a school switches it on; schools that use it
 * already keep it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "lesson"
      add column "organiserIds" uuid[] not null default '{}',
      add column "coOrganisers" text not null default '',
      add column "liLabels" text[] not null default '{}',
      add column "rangeCircles" uuid[] not null default '{}',
      add column "rangePolitical" text[] not null default '{}',
      add column "rangeSexes" text[] not null default '{}',
      add column "reservedIds" uuid[] not null default '{}'`.execute(db)
  await sql`comment on column "lesson"."reservedIds" is 'students who have a place as soon as it is published'`.execute(
    db,
  )
  await sql`
    update "school" s
    set "features" = s."features" || '{"isGydx": true}'
    where exists (select from "lesson" l where l."schoolId" = s."schoolId" and l."liScheme" = 'industry')
      or exists (select from "curriculum" c where c."schoolId" = s."schoolId" and c."lsFormScheme" = 'industry')`.execute(
    db,
  )
}
