import type { Checked } from '../../../contract/core/call.ts'
import { applicationStatus } from '../../../contract/core/codes/outcomes.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { transcriptApplicationApi } from '../../../contract/outcomes/transcripts/applications.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { forEachItem } from '../../core/request/for-each-item.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { mayDecide, visibleApplications } from './applications.queries.ts'
import { issueTranscripts } from './issues.service.ts'
import { allPrintable } from './printing.service.ts'

/**
 * Issues a transcript for each application and tells the student, all of it in one transaction an application: of two
 * who accept at once one issues, and the other is told that it is decided.
 */
export async function acceptApplications(ctx: Context, { ids }: Checked<typeof transcriptApplicationApi.accept>) {
  await assertMayDecide(ctx)
  return forEachItem(
    ids,
    async (taId) => {
      const application = await openApplication(ctx, taId)
      const { suId, suiName, taLang } = application
      await issueTranscripts(
        ctx,
        [suId],
        { lang: taLang === 'en' ? 'en' : 'zh' },
        {
          way: null,
          choose: (found) => allPrintable(found, 1, undefined, ctx.actor.suNickname),
          onIssued: async (tx, [issue]) => {
            const { tiId, transcript } = issue!
            await decide(tx, application, { taStatus: applicationStatus.issued, tiId, decideReason: '' })
            await audit(tx, {
              action: transcriptApplicationApi.accept.summary,
              bizType: 'transcript',
              bizId: suId,
              bizName: suiName,
              after: { serial: transcript.serial },
            })
            await tell(tx, application, '已签发', `编号 ${transcript.serial}，可在“我的记录 → 成绩单”中下载。`)
          },
        },
      )
    },
    (taId) => nameOf(ctx, taId),
  )
}

/** Refuses applications, with one reason for all; the students are told it. */
export async function refuseApplications(
  ctx: Context,
  { ids, reason }: Checked<typeof transcriptApplicationApi.refuse>,
) {
  await assertMayDecide(ctx)
  return forEachItem(
    ids,
    (taId) =>
      inTransaction(ctx, async (tx) => {
        const application = await openApplication(tx, taId)
        await decide(tx, application, { taStatus: applicationStatus.refused, tiId: null, decideReason: reason })
        await audit(tx, {
          action: transcriptApplicationApi.refuse.summary,
          bizType: 'transcript',
          bizId: application.suId,
          bizName: application.suiName,
          reason,
        })
        await tell(tx, application, '未获同意', `原因：${reason}。可按要求处理后重新申请。`)
      }),
    (taId) => nameOf(ctx, taId),
  )
}

async function assertMayDecide(ctx: Context): Promise<void> {
  if (!(await mayDecide(ctx))) throw new Failure('transcript-application-school')
}

async function openApplication(ctx: Context, taId: string) {
  const application = await visibleApplications(ctx)
    .select(['a.taId', 'a.suId', 'a.taLang', 'a.taPurpose', 'a.taStatus', 'person.suiName'])
    .where('a.taId', '=', taId)
    .executeTakeFirst()
  if (!application) throw new Failure('not-found')
  if (application.taStatus !== applicationStatus.open) throw new Failure('transcript-application-decided')
  return application
}
type Application = Awaited<ReturnType<typeof openApplication>>

/** @throws Failure `transcript-application-decided` where somebody else was faster */
async function decide(
  { db, actor, clock }: Context,
  { taId }: Application,
  outcome: { taStatus: string; tiId: string | null; decideReason: string },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('transcriptApplication')
    .set({ ...outcome, decideBy: actor.suId, decideName: actor.suNickname, decideTime: clock.now() })
    .where('schoolId', '=', actor.schoolId)
    .where('taId', '=', taId)
    .where('taStatus', '=', applicationStatus.open)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Failure('transcript-application-decided')
}

const tell = (tx: Context, { suId, taPurpose }: Application, what: string, more: string): Promise<void> =>
  notify(tx, {
    suIds: [suId],
    type: messageType.system,
    title: `您申请的正式成绩单${what}`,
    content: `您为“${taPurpose}”申请的正式成绩单${what}。${more}`,
    bizType: 'transcript',
    bizId: suId,
  })

/** What a refused application is called in the answer; what is out of reach has no name. */
async function nameOf(ctx: Context, taId: string): Promise<string> {
  const found = await visibleApplications(ctx).select('person.suiName').where('a.taId', '=', taId).executeTakeFirst()
  return found?.suiName ?? ''
}
