import { sql, type Kysely } from 'kysely'

/** Keys of writing requests, so that one sent twice takes effect once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // inputHash: SHA-256 of the call and its input; answer: sealed JSON, null while the request runs
  `create table "requestKey" ("schoolId" text not null, "suId" uuid not null, "key" text not null, "inputHash" bytea not null, "answer" bytea, "createTime" timestamptz not null,
     primary key ("schoolId", "suId", "key"))`,
  `create index on "requestKey" ("createTime")`,
]
