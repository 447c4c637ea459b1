import { sql } from 'kysely'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { from, ofWorkingSchool, withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { subjectName, nameOf } from './dispute-store.ts'

/**
 * A recurring job: disputes that nobody took up in time are marked (5) and the school's administrators are told, once
 * each, whoever runs it and whatever is killed when.
 * @param only one school instead of all
 * @returns how many were marked
 */
export async function enforceDisputeDeadlines(services: JobServices, only?: string): Promise<number> {
  const now = services.clock.now()
  const { rows: schools } = await sql<{
    schoolId: string
  }>`
    select distinct "schoolId"
    from "question"
    where "qStatus" = ${sql.lit(questionStatus.pending)}
      and "delFlag" = '0'
      and "deadline" < ${now}::timestamptz
      and ${ofWorkingSchool('question')}
      and (${only ?? null}::text is null or "schoolId" = ${only ?? null})`.execute(services.db)
  let marked = 0
  for (const { schoolId } of schools) {
    marked += await inTransaction(systemContext(services, schoolId), async (tx) => {
      const { rows } = await sql<{ qId: string; qType: string; liName: string; lisName: string }>`
          update "question" q
          set "qStatus" = ${sql.lit(questionStatus.overdue)},
            "updateTime" = ${now}::timestamptz,
            "version" = q."version" + 1
          where q."schoolId" = ${schoolId}
            and q."qId" = any(
              array(
                select d."qId"
                from "question" d
                where d."schoolId" = ${schoolId}
                  and d."qStatus" = ${sql.lit(questionStatus.pending)}
                  and d."delFlag" = '0'
                  and d."deadline" < ${now}::timestamptz
                order by d."qId"
                limit 500
                for update skip locked
              )
            )
          returning q."qId", q."qType",
            coalesce(
              (select l."liName" from "lesson" l where l."schoolId" = q."schoolId" and l."liId" = q."liId"), ''
            ) "liName",
            coalesce(
              (select s."lisName" from "supplement" s where s."schoolId" = q."schoolId" and s."lisId" = q."lisId"), ''
            ) "lisName"`.execute(tx.db)
      if (rows.length === 0) return 0
      const admins = await from({ db: tx.db, schoolId }, 'role as r')
        .innerJoin('roleUser as u', withinSchool('u.srId', 'r.srId'))
        .select('u.suId')
        .where('r.srCode', '=', 'SCHOOL_ADMIN')
        .execute()
      await notify(tx, {
        suIds: admins.map(({ suId }) => suId),
        type: messageType.reminder,
        title: `有 ${rows.length} 条质疑超过受理时限`,
        content: `涉及${rows.every(({ liName }) => liName) ? '课程' : '课程与补录'}：${[...new Set(rows.map((row) => `《${subjectName(row)}》`))].slice(0, 5).join('')}，请督促受理或直接处理。`,
        bizType: 'question',
        link: '/courseManagement/Question',
      })
      await auditMany(
        tx,
        rows.map((row) => ({
          action: '质疑超期未受理',
          bizType: 'question',
          bizId: row.qId,
          bizName: nameOf(row),
          before: { qStatus: questionStatus.pending },
          after: { qStatus: questionStatus.overdue },
        })),
      )
      return rows.length
    })
  }
  return marked
}
