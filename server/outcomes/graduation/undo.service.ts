import { sql } from 'kysely'
import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { undoDays, type graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import { flushTableStatistics, analyzeGrownTables } from '../../core/database/analyze.ts'
import type { Context } from '../../core/request/context.ts'
import { because } from '../../core/request/cause.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { assertNotOutranked } from '../../school/people/rank-check.service.ts'
import {
  lockPeople,
  setStudentStatuses,
  currentStatuses,
  type StudentStatus,
} from '../../school/people/student-status.service.ts'
import { namesOf, undoUntil, visibleBatches } from './graduation.queries.ts'

/** Most names an answer carries; the rest stand in the rows of the batch. */
const maxNames = 200

/**
 * Takes a graduation back within its days: every student becomes what they were, except those who were changed since,
 * who are named.
 */
export async function undoGraduation(ctx: Context, { gbId, reason }: Checked<typeof graduationApi.undo>) {
  const { schoolId, suNickname } = ctx.actor
  const { answer, restored } = await inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'graduation')
    const batch = await visibleBatches(tx)
      .select(['gbNo', 'gbStatus', 'doneTime'])
      .where('gbId', '=', gbId)
      .where('gbStatus', '<>', graduationStatus.preview)
      .forUpdate()
      .executeTakeFirst()
    if (!batch?.doneTime) throw new Failure('not-found')
    if (batch.gbStatus !== graduationStatus.done) throw new Failure('graduation-undone')
    if (tx.clock.now() > undoUntil(batch.doneTime)) throw new Failure('graduation-undo-late', { days: undoDays })
    const rows = await from({ db: tx.db, schoolId }, 'graduationRow')
      .select(['suId', 'statusBefore', 'accountBefore', 'statusAfter', 'accountAfter'])
      .where('gbId', '=', gbId)
      .where(sql<boolean>`("statusAfter" <> "statusBefore" or "accountAfter" <> "accountBefore")`)
      .execute()
    await lockPeople(
      tx,
      rows.map(({ suId }) => suId),
    )
    const [now, names] = await Promise.all([
      currentStatuses(
        tx,
        rows.map(({ suId }) => suId),
      ),
      namesOf(
        tx,
        rows.map(({ suId }) => suId),
      ),
    ])
    const checkedRows = rows.map((row) => ({ ...row, why: changedSince(row, now.get(row.suId)) }))
    const [back, kept] = [checkedRows.filter(({ why }) => why === ''), checkedRows.filter(({ why }) => why !== '')]
    if (back.length === 0 && kept.length > 0) throw new Failure('graduation-all-changed')
    // it gives roles back: whoever does that is not outranked by them, as at the graduation
    await assertNotOutranked(
      tx,
      back.filter(({ statusAfter }) => statusAfter === studentStatus.graduated).map(({ suId }) => suId),
    )
    await because(tx, 'undo', gbId)
    await setStudentStatuses(
      tx,
      back.map((row) => ({
        suId: row.suId,
        suiStatus: row.statusBefore,
        suStatus: switchedAccount(row) ? row.accountBefore : now.get(row.suId)!.suStatus,
      })),
    )
    await sql`update "graduationRow" g set "keptWhy" = r."why" from ${recordset(
      kept.map(({ suId, why }) => ({ suId, why })),
      { suId: 'uuid', why: 'text' },
    )} where g."schoolId" = ${schoolId} and g."gbId" = ${gbId}::uuid and g."suId" = r."suId"`.execute(tx.db)
    await tx.db
      .updateTable('graduationBatch')
      .set({
        gbStatus: graduationStatus.undone,
        undoTime: tx.clock.now(),
        undoName: suNickname,
        undoReason: reason,
        undoCount: back.length,
      })
      .where('schoolId', '=', schoolId)
      .where('gbId', '=', gbId)
      .execute()
    await audit(tx, {
      action: '撤销毕业',
      bizType: 'graduation',
      bizId: gbId,
      bizName: batch.gbNo ?? '',
      after: { restoredPeople: back.length, keptCount: kept.length },
      reason,
    })
    await auditMany(
      tx,
      back.map((one) => ({
        action: '撤销毕业',
        bizType: 'person',
        bizId: one.suId,
        bizName: names.get(one.suId) ?? '',
        reason: `毕业批次 ${batch.gbNo}：${reason}`,
        before: { suiStatus: one.statusAfter, ...(switchedAccount(one) && { suStatus: one.accountAfter }) },
        after: { suiStatus: one.statusBefore, ...(switchedAccount(one) && { suStatus: one.accountBefore }) },
      })),
    )
    await flushTableStatistics(tx)
    return {
      answer: {
        affected: back.length,
        kept: kept.length,
        failed: kept.slice(0, maxNames).map(({ suId, why }) => ({ id: suId, name: names.get(suId) ?? '', msg: why })),
      },
      restored: back.map(({ suId }) => suId),
    }
  })
  forgetActors(schoolId, restored)
  await analyzeGrownTables(ctx)
  return answer
}

interface RowStates {
  statusAfter: string | null
  accountBefore: string | null
  accountAfter: string | null
}

/** Whether the graduation switched the account: those before decision 128 did. */
const switchedAccount = ({ accountBefore, accountAfter }: RowStates): boolean => accountBefore !== accountAfter

/** What happened to a student since they were graduated, in words; empty: nothing that the graduation had set. */
function changedSince(row: RowStates, now: StudentStatus | undefined): string {
  if (!now) return '学生已删除'
  if (now.suiStatus !== row.statusAfter) return `学籍状态已改为“${labelOf('student_status', now.suiStatus)}”`
  return switchedAccount(row) && now.suStatus !== row.accountAfter
    ? `账号已改为“${labelOf('account_status', now.suStatus)}”`
    : ''
}
