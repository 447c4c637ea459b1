import { audit, type AuditEntry } from './audit.ts'
import type { Context } from './context.ts'

/** Milliseconds within which refusals of the same kind make one row and, at the end, one more with their number. */
const span = 600_000
/** Kinds of refusals of one person that are told apart within that time; the others are told together. */
const mostKinds = 50

interface Note {
  /** Whoever was refused last, and where. */
  ctx: Context
  entry: AuditEntry
  more: number
  timer: NodeJS.Timeout
}

/** By person, then by what he was refused. */
const notes = new Map<string, Map<string, Note>>()

/**
 * Notes on the audit trail that somebody was refused for lack of a right. The first time makes a row at once; repetitions within ten minutes are
 * counted and make one row together, for rows of the trail are never deleted and whoever is refused could fill it.
 */
export async function noteRefusal(ctx: Context, entry: AuditEntry): Promise<void> {
  const person = `${ctx.actor.schoolId}:${ctx.actor.suId}`
  const own = notes.get(person) ?? new Map<string, Note>()
  notes.set(person, own)
  const kind = `${entry.action} ${entry.bizId ?? ''}`
  const known = own.get(kind) ?? (own.size < mostKinds ? undefined : own.get(''))
  if (known) {
    known.ctx = ctx
    known.more++
    return
  }
  const isOne = own.size < mostKinds
  const told: AuditEntry = {
    ...(isOne ? entry : { action: '多项无权限的操作', bizType: entry.bizType ?? 'permit' }),
    result: 'refused',
  }
  const key = isOne ? kind : ''
  own.set(key, { ctx, entry: told, more: 0, timer: setTimeout(() => void close(person, key), span).unref() })
  await audit(ctx, told)
}

/** Writes what has been counted and not told yet; before the program stops. */
export async function tellRefusals(): Promise<void> {
  await Promise.all([...notes].flatMap(([person, own]) => [...own.keys()].map((key) => close(person, key))))
}

async function close(person: string, key: string): Promise<void> {
  const own = notes.get(person)
  const note = own?.get(key)
  if (!own || !note) return
  clearTimeout(note.timer)
  own.delete(key)
  if (own.size === 0) notes.delete(person)
  if (note.more === 0) return
  await audit(note.ctx, {
    ...note.entry,
    reason: `${span / 60_000} 分钟内又被拒绝 ${note.more} 次`,
    after: { times: note.more },
  }).catch((err: unknown) => note.ctx.log.error({ err, times: note.more }, 'refusals not noted'))
}
