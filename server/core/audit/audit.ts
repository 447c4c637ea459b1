import type { Insertable } from 'kysely'
import type { AuditKind } from '../../../contract/core/dictionary.ts'
import { newId } from '../base/ids.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import type { Tables } from '../database/pool.ts'
import type { Context, PublicContext } from '../request/context.ts'
import { systemId } from '../request/system.ts'

export interface AuditEntry {
  /** What was done, in Chinese: usually the call's summary. */
  action: string
  /** Kind and id of the record; the timeline of a record is read by its id. */
  bizType?: AuditKind
  bizId?: string
  bizName?: string
  /** The record before and after, or the changed fields of it. Secrets and sensitive fields never go in. */
  before?: object | null
  after?: object | null
  reason?: string
  /** `refused` for attempts that were turned away. */
  result?: 'ok' | 'refused'
}

/**
 * Appends one row to the audit trail, in the caller's transaction: if it cannot be written, the action does not happen.
 */
export async function audit(ctx: Context, entry: AuditEntry): Promise<void> {
  await auditMany(ctx, [entry])
}

/** Appends rows for an action on many records with one statement. */
export async function auditMany(ctx: Context, entries: AuditEntry[]): Promise<void> {
  await writeAudit(ctx, namedIn(ctx), entries)
}

function namedIn({ actor: { schoolId, suId, suNickname, program } }: Context): Named {
  // programs are found by their names, as the system is: they are nobody of any college
  const actorId = suId === systemId || program ? null : suId
  return { schoolId, actorId, actorName: suNickname }
}

/** Appends a row in the name of each of several people, who acted in one transaction, with one statement. */
export async function auditEach(db: Context['db'], acts: { ctx: Context; entry: AuditEntry }[]): Promise<void> {
  await writeRows(
    db,
    acts.map(({ ctx, entry }) => rowOf(ctx, namedIn(ctx), entry)),
  )
}

/**
 * Appends rows in somebody's name: used where there is no signed-in actor yet (sign-in) or none at all (system jobs).
 */
export async function writeAudit(
  ctx: Pick<PublicContext, 'db' | 'clock' | 'origin'>,
  actor: Named,
  entries: AuditEntry[],
): Promise<void> {
  await writeRows(
    ctx.db,
    entries.map((entry) => rowOf(ctx, actor, entry)),
  )
}

interface Named {
  schoolId: string
  actorId: string | null
  actorName: string
}

const rowOf = ({ clock, origin }: Pick<PublicContext, 'clock' | 'origin'>, actor: Named, entry: AuditEntry) => ({
  ...actor,
  logId: newId(),
  action: entry.action,
  result: entry.result ?? 'ok',
  bizType: entry.bizType ?? '',
  bizId: entry.bizId ?? '',
  bizName: entry.bizName ?? '',
  before: entry.before ? JSON.stringify(entry.before) : null,
  after: entry.after ? JSON.stringify(entry.after) : null,
  reason: entry.reason ?? '',
  requestId: origin.requestId,
  ip: origin.ip,
  agent: origin.agent.slice(0, 300),
  logTime: clock.now(),
})

async function writeRows(db: PublicContext['db'], rows: ReturnType<typeof rowOf>[]): Promise<void> {
  if (rows.length === 0) return
  if (rows.length === 1) return void (await insertOne(db, rows[0]!))
  for (let at = 0; at < rows.length; at += 1000)
    await db
      .insertInto('auditLog')
      .values(rows.slice(at, at + 1000))
      .execute()
}

/** Nearly every write adds one row. */
const insertOne = compiledOnce((db, row: Required<Omit<Insertable<Tables['auditLog']>, 'onBehalfOf'>>) =>
  db.insertInto('auditLog').values({
    schoolId: row.schoolId,
    actorId: row.actorId,
    actorName: row.actorName,
    logId: row.logId,
    action: row.action,
    result: row.result,
    bizType: row.bizType,
    bizId: row.bizId,
    bizName: row.bizName,
    before: row.before,
    after: row.after,
    reason: row.reason,
    requestId: row.requestId,
    ip: row.ip,
    agent: row.agent,
    logTime: row.logTime,
  }),
)

/** The fields of `after` that differ from `before`, both sides, for an audit row that shows what changed. */
export function changedFields<T extends object>(
  before: T,
  after: Partial<T>,
): { before: Partial<T>; after: Partial<T> } {
  const keys = (Object.keys(after) as (keyof T)[]).filter(
    (key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null),
  )
  const part = (of: Partial<T>) => Object.fromEntries(keys.map((key) => [key, of[key] ?? null])) as Partial<T>
  return { before: part(before), after: part(after) }
}
