import { sql, type Kysely } from 'kysely'

/** What a reviewer keeps for himself: the phrases he uses, and for some seconds the way back from a decision. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // undo: how the approval stood before the last decision, and who may bring it back until when
  `alter table "approval" add column "undo" jsonb`,
  `create index "approval_started" on "approval" ("schoolId", "startBy", "bizType", "startTime" desc)`,
  `create table "approvalOpinion" ("schoolId" text not null, "suId" uuid not null, "phrases" text[] not null, "updateTime" timestamptz not null default now(),
     primary key ("schoolId", "suId"), foreign key ("schoolId", "suId") references "person" on delete cascade)`,
]
