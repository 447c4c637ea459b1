import { sql } from 'kysely'
import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { studentStatus as studentStatusCodes } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { graduateAllWord, type graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import { dayOf } from '../../core/base/clock.ts'
import { flushTableStatistics, analyzeGrownTables } from '../../core/database/analyze.ts'
import type { Context } from '../../core/request/context.ts'
import { because } from '../../core/request/cause.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { assertNotOutranked } from '../../school/people/rank-check.service.ts'
import { lockPeople, setStudentStatuses } from '../../school/people/student-status.service.ts'
import { assess, type Assessed } from './assess.ts'
import { namesOf, undoUntil } from './graduation.queries.ts'

const studentStatus = { graduated: studentStatusCodes.graduated, delayed: studentStatusCodes.delayed } as const

/**
 * Graduates the students of a preview: those who meet the requirement, and as chosen the others or not; from then on
 * the accounts of graduates only read (decision 128). All or nothing, and once: the preview is used up. What the
 * preview counted must still be so.
 */
export async function graduateByGrade(ctx: Context, input: Checked<typeof graduationApi.graduate>) {
  const { schoolId, suId } = ctx.actor
  const { result, graduates } = await inTransaction(ctx, async (tx) => {
    // one graduation of a school at a time: batch numbers follow each other, and no student is in two that run side by
    // side
    await lockSchool(tx, 'graduation')
    const preview = await usablePreview(tx, input)
    const students = await sameAsPreviewed(tx, preview)
    const isGraduate = (student: Assessed) => student.met || input.unmet === 'graduate'
    const graduating = students.filter(isGraduate)
    const graduateIds = graduating.map((student) => student.suId)
    if (graduateIds.includes(suId)) throw new Failure('own-graduation')
    await assertNotOutranked(tx, graduateIds)
    const changes = students.map((student) => ({
      ...student,
      statusAfter: isGraduate(student) ? studentStatus.graduated : studentStatus.delayed,
    }))
    await because(tx, 'graduation', preview.gbId)
    await setStudentStatuses(
      tx,
      changes.map(({ suId, statusAfter, suStatus }) => ({ suId, suiStatus: statusAfter, suStatus })),
    )
    const doneTime = tx.clock.now()
    const gbNo = await nextNumber(tx, doneTime)
    await keepRows(tx, preview.gbId, changes)
    await tx.db
      .updateTable('graduationBatch')
      .set({
        gbNo,
        gbStatus: graduationStatus.done,
        unmet: input.unmet,
        graduateCount: graduating.length,
        delayCount: students.length - graduating.length,
        reason: input.reason ?? '',
        doneTime,
      })
      .where('schoolId', '=', schoolId)
      .where('gbId', '=', preview.gbId)
      .execute()
    await audit(tx, {
      action: '按年级毕业',
      bizType: 'graduation',
      bizId: preview.gbId,
      bizName: gbNo,
      after: {
        studentCount: students.length,
        graduateCount: graduating.length,
        delayCount: students.length - graduating.length,
      },
      reason: input.reason ?? '',
    })
    await auditStudents(tx, changes, gbNo)
    await flushTableStatistics(tx)
    return {
      result: {
        gbId: preview.gbId,
        gbNo,
        graduated: graduating.length,
        delayed: students.length - graduating.length,
        undoUntil: undoUntil(doneTime),
      },
      graduates: graduateIds,
    }
  })
  forgetActors(schoolId, graduates)
  await analyzeGrownTables(ctx)
  return result
}

/** The preview meant, if it is the asking person's own, not used, not too old, and of these years. */
async function usablePreview(
  tx: Context,
  { previewToken, gradeList, unmet, confirmText }: Checked<typeof graduationApi.graduate>,
) {
  if (!previewToken) throw new Failure('graduation-preview-first')
  const preview = await from(tx, 'graduationBatch')
    .select(['gbId', 'gbNo', 'gbStatus', 'grades', 'collegeIds', 'total', 'metCount', 'expireTime'])
    .where('gbId', '=', previewToken)
    .where('createBy', '=', tx.actor.suId)
    .forUpdate()
    .executeTakeFirst()
  if (!preview) throw new Failure('graduation-preview-first')
  if (preview.gbStatus !== graduationStatus.preview) throw new Failure('graduation-done', { no: preview.gbNo ?? '' })
  if (preview.expireTime < tx.clock.now()) throw new Failure('graduation-preview-old')
  if (preview.grades.join() !== gradeList.join())
    throw invalidInput([{ field: 'gradeList', msg: '所选年级与预览时不同，请重新预览' }])
  if (unmet === 'graduate' && preview.total > preview.metCount && confirmText !== graduateAllWord)
    throw invalidInput([{ field: 'confirmText', msg: `未达标学生一并毕业，请输入“${graduateAllWord}”确认` }])
  return preview
}

/**
 * The students as they are now, locked; refused where they are not those of the preview or meet the requirement
 * otherwise than then.
 */
async function sameAsPreviewed(
  tx: Context,
  { gbId, grades, collegeIds }: { gbId: string; grades: string[]; collegeIds: string[] },
): Promise<Assessed[]> {
  const rows = await from(tx, 'graduationRow').select(['suId', 'met']).where('gbId', '=', gbId).execute()
  await lockPeople(
    tx,
    rows.map(({ suId }) => suId),
  )
  const { students } = await assess(tx, grades, collegeIds)
  const then = new Map(rows.map(({ suId, met }) => [suId, met]))
  const other = students.filter(({ suId, met }) => then.get(suId) !== met).map(({ suId }) => suId)
  const gone = then.size - (students.length - students.filter(({ suId }) => !then.has(suId)).length)
  if (other.length + gone > 0) {
    const [example] = (await namesOf(tx, other.slice(0, 1))).values()
    throw new Failure('graduation-changed', { n: other.length + gone, example: example ? `，如 ${example}` : '' })
  }
  return students
}

/** `BY20260625-002`: the second graduation of that day. */
async function nextNumber(ctx: Context, now: string): Promise<string> {
  const head = `BY${dayOf(now).replaceAll('-', '')}-`
  const row = await from(ctx, 'graduationBatch')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('gbNo', 'like', `${head}%`)
    .executeTakeFirstOrThrow()
  return head + String(row.n + 1).padStart(3, '0')
}

type Change = Assessed & { statusAfter: string }

/** Keeps with the batch what each student was and has become. */
async function keepRows({ db, actor }: Context, gbId: string, changes: readonly Change[]): Promise<void> {
  for await (const chunk of chunksOf(changes, 5000)) {
    const rows = chunk.map(({ suId, hours, gaps, suiStatus, suStatus, statusAfter }) => ({
      suId,
      hours,
      gaps,
      suiStatus,
      suStatus,
      statusAfter,
    }))
    await sql`
        update "graduationRow" g
        set "hours" = r."hours",
          "gaps" = r."gaps",
          "statusBefore" = r."suiStatus",
          "accountBefore" = r."suStatus",
          "statusAfter" = r."statusAfter",
          "accountAfter" = r."suStatus"
        from
        ${recordset(rows, { suId: 'uuid', hours: 'int', gaps: 'jsonb', suiStatus: 'text', suStatus: 'text', statusAfter: 'text' })}
        where g."schoolId" = ${actor.schoolId} and g."gbId" = ${gbId}::uuid and g."suId" = r."suId"`.execute(db)
  }
}

async function auditStudents(tx: Context, changes: readonly Change[], gbNo: string): Promise<void> {
  const changed = changes.filter((one) => one.statusAfter !== one.suiStatus)
  const names = await namesOf(
    tx,
    changed.map(({ suId }) => suId),
  )
  await auditMany(
    tx,
    changed.map((one) => ({
      action: one.statusAfter === studentStatus.graduated ? '毕业' : '延期毕业',
      bizType: 'person',
      bizId: one.suId,
      bizName: names.get(one.suId) ?? '',
      reason: `毕业批次 ${gbNo}`,
      before: { suiStatus: one.suiStatus },
      after: { suiStatus: one.statusAfter },
    })),
  )
}
