import { sql } from 'kysely'
import { dayOf } from '../../core/base/clock.ts'
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
        "hours" = array(
          select o + n
          from unnest("loginDay"."hours", excluded."hours") with ordinality as h(o, n, at)
          order by at
        )`.execute(db)
}
