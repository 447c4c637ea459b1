import { enableStatus, messageType } from '../../../../contract/core/codes/platform.ts'
import { approvalStatus, lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { flowNode } from '../../../../contract/core/codes/rules.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { notify } from '../../../platform/notifications/notify.service.ts'
import { chooseFlow, type FlowCase } from '../../../rules/workflow/choose-flow.ts'
import { flowsFor, planStanding, stepsOf } from '../../../rules/workflow/flow-source.service.ts'
import { participantsOf } from '../model/notify.service.ts'
import { lessonSubject } from './lesson-approval.service.ts'

/** The stages of a flow that a course runs through without an approval, with what their people are to it. */
const stages = [
  { nodeName: flowNode.signUp, lpRole: lessonPersonRole.signUpChecker, may: '审核报名' },
  { nodeName: flowNode.signIn, lpRole: lessonPersonRole.signInChecker, may: '管理签到' },
] as const

/**
 * Writes down for a course that is being published, published anew or changed, whom its flow names for registration and
 * sign-in (docs/rules.md R34), and tells those who are new.
 */
export async function appointStageCheckers(ctx: Context, liId: string): Promise<void> {
  const { schoolId } = ctx.actor
  const removed = await ctx.db
    .deleteFrom('lessonPerson')
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .where(
      'lpRole',
      'in',
      stages.map(({ lpRole }) => lpRole),
    )
    .returning(['suId', 'lpRole'])
    .execute()
  const lesson = await from(ctx, 'lesson').selectAll().where('liId', '=', liId).executeTakeFirstOrThrow()
  const { liName } = lesson
  const subject = await lessonSubject(ctx, lesson)
  const flow = (await approvingFlow(ctx, liId)) ?? (await fittingFlow(ctx, lesson.createBy, subject.case))
  if (!flow) return
  const facts = { ...subject.facts, initiatorId: flow.startBy }
  for (const { nodeName, lpRole, may } of stages) {
    const planned = await planStanding(ctx, await stepsOf(ctx, flow.wfId, nodeName), facts, lesson.liCredit)
    const suIds = [...new Set(planned.flatMap(({ people }) => people.map(({ suId }) => suId)))]
    if (suIds.length === 0) continue
    await ctx.db
      .insertInto('lessonPerson')
      .values(suIds.map((suId) => ({ schoolId, liId, suId, lpRole })))
      .execute()
    const known = new Set(removed.filter((row) => row.lpRole === lpRole).map(({ suId }) => suId))
    await notify(ctx, {
      suIds: suIds.filter((suId) => !known.has(suId)),
      type: messageType.system,
      title: `《${liName}》已发布，请您${may}`,
      content: `《${liName}》的审批流程指定您${may}，可在参与人员中处理。`,
      bizType: 'lesson',
      bizId: liId,
      link: participantsOf(lesson),
    })
  }
}

interface FlowOfLesson {
  wfId: string
  startBy: string
}

/** The flow by which a course was approved last, and who submitted it. */
const approvingFlow = (ctx: Context, liId: string): Promise<FlowOfLesson | undefined> =>
  from(ctx, 'approval')
    .select(['wfId', 'startBy'])
    .where('bizId', '=', liId)
    .where('bizType', '=', 'publish')
    .where('insStatus', '=', approvalStatus.passed)
    .orderBy('startTime', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * The flow that applies to a course which passed without being put before anybody, as if its maker submitted it now.
 */
async function fittingFlow(ctx: Context, startBy: string | null, wanted: FlowCase): Promise<FlowOfLesson | undefined> {
  if (!startBy) return undefined
  const roles = await from(ctx, 'roleUser')
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .select('role.srId')
    .where('roleUser.suId', '=', startBy)
    .where('role.enable', '=', enableStatus.enabled)
    .execute()
  const flow = chooseFlow(await flowsFor(ctx, wanted.wfType), {
    ...wanted,
    initiatorRoleIds: roles.map(({ srId }) => srId),
  })
  return flow && { wfId: flow.wfId, startBy }
}
