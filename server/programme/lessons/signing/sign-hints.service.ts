import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Checked, Output } from '../../../../contract/core/call.ts'
import type { CodeOf } from '../../../../contract/core/codes/code-list.ts'
import { signHint } from '../../../../contract/core/codes/signing.ts'
import type { signingApi } from '../../../../contract/programme/lessons/signing.calls.ts'
import type { Db } from '../../../core/database/pool.ts'
import { withinSchool, from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { lessonFor } from '../model/lessons.queries.ts'
import { hintText } from '../model/sign-hint-text.ts'

/**
 * What looks as if somebody was signed in who was not there. Hints are for people to look into; they decide nothing
 * (decision 096).
 */

/** Something noticed of one participant in one session; `amount` in the unit of its kind. */
export interface SignHint {
  laId: string
  lseNo: number
  kind: CodeOf<typeof signHint>
  /** Others on the same device, seconds, or metres. */
  amount: number
}

/** A code that comes so many seconds after it was void has hardly been scanned from the screen. */
export const forwardedAfter = 30

/** The browser that signed somebody in, so that it can be recognised within this course and nowhere else. */
export const deviceHash = ({ actor, secrets }: Context, liId: string, device: string): Buffer =>
  createHmac('sha256', secrets.hashKey).update(`device.${actor.schoolId}.${liId}.${device}`).digest().subarray(0, 16)

/** Keeps hints, the largest of each kind. */
export async function noteHints(ctx: Context, hints: readonly SignHint[]): Promise<void> {
  const { db, actor, clock } = ctx
  if (hints.length > 0)
    await db
      .insertInto('signHint')
      .values(hints.map((hint) => ({ ...hint, schoolId: actor.schoolId, hintTime: clock.now() })))
      .onConflict((known) =>
        known.columns(['schoolId', 'laId', 'lseNo', 'kind']).doUpdateSet({
          amount: sql<number>`greatest("signHint"."amount", excluded."amount")`,
          hintTime: clock.now(),
        }),
      )
      .execute()
}

/** Notes all who signed in to a session on the same device, if they are several. */
export async function noteSharedDevice({ db, actor, clock }: Context, lseNo: number, device: Buffer): Promise<void> {
  await sql`
    insert into "signHint" as h ("schoolId", "laId", "lseNo", "kind", "amount", "hintTime")
    select "schoolId", "laId", "lseNo", ${signHint.device}, "others", ${clock.now()}::timestamptz
    from (
      select "schoolId", "laId", "lseNo", count(*) over ()::int - 1 as "others"
      from "sessionSign"
      where "schoolId" = ${actor.schoolId} and "deviceHash" = ${device} and "lseNo" = ${lseNo}
    ) x
    where "others" > 0
    on conflict ("schoolId", "laId", "lseNo", "kind") do update
      set "amount" = excluded."amount", "hintTime" = excluded."hintTime"
      where h."amount" <> excluded."amount"`.execute(db)
}

/** What was noticed at the sign-in of a course, the latest first, for whoever looks after it. */
export async function listSignHints(
  ctx: Context,
  { liId }: Checked<typeof signingApi.hints>,
): Promise<Output<typeof signingApi.hints>> {
  await lessonFor(ctx, 'sign', liId, { lock: false })
  const rows = await from(ctx, 'registration')
    .innerJoin('signHint', withinSchool('signHint.laId', 'registration.laId'))
    .innerJoin('person', withinSchool('person.suId', 'registration.suId'))
    .select(['signHint.laId', 'suiName', 'suiNumber', 'signHint.lseNo', 'kind', 'amount', 'hintTime'])
    .where('registration.liId', '=', liId)
    .orderBy('hintTime', 'desc')
    .orderBy('suiNumber')
    .limit(500)
    .execute()
  return rows.map(({ kind, amount, ...row }) => {
    const known = kind as SignHint['kind']
    return { ...row, kind: known, text: hintText(known, amount) }
  })
}

/**
 * Forgets on which devices and where people signed in before a day, and what was noticed of it.
 * @returns how many sign-ins there were
 */
export async function forgetSignPlaces(db: Db, schoolId: string, before: string): Promise<number> {
  await db.deleteFrom('signHint').where('schoolId', '=', schoolId).where('hintTime', '<', before).execute()
  const { numUpdatedRows } = await db
    .updateTable('sessionSign')
    .set({ deviceHash: null, signLng: null, signLat: null })
    .where('schoolId', '=', schoolId)
    .where('signInTime', '<', before)
    .where((or) => or.or([or('deviceHash', 'is not', null), or('signLng', 'is not', null)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
