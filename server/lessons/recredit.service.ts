import { sql } from 'kysely'
import { among } from '../core/among.ts'
import type { Context } from '../core/context.ts'
import { cutElsewhere, grantAnew, holdStudents, takeBackEntries, worthOf } from '../credits/correction.service.ts'
import { limitsFor } from '../credits/limits.service.ts'
import { ledgerRows, type CreditedLesson } from './credit-rows.ts'
import { ratingOf } from './rating.queries.ts'

/** States in which what a course gave stands in the ledger. */
export const creditedStates: readonly string[] = ['70', '80']

/**
 * Brings the ledger in line with the present results of a completed course for some of its students: takes back what was granted and grants
 * what is right now, under the caps and best-only groups as they are then. Where somebody loses, his other courses that had been cut
 * because of this one are reckoned anew, oldest first.
 * @param isVoid the course gives nothing any more
 * @returns by how many hundredths of hours each student's total of this course changed
 */
export async function recredit(ctx: Context, lesson: CreditedLesson, suIds: readonly string[], why: string, isVoid = false): Promise<Map<string, number>> {
  const { schoolId, liId } = lesson
  await holdStudents(ctx, schoolId, suIds)
  const before = await worthOf(ctx, schoolId, suIds, liId)
  await takeBackEntries(ctx, { suIds, bizIds: [liId] }, `${why}，冲正`)
  if (!isVoid) await grantCourse(ctx, lesson, suIds)
  const after = await worthOf(ctx, schoolId, suIds, liId)
  const nothing = [0, 0, 0] as const
  const losers = suIds.filter((suId) => (before.get(suId) ?? nothing).some((value, at) => value > (after.get(suId) ?? nothing)[at]!))
  if (losers.length > 0) await reckonOthers(ctx, losers, liId, why)
  return new Map(suIds.map((suId) => [suId, (after.get(suId) ?? nothing)[0] - (before.get(suId) ?? nothing)[0]]))
}

async function reckonOthers(ctx: Context, suIds: readonly string[], liId: string, why: string): Promise<void> {
  const { schoolId } = ctx.actor
  const cut = await cutElsewhere(ctx, schoolId, suIds, liId)
  if (cut.size === 0) return
  const lessons = await ctx.db
    .selectFrom('lesson').select(['schoolId', 'liId', 'liName', 'lsId', 'lsPath', 'liLevel', 'liKind', 'liHours', 'esId', 'atId', 'startTime'])
    .where('schoolId', '=', schoolId).where(among('liId', [...cut.keys()])).where('liStatus', 'in', [...creditedStates]).orderBy('startTime').orderBy('liId').execute()
  for (const lesson of lessons) await takeBackEntries(ctx, { suIds: cut.get(lesson.liId)!, bizIds: [lesson.liId] }, `${why}，上限或就高重新计算，冲正`)
  for (const lesson of lessons) await grantCourse(ctx, lesson, cut.get(lesson.liId)!)
}

async function grantCourse(ctx: Context, lesson: CreditedLesson, suIds: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('registration').select(['suId', 'partakeMode', 'laResult', 'adId', 'laHours', 'laCredit', 'laPoints'])
    .where('schoolId', '=', lesson.schoolId).where('liId', '=', lesson.liId).where('delFlag', '=', '0').where('laStatus', '=', '1').where('laResult', 'in', ['1', '3']).where(among('suId', suIds)).orderBy('suId').execute()
  if (rows.length === 0) return
  const rating = await ratingOf(ctx, lesson)
  const limits = await limitsFor(ctx, { schoolId: lesson.schoolId, lsPath: lesson.lsPath, esId: lesson.esId, occurTime: lesson.startTime }, rows.map(({ suId }) => suId))
  await grantAnew(ctx, rows.flatMap((row) => ledgerRows(lesson, rating, row, limits.get(row.suId))))
}

/** Everybody who has something of a course in the ledger. */
export async function creditedStudents({ db, actor }: Context, liId: string): Promise<string[]> {
  const { rows } = await sql<{ suId: string }>`select distinct "suId" from "creditLedger" where "schoolId" = ${actor.schoolId} and "bizId" = ${liId}::uuid`.execute(db)
  return rows.map(({ suId }) => suId)
}
