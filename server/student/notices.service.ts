import { wholeSchool } from '../../contract/core/scope.ts'
import type { Checked } from '../../contract/core/call.ts'
import { disputeApi } from '../../contract/programme/disputes/disputes.calls.ts'
import type { ownNoticeApi } from '../../contract/student/notices.calls.ts'
import type { Context } from '../core/request/context.ts'
import { addDispute, withdrawDispute } from '../programme/disputes/disputes.service.ts'
import { assertOwnDispute, studentOfNumber } from '../programme/disputes/own-disputes.queries.ts'
import { publicList } from '../programme/lessons/result/publicity.service.ts'
import { publicSupplements } from '../programme/supplements/public-list.queries.ts'
import { withOwnRights } from './own-rights.ts'

type Input<K extends keyof typeof ownNoticeApi> = Checked<(typeof ownNoticeApi)[K]>

/** What is in public notice is for everybody of the school to see, as masked as it is. */
const asPublic = (ctx: Context): Context => ({ ...withOwnRights(ctx, disputeApi.add.permit), scope: wholeSchool })

/** Who gets what in a course, masked, while its notice lasts. */
export const noticedPeople = (ctx: Context, input: Input<'people'>) => publicList(asPublic(ctx), input)

/** The supplement records in public notice, masked. */
export const noticedSupplements = (ctx: Context, input: Input<'supplements'>) => publicSupplements(asPublic(ctx), input)

/**
 * Asks about, or reports, what is in public notice: always as the student who is signed in. Refusals call others what
 * the student has typed, for names are masked here.
 */
export async function askAboutNotice(ctx: Context, { targetNumber, ...input }: Input<'ask'>) {
  const target = targetNumber ? { targetSuId: await studentOfNumber(ctx, targetNumber) } : {}
  return addDispute(asPublic(ctx), { ...input, ...target, reporterSuId: ctx.actor.suId }, ({ suId, suiName }) =>
    suId === ctx.actor.suId ? suiName : (targetNumber ?? '该学生'),
  )
}

/** Takes a question back that nobody has taken up. */
export async function withdrawOwnDispute(ctx: Context, input: Input<'withdraw'>) {
  await assertOwnDispute(ctx, input.qId)
  return withdrawDispute(withOwnRights(ctx, disputeApi.withdraw.permit), input)
}
