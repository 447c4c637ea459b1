import { sql } from 'kysely'
import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { previewMinutes, type graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import { addDays, addMinutes } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { requiredHours } from '../../programme/credits/goal.ts'
import { assess, shortModules } from './assess.ts'

/**
 * Counts who of some years would graduate and who is short of what, and keeps it for half an hour: the graduation is
 * carried out on exactly this. A person's newer preview takes the place of their older one.
 */
export async function previewGraduation(
  ctx: Context,
  { gradeList, collegeIds }: Checked<typeof graduationApi.preview>,
) {
  const { schoolId, suId, suNickname } = ctx.actor
  return inTransaction(ctx, async (tx) => {
    const { goal, students, skipped } = await assess(tx, gradeList, collegeIds)
    if (students.length === 0) throw new Failure('no-graduates')
    const now = tx.clock.now()
    const expireTime = addMinutes(now, previewMinutes)
    const [gbId, met] = [newId(), students.filter((student) => student.met).length]
    await tx.db
      .deleteFrom('graduationBatch')
      .where('schoolId', '=', schoolId)
      .where('gbStatus', '=', graduationStatus.preview)
      .where((or) => or.or([or('createBy', '=', suId), or('expireTime', '<', addDays(now, -1))]))
      .execute()
    await tx.db
      .insertInto('graduationBatch')
      .values({
        schoolId,
        gbId,
        grades: gradeList,
        collegeIds,
        goal: JSON.stringify(goal),
        skipped: JSON.stringify(skipped),
        total: students.length,
        metCount: met,
        createBy: suId,
        createName: suNickname,
        createTime: now,
        expireTime,
      })
      .execute()
    for await (const chunk of chunksOf(students, 5000)) {
      const rows = chunk.map(({ suId: student, suiNumber, met: isMet, hours, gaps, suiStatus, suStatus }) => ({
        suId: student,
        suiNumber,
        met: isMet,
        hours,
        gaps,
        statusBefore: suiStatus,
        accountBefore: suStatus,
      }))
      await sql`
          insert into "graduationRow" (
            "schoolId", "gbId", "suId", "suiNumber", "met", "hours", "gaps", "statusBefore", "accountBefore"
          )
          select ${schoolId}, ${gbId}::uuid, r."suId", r."suiNumber", r."met", r."hours", r."gaps", r."statusBefore",
            r."accountBefore"
          from
          ${recordset(rows, { suId: 'uuid', suiNumber: 'text', met: 'boolean', hours: 'int', gaps: 'jsonb', statusBefore: 'text', accountBefore: 'text' })}`.execute(
        tx.db,
      )
    }
    await audit(tx, {
      action: '预览毕业名单',
      bizType: 'graduation',
      bizId: gbId,
      bizName: gradeList.join('、'),
      after: { studentCount: students.length, metCount: met },
    })
    return {
      previewToken: gbId,
      expireTime,
      gradeList,
      total: students.length,
      met,
      unmet: students.length - met,
      requiredHours: fromHundredths(requiredHours(goal)),
      shortModules: shortModules(students).map((one) => ({ ...one, required: fromHundredths(one.required) })),
      skipped,
    }
  })
}
