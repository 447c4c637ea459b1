import type { Checked } from '../../contract/core/call.ts'
import { circleApplyType } from '../../contract/core/codes/programme.ts'
import { wholeSchool } from '../../contract/core/scope.ts'
import type { ownCircleApi } from '../../contract/student/circles.calls.ts'
import type { Context } from '../core/request/context.ts'
import { apply } from '../programme/circles/applications.service.ts'

/** Applies for joining a circle in the student's own name: any circle in service, nobody else. */
export const joinCircle = (ctx: Context, { ciId, applyReason }: Checked<typeof ownCircleApi.join>) =>
  apply(
    { ...ctx, scope: wholeSchool },
    { ciId, caType: circleApplyType.joining, cpiPersonId: ctx.actor.suId, applyReason, materials: [] },
  )
