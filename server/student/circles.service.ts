import type { Checked } from '../../contract/core/call.ts'
import { circleApplyType } from '../../contract/core/codes/programme.ts'
import { wholeSchool } from '../../contract/core/scope.ts'
import type { ownCircleApi } from '../../contract/student/circles.calls.ts'
import type { Context } from '../core/request/context.ts'
import { assertOpenToApplicants } from '../programme/circles/open-circles.queries.ts'
import { apply } from '../programme/circles/applications.service.ts'

/**
 * Applies for joining a circle in the student's own name: any circle in service that takes applications, nobody else.
 */
export async function joinCircle(ctx: Context, { ciId, applyReason }: Checked<typeof ownCircleApi.join>) {
  await assertOpenToApplicants(ctx, ciId)
  return apply(
    { ...ctx, scope: wholeSchool },
    { ciId, caType: circleApplyType.joining, cpiPersonId: ctx.actor.suId, applyReason, materials: [] },
  )
}
