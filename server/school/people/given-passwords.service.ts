import { sql } from 'kysely'
import { recordset } from '../../core/database/bulk.ts'
import { addDays } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'

/**
 * Stores passwords that somebody else gave to several people: each must be changed at first use and runs out after
 * `days`; all their sessions end, and
 * no device of theirs is remembered. Hashes are made before, for they are slow.
 */
export async function storeGivenPasswords(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  given: readonly { suId: string; passwordHash: string }[],
  days: number,
): Promise<void> {
  const now = clock.now()
  const rows = recordset(given, { suId: 'uuid', passwordHash: 'text' })
  await sql`
    insert into "passwordHistory" ("schoolId", "suId", "passwordHash", "setTime")
    select ${schoolId}, r."suId", r."passwordHash", ${now}::timestamptz
    from ${rows}`.execute(db)
  await sql`
    update "account" a
    set "passwordHash" = r."passwordHash",
      "mustChangePwd" = true,
      "initialUntil" = ${addDays(now, days)}::timestamptz,
      "pwdUpdateTime" = ${now}::timestamptz,
      "updateTime" = ${now}::timestamptz
    from ${rows}
    where a."schoolId" = ${schoolId} and a."suId" = r."suId"`.execute(db)
  await sql`
    delete from "trustedDevice" d using ${rows}
    where d."schoolId" = ${schoolId} and d."suId" = r."suId"`.execute(db)
  await sql`delete from "session" s using ${rows} where s."schoolId" = ${schoolId} and s."suId" = r."suId"`.execute(db)
}
