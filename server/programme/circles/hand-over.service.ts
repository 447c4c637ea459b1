import { sql } from 'kysely'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { settleLeadRole } from './lead-role.service.ts'
import { enterMembers, memberRole, presidentRole } from './members.service.ts'

/** What `ciId` is handed over from whom to whom. */
interface HandOver {
  ciId: string
  from: string
  to: string
}

/**
 * Puts other people in charge of circles that are locked: one column, so there is exactly one at any time. The next one
 * is a member and president from now on, the former one stays a member; both are told, and their role follows.
 */
export async function handOver(ctx: Context, changes: readonly HandOver[]): Promise<void> {
  const { db, actor } = ctx
  await putInCharge(ctx, changes)
  await settleLeadRole(ctx, [...new Set(changes.flatMap(({ from, to }) => [from, to]))])
  const names = new Map(
    (
      await from({ db, actor }, 'circle')
        .select(['ciId', 'ciName'])
        .where(
          anyOf(
            'ciId',
            changes.map(({ ciId }) => ciId),
          ),
        )
        .execute()
    ).map(({ ciId, ciName }) => [ciId, ciName]),
  )
  for (const { ciId, from, to } of changes) {
    const about = { type: messageType.system, bizType: 'circle', bizId: ciId }
    await notify(ctx, {
      ...about,
      suIds: [to],
      title: `您已成为圈子“${names.get(ciId)}”的负责人`,
      content: '您可以编辑圈子资料、管理成员并发起活动。',
      link: `/personalCenter/community/detail?ciId=${ciId}`,
    })
    await notify(ctx, {
      ...about,
      suIds: [from],
      title: `圈子“${names.get(ciId)}”的负责人已变更`,
      content: '您不再担任该圈子的负责人，仍是圈子成员。',
    })
  }
}

/** The change itself, for circles that nobody is told of yet. */
export async function putInCharge(ctx: Context, changes: readonly HandOver[]): Promise<void> {
  const { db, actor } = ctx
  const given = recordset(changes, { ciId: 'uuid', from: 'uuid', to: 'uuid' })
  await sql`
    update "circle" c
    set "cpiPersonId" = r."to"
    from ${given}
    where c."schoolId" = ${actor.schoolId} and c."ciId" = r."ciId"`.execute(db)
  await enterMembers(
    ctx,
    changes.map(({ ciId, to }) => ({ ciId, suId: to })),
  )
  await sql`
    update "circleMember" m
    set "cmRole" = case when m."suId" = r."to" then ${presidentRole} else ${memberRole} end
    from ${given}
    where m."schoolId" = ${actor.schoolId}
      and m."ciId" = r."ciId"
      and m."quitTime" is null
      and (m."suId" = r."to" or (m."suId" = r."from" and m."cmRole" = ${presidentRole}))`.execute(db)
}
