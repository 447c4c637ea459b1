import { createHash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import type pg from 'pg'
import { atMost } from '../base/at-most.ts'
import type { processKind } from '../../../contract/core/codes/platform.ts'
import type { CodeOf } from '../../../contract/core/codes/code-list.ts'
import { buildInfo } from '../base/build-info.ts'
import { newId } from '../base/ids.ts'
import { instanceName } from '../base/log.ts'
import type { AppServices } from '../http/http.ts'
import { watchSlowStatements, type SlowStatement } from './slow-statements.ts'

/** Milliseconds between two beats. Rows of processes that were not stopped but killed are kept for a day. */
const everyMs = 10_000

export interface Heartbeat {
  /** Beats now. */
  beat(): Promise<void>
  /** The row of the process goes: it was stopped and has not been lost. */
  stop(): Promise<void>
}

/**
 * Says in a table that this process is alive and how it is doing, and hands its slow statements over, so that one
 * screen can tell of all processes of an installation. A beat that fails is left out: whoever reads sees the silence.
 */
export function startHeartbeat(
  { db, config, log, signals }: Pick<AppServices, 'db' | 'config' | 'log' | 'signals'>,
  pool: pg.Pool,
  kind: CodeOf<typeof processKind>,
): Heartbeat {
  const pbId = newId()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const slow = watchSlowStatements(config.slowStatementMs, log)
  const beat = async (): Promise<void> => {
    const silent = signals.silentFor()
    const state = {
      memory: process.memoryUsage.rss(),
      loopDelay: Math.round(delay.percentile(99) / 1e6) || 0,
      poolBusy: pool.totalCount - pool.idleCount,
      poolWaiting: pool.waitingCount,
      listenSilence: silent === null ? null : Math.round(silent),
    }
    delay.reset()
    await db
      .insertInto('processBeat')
      .values({
        pbId,
        instance: instanceName(config.instance),
        pbKind: kind,
        programVersion: buildInfo().version,
        nodeVersion: process.versions.node,
        ...state,
      })
      .onConflict((known) => known.column('pbId').doUpdateSet({ ...state, beatTime: sql<string>`now()` }))
      .execute()
    await keepSlow(db, slow.take())
    if (kind === 'main') await forgetOld(db)
  }
  const quietly = () => beat().catch((err: unknown) => log.debug({ err }, 'the heartbeat could not be written'))
  let last = quietly()
  const timer = setInterval(() => (last = quietly()), everyMs).unref()
  return {
    beat,
    async stop() {
      clearInterval(timer)
      delay.disable()
      slow.close()
      await atMost(
        1000,
        last.then(() => db.deleteFrom('processBeat').where('pbId', '=', pbId).execute()),
      )
    },
  }
}

/** Adds what has been seen to what is known. */
async function keepSlow(db: AppServices['db'], statements: readonly SlowStatement[]): Promise<void> {
  for (const { text, call, count, totalMs, maxMs } of statements) {
    const ssId = createHash('sha256').update(`${call} ${text}`).digest('base64url').slice(0, 22)
    await sql`
      insert into "slowStatement" ("ssId", "ssText", "ssCall", "ssCount", "totalMs", "maxMs")
      values (${ssId}, ${text}, ${call}, ${count}, ${Math.round(totalMs)}, ${Math.round(maxMs)})
      on conflict ("ssId") do update
      set "ssCount" = "slowStatement"."ssCount" + excluded."ssCount",
        "totalMs" = "slowStatement"."totalMs" + excluded."totalMs",
        "maxMs" = greatest("slowStatement"."maxMs", excluded."maxMs"),
        "lastTime" = now()`.execute(db)
  }
}

/** Processes that fell silent a day ago, and statements that have not been slow for a week. */
async function forgetOld(db: AppServices['db']): Promise<void> {
  await sql`delete from "processBeat" where "beatTime" < now() - interval '1 day'`.execute(db)
  await sql`delete from "slowStatement" where "lastTime" < now() - interval '7 days'`.execute(db)
}
