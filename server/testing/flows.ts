import { yesNo } from '../../contract/core/codes/platform.ts'
import { flowCheckerType, flowStepType, flowType } from '../../contract/core/codes/rules.ts'
import { newId } from '../core/base/ids.ts'
import type { TestSchool } from './school.ts'

/**
 * A step of a test flow: who decides (checker type, docs/rules.md R34, and its ids) and how (approval type, 1 any one).
 */
export interface TestStep {
  node: 'PUBLISH' | 'SIGNUP' | 'SIGNIN' | 'RESULT' | 'PUBLICITY' | 'SUPPLEMENT'
  checkerType?: string
  checkers?: string[]
  stepType?: string
  noApproverPolicy?: string
  /** Columns of the step as they are stored. */
  more?: {
    timeoutHours?: number
    timeoutDays?: number
    timeoutAction?: string
    timeoutRoleId?: string
    canReject?: string
    allowTransfer?: string
    allowAdd?: string
    minCredit?: number
  }
}

/** Puts a workflow for courses into a test school, the school's default unless told otherwise; returns its id. */
export async function makeFlow(
  { ctx, schoolId }: TestSchool,
  steps: TestStep[],
  more: {
    wfName?: string
    wfType?: string
    isDefault?: string
    levels?: string[]
    roleIds?: string[]
    lsIds?: string[]
  } = {},
): Promise<string> {
  const { db } = ctx
  const [wfcId, wfId] = [newId(), newId()]
  await db
    .insertInto('workflowCategory')
    .values({ schoolId, wfcId, wfcName: `分类${wfcId}` })
    .execute()
  await db
    .insertInto('workflow')
    .values({ schoolId, wfId, wfName: `流程${wfId}`, wfType: flowType.lesson, wfcId, isDefault: yesNo.yes, ...more })
    .execute()
  for (const [
    at,
    {
      node,
      checkerType = flowCheckerType.people,
      checkers = [],
      stepType = flowStepType.anyOne,
      noApproverPolicy = 'block',
      more: columns,
    },
  ] of steps.entries()) {
    const wfsId = newId()
    await db
      .insertInto('workflowStep')
      .values({
        schoolId,
        wfsId,
        wfId,
        wfsNodeName: node,
        wfsStepName: `步骤${at + 1}`,
        wfsStepType: stepType,
        wfsCheckerType: checkerType,
        wfsSort: at + 1,
        noApproverPolicy,
        ...columns,
      })
      .execute()
    for (const [wfcSort, wfcCheckerId] of checkers.entries())
      await db.insertInto('workflowChecker').values({ schoolId, wfsId, wfcCheckerId, wfcSort }).execute()
  }
  return wfId
}
