import { sql, type Kysely } from 'kysely'

/**
 * What a supplement record keeps beside its facts: the declared hours apart from the approved ones, the rule and award it is rated by, the
 * state it was in before it was deleted, and when it was credited. Indexes for the job, the tabs of the list and the search for duplicates.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "supplement" add column "lisStartDate" date, add column "lisEndDate" date, add column "certUrl" text not null default '', add column "lisHoursDeclared" int, add column "esId" uuid, add column "lisAwardDetailId" uuid,
     add column "statusBefore" text not null default '', add column "passTime" timestamptz, add column "completeTime" timestamptz`,
  `create index "supplement_publicity" on "supplement" ("lisPublictyEdate") where "lisStatus" = '5'`,
  `create index "supplement_status" on "supplement" ("schoolId", "lisStatus", "createTime" desc)`,
  `create index "supplement_certificate" on "supplement" ("schoolId", "certNo") where "certNo" <> ''`,
  `create index "supplement_creator" on "supplement" ("schoolId", "createBy")`,
  `create index "supplement_import" on "supplement" ("schoolId", "importBatchId") where "importBatchId" is not null`,
  `create index "supplement_proofs" on "supplement" using gin ("lisProofs")`,
  `create index "file_digest" on "file" ("schoolId", "sha256")`,
]
