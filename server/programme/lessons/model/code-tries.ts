import { sql } from 'kysely'
import { Failure, type FailureName } from '../../../../contract/core/failure.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'

/** Wrong codes that somebody may type for a course within {@link tryMinutes} (docs/rules.md R12). */
const maxTries = 8
const tryMinutes = 5

/** What codes are typed for: how a wrong one is refused, and how whoever has no tries left. */
const kinds = {
  sign: { wrong: 'code-wrong', used: 'code-tries' },
  team: { wrong: 'team-code-wrong', used: 'team-code-tries' },
} as const satisfies Record<string, { wrong: FailureName; used: FailureName }>

/**
 * Lets somebody try a typed code, and counts it for this person and course alone: what one of them types wrongly keeps
 * nobody else from signing in. The try is taken before it is judged and in a statement of its own, so
 * that guessing at the same time, or being refused, wins no further tries; a right one is given back.
 * @throws Failure `code-tries` or `team-code-tries` when they are used up
 */
export async function countedTry<R>(
  { db, actor, clock }: Context,
  liId: string,
  kind: keyof typeof kinds,
  attempt: () => Promise<R>,
): Promise<R> {
  const { wrong, used } = kinds[kind]
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
  if ((rows[0]?.tries ?? 0) > maxTries) throw new Failure(used, { n: maxTries, minutes: tryMinutes })
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
    if (!(error instanceof Failure && error.reason === wrong)) await giveBack()
    throw error
  }
}
