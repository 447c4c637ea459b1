import { sql, type Kysely } from 'kysely'

/** The audit trail is searched by act, kind and name of record, address and request, at a million rows as at a thousand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index "auditLog_action" on "auditLog" ("schoolId", "action", "logTime" desc)`,
  `create index "auditLog_kind" on "auditLog" ("schoolId", "bizType", "logTime" desc)`,
  `create index "auditLog_ip" on "auditLog" ("schoolId", "ip", "logTime" desc)`,
  `create index "auditLog_request" on "auditLog" ("schoolId", "requestId")`,
  `create index "auditLog_refused" on "auditLog" ("schoolId", "logTime" desc) where "result" = 'refused'`,
  `create index "auditLog_name_chars" on "auditLog" using gin (chars("bizName"))`,
]
