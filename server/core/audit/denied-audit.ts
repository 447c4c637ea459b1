import { audit, type AuditEntry } from './audit.ts'
import type { Context } from '../request/context.ts'

/** Milliseconds within which refusals of the same kind make one row and, at the end, one more with their number. */
const windowMs = 600_000
/** Kinds of refusals of one person that are told apart within that time; the others are told together. */
const maxKinds = 50

interface PendingDenial {
  /** Whoever was refused last, and where. */
  ctx: Context
  entry: AuditEntry
  more: number
  timer: NodeJS.Timeout
}

/** By person, then by what they were refused. */
const pending = new Map<string, Map<string, PendingDenial>>()

/**
 * Notes on the audit trail that somebody was refused for lack of a right. The first time makes a row at once;
 * repetitions within ten minutes are counted and make one row together, for rows of the trail are never deleted and
 * whoever is refused could fill it.
 */
export async function auditDenied(ctx: Context, entry: AuditEntry): Promise<void> {
  const person = `${ctx.actor.schoolId}:${ctx.actor.suId}`
  const own = pending.get(person) ?? new Map<string, PendingDenial>()
  pending.set(person, own)
  const kind = `${entry.action} ${entry.bizId ?? ''}`
  const known = own.get(kind) ?? (own.size < maxKinds ? undefined : own.get(''))
  if (known) {
    known.ctx = ctx
    known.more++
    return
  }
  const isOne = own.size < maxKinds
  const firstEntry: AuditEntry = {
    ...(isOne ? entry : { action: '多项无权限的操作', bizType: entry.bizType ?? 'permit' }),
    result: 'refused',
  }
  const key = isOne ? kind : ''
  own.set(key, { ctx, entry: firstEntry, more: 0, timer: setTimeout(() => void close(person, key), windowMs).unref() })
  await audit(ctx, firstEntry)
}

/** Writes what has been counted and not told yet; before the program stops. */
export async function flushDenied(): Promise<void> {
  await Promise.all([...pending].flatMap(([person, own]) => [...own.keys()].map((key) => close(person, key))))
}

async function close(person: string, key: string): Promise<void> {
  const own = pending.get(person)
  const pendingDenial = own?.get(key)
  if (!own || !pendingDenial) return
  clearTimeout(pendingDenial.timer)
  own.delete(key)
  if (own.size === 0) pending.delete(person)
  if (pendingDenial.more === 0) return
  await audit(pendingDenial.ctx, {
    ...pendingDenial.entry,
    reason: `${windowMs / 60_000} 分钟内又被拒绝 ${pendingDenial.more} 次`,
    after: { times: pendingDenial.more },
  }).catch((err: unknown) => pendingDenial.ctx.log.error({ err, times: pendingDenial.more }, 'refusals not noted'))
}
