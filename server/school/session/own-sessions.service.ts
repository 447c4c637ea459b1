import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { audit } from '../../core/audit/audit.ts'
import { addSeconds } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { idleSeconds } from './tokens.ts'

/** Where the person is signed in, the latest seen first; what has run out is left out. */
export async function listOwnSessions({ db, actor, clock }: Context) {
  const now = clock.now()
  const rows = await from({ db, actor }, 'session')
    .select(['sessionId', 'agent', 'ip', 'createTime', 'lastSeen', 'absoluteExpiry'])
    .where('suId', '=', actor.suId)
    .where('absoluteExpiry', '>', now)
    .where('lastSeen', '>=', addSeconds(now, -idleSeconds))
    .orderBy('lastSeen', 'desc')
    .orderBy('sessionId')
    .execute()
  return rows.map((row) => ({ ...row, isCurrent: row.sessionId === actor.sessionId }))
}

/** Ends one of the person's other sessions, or all of them. The one that asks is ended by signing out. */
export async function endOwnSessions(ctx: Context, { sessionId }: Checked<typeof ownSessionApi.end>) {
  const { schoolId, suId, sessionId: current } = ctx.actor
  if (sessionId === current) throw new Failure('own-session')
  const affected = await inTransaction(ctx, async (tx) => {
    let others = tx.db
      .deleteFrom('session')
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .where('sessionId', '<>', current)
    if (sessionId) others = others.where('sessionId', '=', sessionId)
    const ended = Number((await others.executeTakeFirstOrThrow()).numDeletedRows)
    if (sessionId && ended === 0) throw new Failure('not-found')
    if (ended > 0) await audit(tx, { action: '退出其他设备', bizType: 'session', after: { sessions: ended } })
    return ended
  })
  forgetActors(schoolId, [suId])
  return { affected }
}
