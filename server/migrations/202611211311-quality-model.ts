import { sql, type Kysely } from 'kysely'

/** The quality model of a school: the labels its radar shows, in their order, each with the score that its rim stands for (DOMAIN 2.5, 4.4). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table "qualityModel" ("schoolId" text not null references "school", "createBy" uuid, "createName" text not null default '', "createTime" timestamptz not null default now(),
     "updateBy" uuid, "updateTime" timestamptz not null default now(), "updateName" text not null default '', "version" int not null default 0, primary key ("schoolId"))`,
  // qmMax in whole hundredths
  `create table "qualityModelLabel" ("schoolId" text not null, "sqlId" uuid not null, "qmName" text not null, "qmMax" int not null check ("qmMax" > 0), "qmColor" text not null default '', "qmSort" int not null,
     primary key ("schoolId", "sqlId"), foreign key ("schoolId") references "qualityModel" on delete cascade, foreign key ("schoolId", "sqlId") references "qualityLabel")`,
]
