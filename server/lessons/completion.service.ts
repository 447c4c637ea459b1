import { sql } from 'kysely'
import type { SchoolSettings } from '../../contract/school/settings.ts'
import { writeAudit } from '../core/audit.ts'
import { recordset } from '../core/bulk.ts'
import { addDays } from '../core/clock.ts'
import type { PublicContext } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import { inTransaction } from '../core/transaction.ts'
import { limitsFor } from '../credits/limits.service.ts'
import { grant, type LedgerRow } from '../credits/ledger.service.ts'
import { entriesFor, type Limits } from '../credits/rules.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { lessonTurns } from './lesson-life.ts'
import { ratedBy, ratingOf, type Rating } from './rating.queries.ts'

export type CompletionServices = Omit<PublicContext, 'origin' | 'upload'>

/** Participants read and credited at a time. */
const batchSize = 1000

/**
 * A recurring job: completes courses whose public notice is over. One transaction a course, so that a course is completed wholly
 * or not at all; a course that another runner has in hand is left to it. A failing course is told in the log and tried again next time.
 * @param only one school instead of all
 * @returns how many were completed
 */
export async function completeLessons(services: CompletionServices, only?: string): Promise<number> {
  const ctx: PublicContext = { ...services, origin: { requestId: newId(), ip: '', agent: 'system' } }
  const { from } = lessonTurns.completed
  let query = ctx.db.selectFrom('lesson').select(['schoolId', 'liId']).where('liStatus', '=', sql.lit(from)).where('liPublictyEdate', '<', ctx.clock.now()).where('delFlag', '=', '0')
  if (only) query = query.where('schoolId', '=', only)
  const due = await query.orderBy('liPublictyEdate').limit(500).execute()
  let completed = 0
  for (const { schoolId, liId } of due) {
    try {
      if (await completeLesson(ctx, schoolId, liId)) completed++
    } catch (err) {
      ctx.log.error({ err, schoolId, liId }, 'a course could not be completed')
    }
  }
  return completed
}

type CompletedLesson = NonNullable<Awaited<ReturnType<typeof lockDue>>>

const lockDue = ({ db, clock }: PublicContext, schoolId: string, liId: string) =>
  db
    .selectFrom('lesson').select(['schoolId', 'liId', 'liName', 'lsId', 'lsPath', 'liLevel', 'liKind', 'liHours', 'esId', 'atId', 'startTime'])
    .where('schoolId', '=', schoolId).where('liId', '=', liId).where('liStatus', '=', lessonTurns.completed.from).where('liPublictyEdate', '<', clock.now())
    .forUpdate().skipLocked().executeTakeFirst()

function completeLesson(ctx: PublicContext, schoolId: string, liId: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const lesson = await lockDue(tx, schoolId, liId)
    if (!lesson) return false
    const [rating, rules] = await Promise.all([ratingOf(tx, lesson), schoolSettings(tx, schoolId)])
    let [entries, absent] = [0, 0]
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const rows = await participants(tx, lesson, after)
      const earning = rows.filter(({ laResult }) => laResult === '1' || laResult === '3').map(({ suId }) => suId)
      const limits = await limitsFor(tx, { schoolId, lsPath: lesson.lsPath, esId: lesson.esId, occurTime: lesson.startTime }, earning)
      entries += await grant(tx, schoolId, rows.flatMap((row) => ledgerRows(lesson, rating, row, limits.get(row.suId))))
      const missing = rows.filter(({ laSignStatus }) => laSignStatus === '5').map(({ suId }) => suId)
      await loseCredibility(tx, lesson, missing, rules)
      absent += missing.length
      if (rows.length < batchSize) break
      after = rows.at(-1)!.laId
    }
    const now = tx.clock.now()
    await tx.db.updateTable('lesson').set({ liStatus: lessonTurns.completed.to, completeTime: now, updateTime: now, version: sql<number>`version + 1` }).where('schoolId', '=', schoolId).where('liId', '=', liId).execute()
    await writeAudit(tx, { schoolId, actorId: null, actorName: '系统' }, [
      { action: '课程完成', bizType: 'lesson', bizId: liId, bizName: lesson.liName, before: { liStatus: lessonTurns.completed.from }, after: { liStatus: lessonTurns.completed.to, entries, absent } },
    ])
    return true
  })
}

