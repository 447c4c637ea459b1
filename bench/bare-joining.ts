import { v7 } from 'uuid'
import type pg from 'pg'
import { applyStatus } from '../contract/core/codes/programme.ts'

/**
 * The least that a registration for one of few places can be: the course is locked, whoever is in it already refused,
 * a place or the next one on the waiting list given, the row, the counter and the trail written; one transaction.
 */
export async function join(client: Pick<pg.PoolClient, 'query'>, liId: string, suId: string): Promise<unknown> {
  const { rows: courses } = await client.query<{ quota: number; passCount: number; applyCount: number }>({
    name: 'join-lock',
    text: `select "quota", "passCount", "applyCount" from "lesson" where "liId" = $1 for update`,
    values: [liId],
  })
  const { quota, passCount, applyCount } = courses[0]!
  const { rows: known } = await client.query({
    name: 'join-known',
    text: `select p."suiName", r."laId" from "person" p left join "registration" r on r."suId" = p."suId" and r."liId" = $1 where p."suId" = $2`,
    values: [liId, suId],
  })
  const { suiName, laId: before } = known[0] as { suiName: string; laId: string | null }
  if (before) throw new Error('registered already')
  const isIn = passCount < quota
  const laStatus = isIn ? applyStatus.accepted : applyStatus.waitlisted
  const waitNo = isIn ? null : applyCount - quota + 1
  await client.query({
    name: 'join-row',
    text: `insert into "registration" ("schoolId", "laId", "liId", "suId", "laStatus", "waitNo", "applyTime", "delFlag") values ('demo', $1, $2, $3, $4, $5, now(), '0')`,
    values: [v7(), liId, suId, laStatus, waitNo],
  })
  await client.query({
    name: 'join-count',
    text: `update "lesson" set "applyCount" = "applyCount" + 1, "passCount" = "passCount" + $2 where "liId" = $1`,
    values: [liId, isIn ? 1 : 0],
  })
  await client.query({
    name: 'join-trail',
    text: `insert into "auditLog" ("schoolId", "logId", "actorId", "actorName", "action", "result", "bizType", "bizId", "after", "logTime") values ('demo', $1, $2, $3, '报名', 'ok', 'lesson', $4, '{}', now())`,
    values: [v7(), suId, suiName, liId],
  })
  return { laStatus, waitNo }
}
