import { sql, type Kysely } from 'kysely'

/** What a curriculum node says about supplements, stars and its looks (DOMAIN 3.12); the level and ability factor of an award; levels of a label. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // supWindow {way, months, dates}; null: as the node above. supProofs empty: as the node above. starRule {unit, steps} in hundredths; null: the usual steps
  `alter table "curriculum" add column "lsIcon" text not null default '', add column "allowSup" text not null default '1', add column "supWindow" jsonb, add column "supProofs" text[] not null default '{}',
     add column "supNote" text not null default '', add column "starRule" jsonb`,
  `create index "supplement_path" on "supplement" using gin ("lsPath")`,
  // which courses give awards of a template
  `create index "lesson_template" on "lesson" ("schoolId", "atId") where "atId" is not null`,
  // adLevel: dictionary.award_tier; abilityFactor: whole hundredths by which abilities count for holders of the award
  `alter table "awardDetail" add column "adLevel" text not null default '9', add column "abilityFactor" int not null default 100`,
  // what levels 1 to 5 of an ability mean, in this order; empty where the school has not said
  `alter table "qualityLabel" add column "levels" jsonb not null default '[]'`,
]
