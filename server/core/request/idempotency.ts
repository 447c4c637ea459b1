import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { addSeconds } from '../base/clock.ts'
import type { Context, PublicContext } from './context.ts'
import { from } from '../database/tenant.ts'
import { mayHaveTakenEffect } from './transaction.ts'
import { seal, unseal } from '../secrets/field-crypto.ts'

/** Seconds for which a key is remembered (docs/security.md S9). */
const kept = 24 * 3600
/**
 * Seconds that a request waits for the first one with its key, and after which one that has not ended is taken for
 * broken off.
 */
const timeoutSeconds = 10
const lifetime = 120
/** Seconds after which it is worth to ask again for what still runs. */
const askAgainSeconds = 5

interface KeyId {
  schoolId: string
  suId: string
  key: string
}

/**
 * The statement is answered before it is on disk. The WAL is written in its order, so a key is on disk at the
 * latest with the work that comes after it; an answer that a power failure takes away leaves a key without one, of
 * which `request-unsure` tells.
 */
const unawaited = sql`(select set_config('synchronous_commit', 'off', true)) c`

/**
 * Does the work of a writing request once per `Idempotency-Key` of a person: the same request sent again, beside the
 * first or after it, gets the first one's answer. A refusal changed nothing and is forgotten. Answers are kept sealed,
 * for some hold passwords.
 * @throws Failure `key-reused` for another request under a known key, `request-running` while the first one still runs,
 *   `request-unsure` where the first one broke off and nobody knows whether it took effect
 */
export async function runOnce(
  ctx: Context,
  call: Call,
  key: string,
  input: unknown,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (!/^[\w-]{16,64}$/.test(key))
    throw new Failure('invalid-input', { first: 'Idempotency-Key 须为 16–64 位字母、数字、横线或下划线' })
  const id = { schoolId: ctx.actor.schoolId, suId: ctx.actor.suId, key }
  const inputHash = hash('sha256', `${call.method} ${call.path} ${JSON.stringify(input)}`, 'buffer')
  const { numAffectedRows } = await sql`
    insert into "requestKey" ("schoolId", "suId", "key", "inputHash", "createTime")
    select ${id.schoolId}, ${id.suId}::uuid, ${key}, ${inputHash}::bytea, ${ctx.clock.now()}::timestamptz
    from ${unawaited}
    on conflict do nothing`.execute(ctx.db)
  if (!numAffectedRows) return earlierAnswer(ctx, id, inputHash)
  let data: unknown
  try {
    data = await work()
  } catch (error) {
    // of what may have taken effect the key is kept: it is not done a second time
    if (!mayHaveTakenEffect(error)) await forget(ctx, id)
    throw error
  }
  // what has been done is told also where the answer cannot be kept; of a repetition it is unsure then
  await sql`
    update "requestKey"
    set "answer" = ${seal(JSON.stringify({ data }), ctx.secrets)}::bytea
    from ${unawaited}
    where "schoolId" = ${id.schoolId} and "suId" = ${id.suId}::uuid and "key" = ${key}`
    .execute(ctx.db)
    .catch((err: unknown) => ctx.log.warn({ err }, 'the answer of a request could not be kept'))
  return data
}

/** Where the database is away, the key stays, and `request-unsure` is told. */
const forget = (ctx: Context, { schoolId, suId, key }: KeyId): Promise<unknown> =>
  ctx.db
    .deleteFrom('requestKey')
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .where('key', '=', key)
    .execute()
    .catch((err: unknown) => ctx.log.warn({ err }, 'the key of a request could not be forgotten'))

const stillRunning = () => new Failure('request-running', {}, { retryAfter: askAgainSeconds })

async function earlierAnswer(ctx: Context, { schoolId, suId, key }: KeyId, inputHash: Buffer): Promise<unknown> {
  const until = performance.now() + timeoutSeconds * 1000
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
    const first = await from({ db: ctx.db, schoolId }, 'requestKey')
      .select(['inputHash', 'answer', 'createTime'])
      .where('suId', '=', suId)
      .where('key', '=', key)
      .executeTakeFirst()
    // refused meanwhile: it changed nothing, and this one would be refused as well
    if (!first) throw stillRunning()
    if (!first.inputHash.equals(inputHash)) throw new Failure('key-reused')
    if (first.answer) return (JSON.parse(unseal(first.answer, ctx.secrets)!) as { data: unknown }).data
    if (first.createTime < addSeconds(ctx.clock.now(), -lifetime)) throw new Failure('request-unsure')
    if (performance.now() >= until) throw stillRunning()
    await sleep(pause)
  }
}

/** Forgets keys after a day. @returns how many */
export async function forgetRequestKeys({ db, clock }: Pick<PublicContext, 'db' | 'clock'>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('requestKey')
    .where('createTime', '<', addSeconds(clock.now(), -kept))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
