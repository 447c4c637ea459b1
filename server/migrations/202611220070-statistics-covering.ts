import { sql, type Kysely } from 'kysely'

/** What statistics add up stands in the indexes they go by: hundreds of thousands of rows are then read in order instead of being fetched from all over their tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "statDay" drop constraint "statDay_pkey", add constraint "statDay_pkey" primary key ("schoolId", "stKind", "stDay", "plId", "item") include ("hours", "credit", "records")`,
  `alter table "statLogin" drop constraint "statLogin_pkey", add constraint "statLogin_pkey" primary key ("schoolId", "logDay", "plId") include ("people", "times")`,
  `drop index "creditLedger_ability"`,
  `create index "creditLedger_ability" on "creditLedger" ("schoolId", "occurTime") include ("suId", "sqlId", "clValue") where "clType" = '5' and "reverseOf" is null`,
  // reversals are few and go by the day of what they reverse
  `create index "creditLedger_reversal" on "creditLedger" ("schoolId", "clType") include ("suId", "sqlId", "clValue", "reverseOf") where "reverseOf" is not null`,
  `create index "supplement_counted" on "supplement" ("schoolId", "createTime") include ("lisId", "suId", "lisStatus", "lisType", "lisLevel", "lisHours", "lsPath", "lisName", "lisAward") where "delFlag" = '0' and "lisStatus" in ('1', '2', '3', '5', '6')`,
]
