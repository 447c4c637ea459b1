import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { applicationStatus, issueStatus } from '../../contract/core/codes/outcomes.ts'
import { Failure } from '../../contract/core/failure.ts'
import { transcriptApi } from '../../contract/outcomes/transcripts/transcripts.calls.ts'
import { ownRecordApi } from '../../contract/student/record.calls.ts'
import { audit } from '../core/audit/audit.ts'
import { newId } from '../core/base/ids.ts'
import { from } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { inTransaction } from '../core/request/transaction.ts'
import { listTranscriptApplications } from '../outcomes/transcripts/applications.queries.ts'
import { reprint } from '../outcomes/transcripts/printing.service.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { withOwnRights } from './own-rights.ts'

type Input<K extends keyof typeof ownRecordApi> = Checked<(typeof ownRecordApi)[K]>

const isOffered = async (ctx: Context): Promise<boolean> =>
  (await schoolSettings(ctx, ctx.actor.schoolId)).transcriptApply !== 'off'

/** The student's applications, the latest first, and whether they may make one: one at a time. */
export async function ownTranscriptApplications(
  ctx: Context,
  page: Input<'applications'>,
): Promise<Output<typeof ownRecordApi.applications>> {
  const [{ records, ...rest }, offered, open] = await Promise.all([
    listTranscriptApplications(withOwnRights(ctx), { ...page, suId: ctx.actor.suId }),
    isOffered(ctx),
    ownOpen(ctx).select('taId').executeTakeFirst(),
  ])
  return {
    ...rest,
    records: records.map(
      ({ suId: _, suiName: __, suiNumber: ___, collegeName: ____, className: _____, can: ______, ...row }) => row,
    ),
    isOffered: offered,
    mayApply: offered && !open,
  }
}

const ownOpen = (ctx: Context) =>
  from(ctx, 'transcriptApplication').where('suId', '=', ctx.actor.suId).where('taStatus', '=', applicationStatus.open)

/** Applies for a signed transcript. @throws Failure `transcript-application-open` while another one is open */
export async function applyForTranscript(ctx: Context, { lang, taPurpose, taCopies }: Input<'apply'>) {
  if (!(await isOffered(ctx))) throw new Failure('transcript-application-off')
  const { schoolId, suId, suNickname } = ctx.actor
  const taId = newId()
  await inTransaction(ctx, async (tx) => {
    const made = await tx.db
      .insertInto('transcriptApplication')
      .values({ schoolId, taId, suId, taLang: lang, taPurpose, taCopies, createTime: tx.clock.now() })
      // two sent at once are one: the index has one open application a student. The code stands in the statement as
      // text, for a parameter would not be recognised as the index's own condition
      .onConflict((open) =>
        open.columns(['schoolId', 'suId']).where('taStatus', '=', sql.lit(applicationStatus.open)).doNothing(),
      )
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows === 0n) throw new Failure('transcript-application-open')
    await audit(tx, {
      action: ownRecordApi.apply.summary,
      bizType: 'transcript',
      bizId: suId,
      bizName: suNickname,
      after: { 用途: taPurpose, 语言: lang === 'en' ? '英文' : '中文', 纸质份数: taCopies },
    })
  })
  return { taId }
}

/** Takes the student's own open application back. */
export async function withdrawTranscriptApplication(ctx: Context, { taId }: Input<'withdraw'>) {
  const { schoolId, suId, suNickname } = ctx.actor
  await inTransaction(ctx, async (tx) => {
    const known = await from(tx, 'transcriptApplication')
      .select('taStatus')
      .where('taId', '=', taId)
      .where('suId', '=', suId)
      .forUpdate()
      .executeTakeFirst()
    if (!known) throw new Failure('not-found')
    if (known.taStatus !== applicationStatus.open) throw new Failure('transcript-application-decided')
    await tx.db
      .updateTable('transcriptApplication')
      .set({ taStatus: applicationStatus.withdrawn, decideTime: tx.clock.now() })
      .where('schoolId', '=', schoolId)
      .where('taId', '=', taId)
      .execute()
    await audit(tx, { action: ownRecordApi.withdraw.summary, bizType: 'transcript', bizId: suId, bizName: suNickname })
  })
  return { affected: 1 }
}

/** The PDF of an issue that the student applied for, or of any of theirs where the school lets students print. */
export async function issuedTranscriptFile(ctx: Context, { tiId }: Input<'issued'>) {
  const { transcriptSelf } = await schoolSettings(ctx, ctx.actor.schoolId)
  const applied = await from(ctx, 'transcriptApplication')
    .innerJoin('transcriptIssue as i', (join) =>
      join
        .onRef('i.schoolId', '=', 'transcriptApplication.schoolId')
        .onRef('i.tiId', '=', 'transcriptApplication.tiId'),
    )
    .select('transcriptApplication.taId')
    .where('transcriptApplication.suId', '=', ctx.actor.suId)
    .where('transcriptApplication.tiId', '=', tiId)
    .where('i.tiStatus', '<>', issueStatus.revoked)
    .executeTakeFirst()
  if (!transcriptSelf && !applied) throw new Failure('transcript-not-applied')
  return reprint(withOwnRights(ctx, transcriptApi.export.permit), { tiId })
}
