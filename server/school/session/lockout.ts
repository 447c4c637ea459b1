import { sql } from 'kysely'
import { networkOf } from '../../core/base/address.ts'
import { addMinutes, addSeconds } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'

/**
 * How many tries a key has within a window, and how long it then rests; each further rest is twice as long, 4 hours at
 * most.
 */
export interface Allowance {
  tries: number
  minutes: number
}

export const perNameAndPlace: Allowance = { tries: 5, minutes: 15 }
export const perName: Allowance = { tries: 20, minutes: 60 }
export const perAddress: Allowance = { tries: 30, minutes: 10 }

/**
 * Takes one try from a key before the password is looked at, in one atomic statement, so that a thousand parallel
 * guesses still get only the allowed number (docs/security.md S2). Counts exist for unknown names too. Returns whether
 * the try may go on.
 */
export async function consumeAttempt(
  { db, clock }: PublicContext,
  counterKey: string,
  { tries, minutes }: Allowance,
): Promise<boolean> {
  const now = clock.now()
  const oldest = addMinutes(now, -minutes)
  const row = await sql<{ failures: number; lockedUntil: string | null }>`
      insert into "loginCounter" as c ("counterKey", "failures", "windowStart")
      values (${counterKey}, 1, ${now})
      on conflict ("counterKey") do update set "failures" = case
        when c."lockedUntil" > ${now}::timestamptz then c."failures"
        when c."windowStart" < ${oldest}::timestamptz
        or c."lockedUntil" is not null then 1
        else c."failures" + 1
      end,
        "windowStart" = case
          when c."windowStart" < ${oldest}::timestamptz
          or c."lockedUntil" <= ${now}::timestamptz then ${now}::timestamptz
          else c."windowStart"
        end,
        "locks" = case
          when c."lockedUntil" is null
          and c."windowStart" >= ${oldest}::timestamptz
          and c."failures" >= ${tries}::int then c."locks" + 1
          when c."windowStart" < ${addSeconds(now, -86_400)}::timestamptz then 0
          else c."locks"
        end,
        "lockedUntil" = case
          when c."lockedUntil" > ${now}::timestamptz then c."lockedUntil"
          when c."lockedUntil" is null
          and c."windowStart" >= ${oldest}::timestamptz
          and c."failures" >= ${tries}::int then ${now}::timestamptz + least(
            240, ${minutes}::int * power(2, c."locks")
          )::int * interval '1 minute'
        end
      returning "failures", "lockedUntil"`.execute(db)
  const counter = row.rows[0]!
  return counter.lockedUntil === null && counter.failures <= tries
}

/** Gives back a try that turned out right, where only wrong ones are to be counted: earlier wrong ones stay counted. */
export async function refundAttempt({ db }: PublicContext, counterKeys: readonly string[]): Promise<void> {
  await sql`
    update "loginCounter"
    set "failures" = greatest(0, "failures" - 1)
    where "counterKey" = any(${counterKeys}::text[])`.execute(db)
}

/** Clears the counters of a key after success. */
export const clearAttempts = ({ db }: PublicContext, counterKeys: string[]) =>
  db.deleteFrom('loginCounter').where('counterKey', 'in', counterKeys).execute()

/** The part of an address that one campus or household shares: /24 of IPv4, /48 of IPv6. */
export const placeOf = (ip: string): string => networkOf(ip, 3, 3)

/** The counter of a sign-in name; those of the places from which it was tried begin with it and `@`. */
export const signInKey = (schoolId: string, foldedName: string): string => `login:${schoolId}:${foldedName}`

const counterOf = (key: string) => sql<boolean>`("counterKey" = ${key} or starts_with("counterKey", ${`${key}@`}))`

/** Until when a sign-in name is locked, from wherever that is longest; null where it is not. */
export async function lockedUntilOf({ db, clock }: PublicContext, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('loginCounter')
    .select(({ fn }) => fn.max('lockedUntil').as('lockedUntil'))
    .where(counterOf(key))
    .where('lockedUntil', '>', clock.now())
    .executeTakeFirst()
  return row?.lockedUntil ?? null
}

/** Forgets the wrong tries of a sign-in name from everywhere. @returns whether it was locked somewhere */
export async function unlock({ db, clock }: PublicContext, key: string): Promise<boolean> {
  const rows = await db.deleteFrom('loginCounter').where(counterOf(key)).returning('lockedUntil').execute()
  return rows.some(({ lockedUntil }) => lockedUntil !== null && lockedUntil > clock.now())
}
