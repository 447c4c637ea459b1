import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { taskStatus, delegationStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import { addDays } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { approvalPermits, assertHoldPermits } from './eligibility.service.ts'
import { actionOnApproval, type Outcomes } from './running.service.ts'

type CallInput<K extends keyof typeof approvalActionApi> = Checked<(typeof approvalActionApi)[K]>

/** The longest somebody may stand in at a stretch. */
const maxDays = 366

const delegations = (ctx: Context) =>
  from(ctx, 'approvalDelegation as d')
    .innerJoin('person as p', withinSchool('p.suId', 'd.suId'))
    .innerJoin('person as q', withinSchool('q.suId', 'd.agentId'))
    .select([
      'd.dgId',
      'd.suId',
      'p.suiName',
      'd.agentId',
      'q.suiName as agentName',
      'd.startTime',
      'd.endTime',
      'd.reason',
      'd.version',
    ])

/** When the person lets somebody stand in for them, and when they stand in for others; newest first. */
export async function listDelegations(ctx: Context) {
  const { suId } = ctx.actor
  const now = ctx.clock.now()
  const rows = await delegations(ctx)
    .where((or) => or.or([or('d.suId', '=', suId), or('d.agentId', '=', suId)]))
    .orderBy('d.startTime', 'desc')
    .orderBy('d.dgId', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => {
    const dgStatus =
      row.endTime <= now
        ? delegationStatus.ended
        : row.startTime <= now
          ? delegationStatus.inForce
          : delegationStatus.upcoming
    return {
      ...row,
      dgStatus,
      can: dgStatus !== delegationStatus.ended && row.suId === suId ? (['end'] as const).slice() : [],
    }
  })
}

/**
 * Lets somebody with the same rights of approval decide in one's place for a while; what waits for oneself goes to them
 * when it begins.
 */
export const addDelegation = (
  ctx: Context,
  outcomes: Outcomes,
  { agentId, startTime, endTime, reason = '' }: CallInput<'addDelegation'>,
) =>
  inTransaction(ctx, async (tx) => {
    const { suId, suNickname } = tx.actor
    const now = tx.clock.now()
    const faults = [
      ...(agentId === suId ? [{ field: 'agentId', msg: '不能委托自己' }] : []),
      ...(endTime <= startTime ? [{ field: 'endTime', msg: '结束时间必须晚于开始时间' }] : []),
      ...(endTime <= now ? [{ field: 'endTime', msg: '结束时间必须晚于现在' }] : []),
      ...(endTime > addDays(startTime, maxDays) ? [{ field: 'endTime', msg: '一次最多委托一年' }] : []),
    ]
    if (faults.length > 0) throw invalidInput(faults)
    const permits = approvalPermits(tx)
    if (permits.length === 0) throw new Failure('not-permitted')
    await assertHoldPermits(tx, permits, [agentId])
    await lockSchool(tx, 'delegation')
    const meanwhile = await delegations(tx)
      .where('d.startTime', '<', endTime)
      .where('d.endTime', '>', startTime)
      .where((or) => or.or([or('d.suId', '=', suId), or('d.suId', '=', agentId), or('d.agentId', '=', suId)]))
      .execute()
    const own = meanwhile.find((row) => row.suId === suId)
    if (own) throw new Failure('delegation-overlaps', { name: own.agentName })
    const [other] = meanwhile
    if (other)
      throw other.suId === agentId
        ? new Failure('delegation-chain', { name: other.suiName })
        : new Failure('delegation-held', { name: other.suiName })
    const dgId = newId()
    await tx.db
      .insertInto('approvalDelegation')
      .values({ ...createdColumns(tx), dgId, suId, agentId, startTime, endTime, reason })
      .execute()
    await notify(tx, {
      suIds: [agentId],
      type: messageType.approval,
      title: `${suNickname}委托您代理审批`,
      content: `代理时间：${startTime.slice(0, 16)} 至 ${endTime.slice(0, 16)}。${reason && `原因：${reason}。`}期间需要${suNickname}审批的事项由您处理，审批记录注明由您代为审批。`,
      bizType: 'delegation',
      bizId: dgId,
      link: '/checkAdmin/publishCheck',
    })
    await audit(tx, {
      action: '设置审批代理',
      bizType: 'delegation',
      bizId: dgId,
      bizName: suNickname,
      reason,
      after: { agentId, startTime, endTime },
    })
    await moveTasks(tx, outcomes, suId)
    return { dgId }
  })

/** Ends standing in, now or before it begins; what has not been decided comes back. */
export const endDelegation = (ctx: Context, outcomes: Outcomes, { dgId, version }: CallInput<'endDelegation'>) =>
  inTransaction(ctx, async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const now = tx.clock.now()
    const row = await from(tx, 'approvalDelegation')
      .select(['startTime', 'endTime', 'agentId', 'version'])
      .where('dgId', '=', dgId)
      .where('suId', '=', suId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Failure('not-found')
    if (version !== undefined && version !== row.version) throw new Failure('stale-version')
    if (row.endTime <= now) return { affected: 0 }
    const times = row.startTime > now ? { startTime: now, endTime: now } : { endTime: now }
    await tx.db
      .updateTable('approvalDelegation')
      .set({ ...times, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('dgId', '=', dgId)
      .execute()
    await notify(tx, {
      suIds: [row.agentId],
      type: messageType.approval,
      title: `${suNickname}已结束审批代理`,
      content: '未处理的事项已转回本人。',
      bizType: 'delegation',
      bizId: dgId,
      link: '/checkAdmin/publishCheck',
    })
    await audit(tx, {
      action: '结束审批代理',
      bizType: 'delegation',
      bizId: dgId,
      bizName: suNickname,
      before: { endTime: row.endTime },
      after: { endTime: now },
    })
    await moveTasks(tx, outcomes, suId)
    return { affected: 1 }
  })

/** Brings the open tasks of a person, and those others decide in their name, to whoever should have them now. */
async function moveTasks(ctx: Context, outcomes: Outcomes, suId: string): Promise<void> {
  const { rows } = await sql<{
    insId: string
  }>`
    select distinct "insId"
    from "approvalTask"
    where "schoolId" = ${ctx.actor.schoolId}
      and "taskStatus" = ${sql.lit(taskStatus.pending)}
      and ("checkerId" = ${suId}::uuid or "onBehalfOf" = ${suId}::uuid)
    order by "insId"`.execute(ctx.db)
  for (const { insId } of rows) await actionOnApproval(ctx, outcomes, insId, ({ running }) => ({ running }))
}
