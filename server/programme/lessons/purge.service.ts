import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo, messageType } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { hasOpenDisputes } from '../credits/open-disputes.queries.ts'
import { actionOnLesson } from './model/action-on-lesson.service.ts'
import { notifyOrganisers } from './model/notify.service.ts'
import { discardWorksOfCourse } from './registration/works.service.ts'

/**
 * Puts a course that is over out of sight, with a reason; its rows and its trail stay, the works that were handed in
 * for it go (docs/rules.md R5). What it gave must have been taken back, and nobody may still be asking about it.
 */
export const purgeLesson = (ctx: Context, input: Checked<typeof lessonApi.purge>) =>
  actionOnLesson(ctx, 'purge', lessonApi.purge, input, async (tx, lesson) => {
    const { schoolId } = tx.actor
    if (await hasOpenDisputes(tx, schoolId, [lesson.liId])) throw new Failure('question-open', { name: '该课程' })
    const { rows } = await sql<{
      people: number
    }>`
      select count(*)::int "people"
      from (
        select
        from "creditLedger"
        where "schoolId" = ${schoolId} and "bizId" = ${lesson.liId}::uuid
        group by "suId", "clType", "sqlId"
        having sum("clValue") <> 0
      ) t`.execute(tx.db)
    if (rows[0]!.people > 0) throw new Failure('lesson-credited')
    await discardWorksOfCourse(tx, lesson.liId)
    await notifyOrganisers(
      tx,
      lesson,
      messageType.system,
      `《${lesson.liName}》已删除`,
      `《${lesson.liName}》已由管理员删除。\n原因：${input.reason}`,
    )
    return { delFlag: yesNo.yes, exitReason: input.reason }
  })
