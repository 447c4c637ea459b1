import { sql, type ExpressionBuilder } from 'kysely'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Db, Tables } from '../../core/database/pool.ts'
import type { PublicContext } from '../../core/request/context.ts'

/** Keeps that a person signed in now: one row a person and day, for the statistics. */
export async function recordLogin(
  { db, clock, origin }: Pick<PublicContext, 'db' | 'clock' | 'origin'>,
  schoolId: string,
  suId: string,
): Promise<void> {
  const now = clock.now()
  const hour = Number(now.slice(11, 13))
  const hours = Array.from({ length: 24 }, (_, at) => Number(at === hour))
  await sql`
      insert into "loginDay" ("schoolId", "suId", "logDay", "times", "hours", "lastTime", "ip", "agent")
      values (
        ${schoolId}, ${suId}::uuid, ${dayOf(now)}::date, 1, ${hours}::int[], ${now}::timestamptz, ${origin.ip},
        ${origin.agent.slice(0, 300)}
      )
      on conflict ("schoolId", "logDay", "suId") do update set "times" = "loginDay"."times" + 1,
        "lastTime" = excluded."lastTime", "ip" = excluded."ip", "agent" = excluded."agent",
        "hours"[${hour + 1}::int] = "loginDay"."hours"[${hour + 1}::int] + 1`.execute(db)
}

/**
 * Takes address and browser from one school's sign-ins before a day, a day at a time, so that no lock is held for long
 * and an interrupted run is taken up where it was.
 * @returns how many days of people lost theirs
 */
export async function forgetSignInTraces(db: Db, schoolId: string, before: string): Promise<number> {
  const { tracesGoneBefore, first } = await db
    .selectFrom('school')
    .select(['tracesGoneBefore', (eb) => firstSignIn(eb).as('first')])
    .where('schoolId', '=', schoolId)
    .executeTakeFirstOrThrow()
  let forgotten = 0
  if (first !== null)
    for (let day = first > tracesGoneBefore ? first : tracesGoneBefore; day < before; day = addDays(day, 1)) {
      const { numUpdatedRows } = await db
        .updateTable('loginDay')
        .set({ ip: '', agent: '' })
        .where('schoolId', '=', schoolId)
        .where('logDay', '=', day)
        .where((eb) => eb.or([eb('ip', '<>', ''), eb('agent', '<>', '')]))
        .executeTakeFirst()
      forgotten += Number(numUpdatedRows)
    }
  await db
    .updateTable('school')
    .set({ tracesGoneBefore: before })
    .where('schoolId', '=', schoolId)
    .where('tracesGoneBefore', '<', before)
    .execute()
  return forgotten
}

const firstSignIn = (eb: ExpressionBuilder<Tables, 'school'>) =>
  eb
    .selectFrom('loginDay')
    .select('logDay')
    .whereRef('loginDay.schoolId', '=', 'school.schoolId')
    .orderBy('logDay')
    .limit(1)
