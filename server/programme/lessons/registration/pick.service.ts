import { sql } from 'kysely'
import { messageType } from '../../../../contract/core/codes/platform.ts'
import { applyWay, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { systemContext, type JobServices } from '../../../core/request/system.ts'
import { from, ofWorkingSchool } from '../../../core/database/tenant.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { drawLocked } from './draw.service.ts'
import { hasDrawn } from '../model/draw-seed.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import { participantsOf, notifyOrganisers } from '../model/notify.service.ts'
import { figure } from '../../../../contract/core/figure.ts'

/** Courses looked after in one run; what is left comes next minute. */
const batchSize = 200

/**
 * A recurring job: when the time is over in which those who applied should know (`pickHours` after the end of
 * registration), lots that nobody drew are drawn, and whoever still has to decide is reminded, once.
 * @param only one school instead of all
 * @returns how many courses were looked after
 */
export async function pickParticipants(services: JobServices, only?: string): Promise<number> {
  const now = services.clock.now()
  const inSchool = only === undefined ? sql`true` : sql`"schoolId" = ${only}`
  const { rows } = await sql<{
    schoolId: string
    liId: string
    applyEnd: string
  }>`
    select "schoolId", "liId", "applyEnd"
    from "lesson"
    where "liStatus" = ${sql.lit(lessonStatus.published)}
      and "pickTime" is null
      and "pendingCount" > 0
      and "delFlag" = '0'
      and "applyEnd" < ${now}
      and "endTime" > ${now}
      and "applyWay" in (${sql.lit(applyWay.review)}, ${sql.lit(applyWay.draw)})
      and ${ofWorkingSchool('lesson')}
      and ${inSchool}
    order by "applyEnd"
    limit ${batchSize}`.execute(services.db)
  let picked = 0
  for (const { schoolId, liId, applyEnd } of rows) {
    const ctx = systemContext(services, schoolId)
    try {
      const { pickHours } = await schoolSettings(ctx, schoolId)
      if (now < addMinutes(applyEnd, 60 * pickHours)) continue
      if (await pickFor(ctx, liId, pickHours)) picked++
    } catch (err) {
      ctx.log.error({ err, schoolId, liId }, 'the participants of a course could not be picked')
    }
  }
  return picked
}

const pickFor = (services: ReturnType<typeof systemContext>, liId: string, pickHours: number): Promise<boolean> =>
  inTransaction(services, async (tx) => {
    const { schoolId } = tx.actor
    const lesson = await from(tx, 'lesson')
      .selectAll()
      .where('liId', '=', liId)
      .where('liStatus', '=', lessonStatus.published)
      .where('pickTime', 'is', null)
      .where('pendingCount', '>', 0)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!lesson) return false
    const draws = lesson.applyWay === applyWay.draw && !(await hasDrawn(tx, liId))
    const reached: ReachedLesson = { ...lesson, myRoles: [], initiated: false }
    if (draws) {
      const { affected } = await drawLocked(tx, reached)
      await notifyOrganisers(
        tx,
        lesson,
        messageType.reminder,
        `已自动抽签：${lesson.liName}`,
        `报名截止已满 ${pickHours} 小时，系统已按公布的种子抽签，录取 ${figure(affected)} 人。`,
        { link: participantsOf(lesson) },
      )
    } else
      await notifyOrganisers(
        tx,
        lesson,
        messageType.reminder,
        `请审核报名：${lesson.liName}`,
        `报名截止已满 ${pickHours} 小时，仍有 ${figure(lesson.pendingCount)} 人待审核，请尽快处理。`,
        { link: participantsOf(lesson) },
      )
    await tx.db
      .updateTable('lesson')
      .set({ pickTime: tx.clock.now() })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    return true
  })