const participants = ({ db }: PublicContext, { schoolId, liId }: CompletedLesson, after: string) =>
  db
    .selectFrom('registration').select(['laId', 'suId', 'partakeMode', 'laSignStatus', 'laResult', 'adId', 'laHours', 'laCredit', 'laPoints'])
    .where('schoolId', '=', schoolId).where('liId', '=', liId).where('delFlag', '=', '0').where('laStatus', '=', '1').where('laId', '>', after).orderBy('laId').limit(batchSize).execute()

type Participant = Awaited<ReturnType<typeof participants>>[number]

function ledgerRows(lesson: CompletedLesson, rating: Rating, row: Participant, limits: Limits | undefined): LedgerRow[] {
  const approved = { hours: row.laHours, credit: row.laCredit, points: row.laPoints }
  return entriesFor(ratedBy(rating, lesson, row), approved, limits).map(({ clType, sqlId, value, explain }) => ({
    suId: row.suId, clType, sqlId, clValue: value, explain, lsId: lesson.lsId, moduleId: lesson.lsPath[0]!, source: 'LESSON', bizId: lesson.liId, bizName: lesson.liName,
    ruleVersion: rating.rule?.versionNo ?? 1, occurTime: lesson.startTime,
  }))
}

/** Fewer points for each absentee, never below the least, with a line in the log; after some absences registration is closed for a time. All as the school sets it. */
async function loseCredibility({ db, clock }: PublicContext, { schoolId, liId, liName }: CompletedLesson, suIds: string[], rules: SchoolSettings): Promise<void> {
  if (suIds.length === 0) return
  const { noShowLoss, credibilityMin, blackCount, blackDays } = rules
  const now = clock.now()
  // locked by a statement of its own, so that the counting sees what others have written while we waited
  await sql`select from "person" where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[]) order by "suId" for no key update`.execute(db)
  const { rows: people } = await sql<{ suId: string; before: number; absences: number }>`
    select p."suId", p."suiCredibility" as "before", (select count(*)::int from "credibilityLog" g where g."schoolId" = p."schoolId" and g."suId" = p."suId" and g."reasonCode" = '1'
      and not exists (select from "credibilityLog" u where u."schoolId" = g."schoolId" and u."restoreOf" = g."cgId")) as "absences"
    from "person" p where p."schoolId" = ${schoolId} and p."suId" = any(${suIds}::uuid[])`.execute(db)
  const changes = people.map(({ suId, before, absences }) => {
    const after = Math.max(Math.min(before, credibilityMin), before - noShowLoss)
    return { suId, cgId: newId(), before, after, change: after - before, blackUntil: blackCount > 0 && (absences + 1) % blackCount === 0 ? addDays(now, blackDays) : null }
  })
  const columns = { suId: 'uuid', cgId: 'uuid', before: 'int', after: 'int', change: 'int', blackUntil: 'timestamptz' }
  await sql`update "person" p set "suiCredibility" = r."after", "blackUntil" = greatest(p."blackUntil", r."blackUntil"), "updateTime" = ${now}::timestamptz from ${recordset(changes, columns)} where p."schoolId" = ${schoolId} and p."suId" = r."suId"`.execute(db)
  await sql`insert into "credibilityLog" ("schoolId", "cgId", "suId", "change", "before", "after", "reasonCode", "reason", "liId", "operatorName", "createTime")
    select ${schoolId}, r."cgId", r."suId", r."change", r."before", r."after", '1', ${`缺席课程“${liName}”`}, ${liId}::uuid, '系统', ${now}::timestamptz from ${recordset(changes, columns)}`.execute(db)
}
