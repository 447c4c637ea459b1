import { sql } from 'kysely'
import { credibilityReason } from '../../../contract/core/codes/programme.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'

/** Where a student stands: their points, and their absences and removals without those made good. */
export interface CredibilityStatus {
  suId: string
  suiCredibility: number
  absences: number
  blackUntil: string | null
}

/** `dictionary.credibility_reason` of what the system writes. */
export const reasonOf = {
  absence: credibilityReason.absence,
  left: credibilityReason.leftOrRemoved,
  goodSigns: credibilityReason.goodConduct,
  highLevel: credibilityReason.highLevelActivity,
  restored: credibilityReason.restored,
  feigned: credibilityReason.falseAttendance,
  removed: credibilityReason.removed,
} as const

/** What counts on the way to a closed registration, even where no points were left to lose. */
export const countedReasons: readonly string[] = [reasonOf.absence, reasonOf.removed]

/** One change: a row of the log. Several of one student follow each other. */
export interface CredibilityChange {
  suId: string
  before: number
  after: number
  reasonCode: string
  reason: string
  liId?: string | null
  restoreOf?: string | null
}

/** Who changes it; `operatorId` null: the system. */
interface Operator {
  operatorId: string | null
  operatorName: string
}

/** An entry that counts: it was not made good. `g` is a row of the log. */
const notRestored = sql`not exists (
    select
    from "credibilityLog" u
    where u."schoolId" = g."schoolId" and u."restoreOf" = g."cgId"
  )`

/**
 * Where students stand, kept to the transaction, so that changes made side by side follow each other and none is lost.
 * Locked by a statement of its own: what others have written while we waited is then seen by the one that counts.
 */
export async function lockCredibility(
  ctx: Pick<PublicContext, 'db'>,
  schoolId: string,
  suIds: readonly string[],
): Promise<Map<string, CredibilityStatus>> {
  await sql`
    select
    from "person"
    where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])
    order by "suId"
    for no key
    update`.execute(ctx.db)
  return credibilityOf(ctx, schoolId, suIds)
}

/** The same without keeping anybody from changing it. */
export async function credibilityOf(
  { db }: Pick<PublicContext, 'db'>,
  schoolId: string,
  suIds: readonly string[],
): Promise<Map<string, CredibilityStatus>> {
  const { rows } = await sql<CredibilityStatus>`
      select p."suId", p."suiCredibility", p."blackUntil",
        (
          select count(*)::int
          from "credibilityLog" g
          where g."schoolId" = p."schoolId"
            and g."suId" = p."suId"
            and g."reasonCode" = any(${countedReasons}::text[])
            and ${notRestored}
        ) as "absences"
      from "person" p
      where p."schoolId" = ${schoolId} and p."suId" = any(${suIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.suId, row]))
}

/**
 * Writes changes of students whose standing is locked: each student's points become those after their last change, and
 * every change stands in the log.
 */
export async function writeChanges(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  changes: readonly CredibilityChange[],
  { operatorId, operatorName }: Operator,
): Promise<void> {
  const now = clock.now()
  const last = [...new Map(changes.map(({ suId, after }) => [suId, { suId, after }])).values()]
  for await (const chunk of chunksOf(last, 5000)) {
    await sql`
      update "person" p
      set "suiCredibility" = r."after", "updateTime" = ${now}::timestamptz
      from ${recordset(chunk, { suId: 'uuid', after: 'int' })}
      where p."schoolId" = ${schoolId} and p."suId" = r."suId"`.execute(db)
  }
  const rows = changes.map(({ before, after, liId = null, restoreOf = null, ...rest }) => ({
    ...rest,
    cgId: newId(),
    before,
    after,
    change: after - before,
    liId,
    restoreOf,
  }))
  const columns = {
    cgId: 'uuid',
    suId: 'uuid',
    before: 'int',
    after: 'int',
    change: 'int',
    reasonCode: 'text',
    reason: 'text',
    liId: 'uuid',
    restoreOf: 'uuid',
  }
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  for await (const chunk of chunksOf(rows, 5000)) {
    await sql`
      insert into "credibilityLog" ("schoolId", "operatorId", "operatorName", "createTime", ${names})
      select ${schoolId}, ${operatorId}::uuid, ${operatorName}, ${now}::timestamptz, ${names}
      from ${recordset(chunk, columns)}`.execute(db)
  }
}

/** Closes registration for students until a moment, or until the later one already set; null opens it. */
export async function setBlackUntil(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  suIds: readonly string[],
  until: string | null,
): Promise<void> {
  if (suIds.length === 0) return
  await sql`
    update "person"
    set "blackUntil" = case
      when ${until}::timestamptz is null then null
      else greatest("blackUntil", ${until}::timestamptz)
    end, "updateTime" = ${clock.now()}::timestamptz
    where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])`.execute(db)
}
