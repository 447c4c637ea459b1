import { sql } from 'kysely'
import { Failure } from '../../../../contract/core/failure.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'

/** Wrong six-digit codes that somebody may type for a course within {@link tryMinutes} (docs/rules.md R12). */
const maxTries = 8
const tryMinutes = 5

/**
 * Lets somebody try a typed code, and counts it. The try is taken before it is judged and in a statement of its own, so
 * that guessing at the same time, or being refused, wins no further tries; a right one is given back.
 * @throws Failure `code-tries` when they are used up
 */
export async function countedTry<R>(
  { db, actor, clock }: Context,
  liId: string,
  attempt: () => Promise<R>,
): Promise<R> {
  const { schoolId, suId } = actor
  const now = clock.now()
  const fresh = addMinutes(now, -tryMinutes)
  const { rows } = await sql<{
    tries: number
  }>`
    insert into "signTry" as t ("schoolId", "liId", "suId", "tries", "since")
    select "schoolId", "liId", ${suId}::uuid, 1, ${now}::timestamptz
    from "lesson"
    where "schoolId" = ${schoolId} and "liId" = ${liId}::uuid
    on conflict ("schoolId", "liId", "suId") do update set "tries" = case
      when t."since" < ${fresh}::timestamptz then 1
      else least(t."tries" + 1, ${maxTries + 1})
    end, "since" = case when t."since" < ${fresh}::timestamptz then excluded."since" else t."since" end
    returning "tries"`.execute(db)
  if ((rows[0]?.tries ?? 0) > maxTries) throw new Failure('code-tries', { n: maxTries, minutes: tryMinutes })
  const giveBack = () =>
    sql`
      update "signTry"
      set "tries" = greatest("tries" - 1, 0)
      where "schoolId" = ${schoolId} and "liId" = ${liId}::uuid and "suId" = ${suId}::uuid`.execute(db)
  try {
    const done = await attempt()
    await giveBack()
    return done
  } catch (error) {
    // whoever is refused for something else has typed it rightly
    if (!(error instanceof Failure && error.reason === 'code-wrong')) await giveBack()
    throw error
  }
}
