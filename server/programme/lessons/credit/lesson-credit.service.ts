import { sql } from 'kysely'
import { applyStatus, lessonStatus, resultStatus } from '../../../../contract/core/codes/programme.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { limitsFor } from '../../credits/limits.service.ts'
import type { LedgerRow } from '../../credits/ledger.service.ts'
import type { CreditKind } from '../../credits/recredit.service.ts'
import { creditedLessonColumns, cappedKinds, ledgerRows, type CreditedLesson } from './credit-rows.ts'
import { ratingOf } from '../model/rating.queries.ts'

/** States in which what a course gave stands in the ledger. */
export const creditedStates: readonly string[] = [lessonStatus.completed, lessonStatus.archived]

/** Courses, as far as the ledger corrects itself. */
export const lessonCredit: CreditKind = {
  bizType: 'lesson',
  async standing(ctx, bizIds) {
    const rows = await from(ctx, 'lesson')
      .select(['liId', 'liName', 'startTime'])
      .where(anyOf('liId', bizIds))
      .where('liStatus', 'in', [...creditedStates])
      .execute()
    return rows.map(({ liId, liName, startTime }) => ({ bizId: liId, bizName: liName, occurTime: startTime }))
  },
  async rows(ctx, liId, suIds) {
    const lesson = await from(ctx, 'lesson')
      .select(creditedLessonColumns)
      .where('liId', '=', liId)
      .executeTakeFirstOrThrow()
    return courseRows(ctx, lesson, suIds)
  },
}

/** What a course gives students by its present results, within what they still have room for. */
export async function courseRows(ctx: Context, lesson: CreditedLesson, suIds: readonly string[]): Promise<LedgerRow[]> {
  const rows = await from({ db: ctx.db, schoolId: lesson.schoolId }, 'registration')
    .select(['suId', 'partakeMode', 'laResult', 'adId', 'teamRank', 'teamSize', 'laHours', 'laCredit', 'laPoints'])
    .where('liId', '=', lesson.liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where('laResult', 'in', [resultStatus.passed, resultStatus.awarded])
    .where(anyOf('suId', suIds))
    .orderBy('suId')
    .execute()
  if (rows.length === 0) return []
  const rating = await ratingOf(ctx, lesson)
  const limits = await limitsFor(
    ctx,
    {
      schoolId: lesson.schoolId,
      lsPath: lesson.lsPath,
      esId: lesson.esId,
      occurTime: lesson.startTime,
      kinds: cappedKinds(lesson),
    },
    rows.map(({ suId }) => suId),
  )
  return rows.flatMap((row) => ledgerRows(lesson, rating, row, limits.get(row.suId)))
}

/** Everybody who has something of a course in the ledger. */
export async function creditedStudents({ db, actor }: Context, liId: string): Promise<string[]> {
  const { rows } = await sql<{
    suId: string
  }>`
    select distinct "suId"
    from "creditLedger"
    where "schoolId" = ${actor.schoolId} and "bizId" = ${liId}::uuid`.execute(db)
  return rows.map(({ suId }) => suId)
}
