import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { withIssueLock } from './issue-lock.ts'
import { visibleIssues } from './issues.queries.ts'

/**
 * Revokes issues, valid or superseded: whoever checks one is told, with the reason. All or none; an issue out of sight
 * is not there.
 */
export const revokeIssues = (ctx: Context, { ids, reason }: Checked<typeof issueApi.revoke>) =>
  withIssueLock(ctx, async (tx) => {
    const { db, actor, clock } = tx
    const seen = await visibleIssues(tx)
      .select(['i.tiId', 'i.serial', 'i.suId', 'i.tiStatus', 'person.suiName'])
      .where(anyOf('i.tiId', ids))
      .execute()
    if (seen.length !== ids.length) throw new Failure('not-found')
    const { numUpdatedRows } = await db
      .updateTable('transcriptIssue')
      .set({ tiStatus: issueStatus.revoked, endTime: clock.now(), revokeName: actor.suNickname, revokeReason: reason })
      .where('schoolId', '=', actor.schoolId)
      .where(anyOf('tiId', ids))
      .where('tiStatus', '<>', issueStatus.revoked)
      .executeTakeFirst()
    if (Number(numUpdatedRows) !== ids.length) throw new Failure('transcript-revoked')
    await auditMany(
      tx,
      seen.map(({ serial, suId, suiName, tiStatus }) => ({
        action: '撤销成绩单',
        bizType: 'transcript',
        bizId: suId,
        bizName: suiName,
        reason,
        before: { tiStatus },
        after: { serial, tiStatus: issueStatus.revoked },
      })),
    )
    return { affected: ids.length }
  })
