import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'
import { hasOwnOnly } from './published.ts'

/**
 * How long an answer may be given again although nothing that is noted has changed: names and the like may have.
 * Milliseconds.
 */
const lifetime = 15_000
const maxAnswers = 1000
const known = new Map<string, { answer: Promise<unknown>; until: number }>()

/**
 * How current the rollups of the own school are: `version` rises with every change; until `asOf` every change is in
 * them.
 */
export async function freshness({
  db,
  actor,
  clock,
}: Pick<Context, 'db' | 'actor' | 'clock'>): Promise<{ version: number; asOf: string }> {
  const { rows } = await sql<{
    version: number
    asOf: string | null
  }>`
    select s."statVersion" "version",
      case when exists (select from "statChange" c where c."schoolId" = ${actor.schoolId}) then s."asOf" end "asOf"
    from "statState" s
    where s."schoolId" = ${actor.schoolId}`.execute(db)
  return { version: Number(rows[0]?.version ?? 0), asOf: rows[0]?.asOf ?? clock.now() }
}

/**
 * The answer of a statistic: calculated once for everybody who asks the same of the same part of the school while
 * nothing has changed, also when they ask at the same moment. Answers name nobody but where `work` starts from what the
 * asking person may see, which is part of the key.
 */
export async function cachedAnswer<T>(
  ctx: Context,
  name: string,
  input: object,
  work: (asOf: string) => Promise<T>,
): Promise<T> {
  const { version, asOf } = await freshness(ctx)
  const whose = hasOwnOnly(ctx) ? ctx.actor.suId : ''
  const key = JSON.stringify([ctx.actor.schoolId, name, version, ctx.scope, whose, input])
  const now = performance.now()
  const before = known.get(key)
  if (before && before.until > now) return before.answer as Promise<T>
  if (known.size >= maxAnswers)
    for (const [old, { until }] of known) if (until <= now || known.size >= maxAnswers) known.delete(old)
  const answer = work(asOf)
  known.set(key, { answer, until: now + lifetime })
  answer.catch(() => known.delete(key))
  return answer
}

/**
 * A list behind a figure, its pages kept like the figure, so that it agrees with the figure it was opened from. What
 * rows say may depend on the person's rights, which are therefore part of the key.
 */
export const kept =
  <I extends object, O>(name: string, list: (ctx: Context, input: I) => Promise<O>) =>
  (ctx: Context, input: I): Promise<O> =>
    cachedAnswer(ctx, name, { ...input, rights: rightsKey(ctx.actor.permits) }, () => list(ctx, input))

const rightsKeys = new WeakMap<ReadonlySet<string>, string>()
function rightsKey(permits: ReadonlySet<string>): string {
  const made =
    rightsKeys.get(permits) ??
    createHash('sha1')
      .update([...permits].toSorted().join())
      .digest('base64')
  rightsKeys.set(permits, made)
  return made
}
