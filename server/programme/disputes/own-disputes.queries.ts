import { sql } from 'kysely'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import type { OwnDispute } from '../../../contract/student/notices.calls.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { ownActs } from '../../core/request/own-acts.ts'
import { viewFile, viewPrivateFile } from '../../platform/files/files.service.ts'

/** The disputes that the asking person opened, whoever entered them. */
const ownDisputes = (ctx: Pick<Context, 'db' | 'actor'>) =>
  from(ctx, 'question as q').where('q.reporterSuId', '=', ctx.actor.suId)

/**
 * What somebody asked and what became of it, newest first: no word of whom it is about but what they wrote themselves,
 * and not who decided it.
 */
export async function listOwnDisputes(
  ctx: Context,
  page: { current: number; pageSize: number },
): Promise<Page<OwnDispute>> {
  const query = ownDisputes(ctx)
  const [rows, total] = await Promise.all([
    query
      .leftJoin('lesson as l', withinSchool('l.liId', 'q.liId'))
      .leftJoin('supplement as s', withinSchool('s.lisId', 'q.lisId'))
      .select(['q.qId', 'q.qContent', 'q.createTime', 'q.deadline', 'q.acceptTime'])
      .select(['q.handleTime', 'q.opinion', 'q.qOutcome', 'q.outcomeOpinion', 'q.outcomeTime', 'q.version'])
      .select([
        'q.createBy',
        sql<OwnDispute['qType']>`q."qType"`.as('qType'),
        sql<OwnDispute['qStatus']>`q."qStatus"`.as('qStatus'),
        sql<string>`coalesce(l."liName", s."lisName", '')`.as('name'),
        sql<boolean>`q."lisId" is not null`.as('isSupplement'),
      ])
      .orderBy('q.createTime', 'desc')
      .orderBy('q.qId')
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ createBy, ...row }) => ({
      ...row,
      can: ownActs(
        ctx.actor,
        createBy === ctx.actor.suId && isOneOf(row.qStatus, questionStatus.pending, questionStatus.overdue)
          ? ['withdraw']
          : [],
      ),
    })),
    total,
    page,
  )
}

/** Refuses a dispute that the asking person did not open. */
export async function assertOwnDispute(ctx: Context, qId: string): Promise<void> {
  const own = await ownDisputes(ctx).select('q.qId').where('q.qId', '=', qId).executeTakeFirst()
  if (!own) throw new Failure('not-found')
}

/** A proof of a dispute that the asking person opened, or what they have just uploaded. */
export async function ownDisputeProof(ctx: Context, { id }: { id: string }) {
  const holder = await ownDisputes(ctx)
    .select('q.qId')
    .where(sql<boolean>`${id}::uuid = any(q."qProofs")`)
    .executeTakeFirst()
  return holder ? viewPrivateFile(ctx, id) : viewFile(ctx, { id })
}

/**
 * Whom a whole number names among the students; the same refusal where there is nobody as where they are not in a list,
 * so that numbers cannot be tried out.
 */
export async function studentOfNumber(ctx: Context, suiNumber: string): Promise<string> {
  const row = await from(ctx, 'person').select('suId').where('suiNumber', '=', suiNumber).executeTakeFirst()
  if (!row) throw new Failure('question-not-in-list', { name: suiNumber })
  return row.suId
}
