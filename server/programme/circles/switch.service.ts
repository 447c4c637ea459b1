import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { messageType, yesNo } from '../../../contract/core/codes/platform.ts'
import { circleAuthStatus, circleStatus, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { releaseFiles } from '../../platform/files/file-use.service.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { governedCircles } from './circles.service.ts'
import { settleLeadRole } from './lead-role.service.ts'
import { assertStillLead, type Pairs } from './pairs.ts'

/** The circles of an action on several, locked in one order, each still led by whom the caller saw. All or none. */
async function lockedPairs(ctx: Context, pairs: Pairs) {
  const rows = await governedCircles(ctx)
    .select(['ciId', 'ciName', 'cpiPersonId', 'ciStatus', 'ciAuthStatus', 'imgList', 'charterFile'])
    .where(anyOf('ciId', [...new Set(pairs.ciIds)]))
    .orderBy('ciId')
    .forUpdate('circle')
    .execute()
  assertStillLead(rows, pairs)
  return rows
}

/**
 * Takes circles into service or out of it. What is running in one goes on under its teacher; new courses it cannot hold
 * (docs/rules.md R45).
 */
export const switchCircles = (ctx: Context, pairs: Checked<typeof circleApi.enable>, to: '1' | '0') =>
  inTransaction(ctx, async (tx) => {
    const act = to === circleStatus.enabled ? '启用' : '停用'
    const rows = await lockedPairs(tx, pairs)
    if (
      rows.some(
        ({ ciAuthStatus, ciStatus }) => ciAuthStatus !== circleAuthStatus.passed || ciStatus === circleStatus.dissolved,
      )
    )
      throw new Failure('wrong-state', { act })
    const changing = rows.filter(({ ciStatus }) => ciStatus !== to)
    if (changing.length === 0) return { affected: 0 }
    await tx.db
      .updateTable('circle')
      .set({ ciStatus: to, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(
        anyOf(
          'ciId',
          changing.map(({ ciId }) => ciId),
        ),
      )
      .execute()
    await auditMany(
      tx,
      changing.map(({ ciId, ciName, ciStatus }) => ({
        action: `${act}圈子`,
        bizType: 'circle',
        bizId: ciId,
        bizName: ciName,
        before: { ciStatus },
        after: { ciStatus: to },
      })),
    )
    for (const { ciId, ciName, cpiPersonId } of changing) {
      await notify(tx, {
        suIds: [cpiPersonId],
        type: messageType.system,
        bizType: 'circle',
        bizId: ciId,
        title: `圈子“${ciName}”已${act}`,
        content:
          to === circleStatus.enabled ? '圈子可以发起活动。' : '圈子暂时不能发起新的活动，已在进行的活动不受影响。',
        link: `/personalCenter/community/detail?ciId=${ciId}`,
      })
    }
    return { affected: changing.length }
  })

/** States of courses that are neither drafts nor over. */
const running = sql`(${sql.join(
  [
    lessonStatus.publishInReview,
    lessonStatus.publishPassed,
    lessonStatus.published,
    lessonStatus.resultInReview,
    lessonStatus.resultPassed,
    lessonStatus.inNotice,
    lessonStatus.questioned,
  ].map((code) => sql.lit(code)),
)})`

/** Refuses while a circle holds a course that is under way. */
export async function assertNotBusy(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  ciIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{
    ciName: string
    n: number
  }>`
    select c."ciName", count(*)::int "n"
    from "circle" c
    join "lesson" l on l."schoolId" = c."schoolId"
      and l."liCircleId" = c."ciId"
      and l."delFlag" = '0'
      and l."liStatus" in ${running}
    where c."schoolId" = ${actor.schoolId} and c."ciId" = any(${ciIds}::uuid[])
    group by c."ciName"
    order by c."ciName"
    limit 1`.execute(db)
  if (rows[0]) throw new Failure('circle-has-lessons', { name: rows[0].ciName, n: rows[0].n })
}

/**
 * Removes circles that have no course under way; their former courses keep their name. What was applied for is void.
 */
export const removeCircles = (ctx: Context, pairs: Checked<typeof circleApi.remove>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await lockedPairs(tx, pairs)
    const ciIds = rows.map(({ ciId }) => ciId)
    await assertNotBusy(tx, ciIds)
    const { schoolId, suId, suNickname } = tx.actor
    await tx.db
      .updateTable('circle')
      .set({ delFlag: yesNo.yes, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where(anyOf('ciId', ciIds))
      .execute()
    await tx.db
      .updateTable('circleApply')
      .set({
        ciAuthStatus: circleAuthStatus.withdrawn,
        reason: '圈子已删除',
        auditBy: suId,
        auditName: suNickname,
        auditTime: tx.clock.now(),
      })
      .where('schoolId', '=', schoolId)
      .where(anyOf('ciId', ciIds))
      .where('ciAuthStatus', '=', circleAuthStatus.pending)
      .execute()
    for (const { imgList, charterFile } of rows) await releaseFiles(tx, [...imgList, charterFile])
    await settleLeadRole(tx, [...new Set(rows.map(({ cpiPersonId }) => cpiPersonId))])
    await auditMany(
      tx,
      rows.map(({ ciId, ciName, ciStatus }) => ({
        action: '删除圈子',
        bizType: 'circle',
        bizId: ciId,
        bizName: ciName,
        before: { ciName, ciStatus },
      })),
    )
    for (const { ciId, ciName, cpiPersonId } of rows)
      await notify(tx, {
        suIds: [cpiPersonId],
        type: messageType.system,
        bizType: 'circle',
        bizId: ciId,
        title: `圈子“${ciName}”已删除`,
        content: '圈子由管理人员删除，如有疑问请联系圈子管理部门。',
      })
    return { affected: rows.length }
  })
