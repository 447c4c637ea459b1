import { sql, type Kysely } from 'kysely'

/** Graduation by years: what was previewed, what was done, and what each student was before, so that it can be taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // gbStatus: 0 previewed, 1 graduated, 2 taken back. gbId is the preview token; goal: what was asked then; unmet: what became of those below it (exclude, include)
  `create table "graduationBatch" ("schoolId" text not null references "school", "gbId" uuid not null, "gbNo" text, "gbStatus" text not null default '0', "grades" text[] not null, "collegeIds" uuid[] not null default '{}', "goal" jsonb not null, "skipped" jsonb not null default '[]',
     "total" int not null, "metCount" int not null, "unmet" text, "graduateCount" int not null default 0, "delayCount" int not null default 0, "reason" text not null default '', "createBy" uuid not null, "createName" text not null, "createTime" timestamptz not null, "expireTime" timestamptz not null,
     "doneTime" timestamptz, "undoTime" timestamptz, "undoName" text not null default '', "undoReason" text not null default '', "undoCount" int not null default 0, primary key ("schoolId", "gbId"), unique ("schoolId", "gbNo"))`,
  `create index "graduationBatch_list" on "graduationBatch" ("schoolId", "doneTime" desc) where "gbStatus" <> '0'`,
  // met: the requirement is met; hours in hundredths; gaps: the modules below their minimum. Before and after: standing and account; keptWhy: why taking back left the student as he is
  `create table "graduationRow" ("schoolId" text not null, "gbId" uuid not null, "suId" uuid not null, "suiNumber" text not null, "met" boolean not null, "hours" int not null, "gaps" jsonb not null, "statusBefore" text not null, "accountBefore" text not null, "statusAfter" text, "accountAfter" text,
     "keptWhy" text not null default '', primary key ("schoolId", "gbId", "suId"), foreign key ("schoolId", "gbId") references "graduationBatch" on delete cascade, foreign key ("schoolId", "suId") references "person")`,
  `create index "graduationRow_list" on "graduationRow" ("schoolId", "gbId", "suiNumber", "suId")`,
]
