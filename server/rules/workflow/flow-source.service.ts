import { yesNo } from '../../../contract/core/codes/platform.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { flowNode, flowStepType } from '../../../contract/core/codes/rules.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import type { Context } from '../../core/request/context.ts'
import { adminsFor, resolveCheckers, type Checker, type SubjectFacts } from './checkers.service.ts'
import { planSteps, type Fate } from './plan.ts'
import { keptContent } from './versions.service.ts'
import { flowById, rangedFlows, storedSteps, type StoredStep } from './workflow.queries.ts'
import { pickFields } from '../../core/base/pick-fields.ts'

/** A step as it is configured: who decides it, how, and in what time. */
export interface StepRule {
  stepSort: number
  stepName: string
  stepType: string
  wfsCheckerType: string
  checkers: string[]
  noApproverPolicy: string
  timeoutHours: number | null
  timeoutDays: number | null
  timeoutAction: string
  timeoutRoleId: string | null
  canReject: string
  allowTransfer: string
  allowAdd: string
  minCredit: number | null
}

/** A step with the people it means for one matter, and what becomes of it. */
export interface PlannedRule extends StepRule {
  fate: Fate
  people: Checker[]
}

/** The flows of a type, with their ranges. */
export const flowsFor = rangedFlows

/** A stored step as a rule. */
export const ruleOf = (step: StoredStep): StepRule => ({
  stepSort: step.wfsSort,
  stepName: step.wfsStepName,
  stepType: step.wfsStepType,
  ...pickFields(step, [
    'wfsCheckerType',
    'checkers',
    'noApproverPolicy',
    'timeoutHours',
    'timeoutDays',
    'timeoutAction',
    'timeoutRoleId',
    'canReject',
    'allowTransfer',
    'allowAdd',
    'minCredit',
  ]),
})

/** The steps of one stage of a flow in their order. */
export const stepsOf = async (ctx: Context, wfId: string, nodeName: string): Promise<StepRule[]> =>
  ofStage(await storedSteps(ctx, [wfId]), nodeName).map(ruleOf)

/**
 * A flow as one of its versions has it, with the steps of its stages; undefined where the flow is gone. A version that
 * was never changed is the flow itself.
 */
export async function flowVersion(ctx: Context, { wfId, wfVersion }: { wfId: string; wfVersion: number }) {
  const flow = await flowById(ctx, wfId)
  if (!flow) return undefined
  const kept = flow.wfVersion === wfVersion ? undefined : await keptContent(ctx, wfId, wfVersion)
  if (!kept) {
    const steps = await storedSteps(ctx, [wfId])
    return { flow, stepsOf: (nodeName: string) => ofStage(steps, nodeName).map(ruleOf) }
  }
  const { wfName, selfPass, steps } = kept
  return {
    flow: { wfId, wfName, wfVersion, selfPass },
    stepsOf: (nodeName: string) =>
      ofStage(steps, nodeName).map((step) =>
        ruleOf({ ...step, wfId, minCredit: step.minCredit === null ? null : toHundredths(step.minCredit) }),
      ),
  }
}

const ofStage = <S extends { wfsNodeName: string }>(steps: readonly S[], nodeName: string): S[] =>
  steps.filter(({ wfsNodeName }) => wfsNodeName === nodeName)

/**
 * Who would be asked at each step for a matter; nothing is written. `credit` in whole hundredths, left out where not
 * known.
 */
export async function planStage(
  ctx: Context,
  rules: readonly StepRule[],
  { selfPass }: { selfPass: string },
  facts: SubjectFacts,
  credit?: number,
): Promise<PlannedRule[]> {
  const found = []
  for (const rule of rules)
    found.push({
      ...rule,
      known: rule.stepType === flowStepType.autoPass ? [] : await resolveCheckers(ctx, rule, facts),
    })
  const others = (people: readonly Checker[]) => people.filter(({ suId }) => suId !== facts.initiatorId)
  const admins = found.some(({ noApproverPolicy, known }) => noApproverPolicy === 'admin' && others(known).length === 0)
    ? await adminsFor(ctx, facts)
    : []
  const planned = planSteps(
    found.map((one) => ({ ...one, people: one.known.map(({ suId }) => suId) })),
    {
      initiatorId: facts.initiatorId,
      selfPass: selfPass === yesNo.yes,
      credit,
      admins: admins.map(({ suId }) => suId),
    },
  )
  return found.map(({ known, ...rule }, at) => {
    const { fate, people } = planned[at]!
    return { ...rule, fate, people: (fate === 'admin' ? admins : known).filter(({ suId }) => people.includes(suId)) }
  })
}

/**
 * Whether nothing is put before anybody at a stage: its steps name people who may act there beside those of the course,
 * as long as it runs (docs/rules.md R34).
 */
export const isStanding = (nodeName: string): boolean => isOneOf(nodeName, flowNode.signUp, flowNode.signIn)

/**
 * Whom the steps of such a stage mean. `ask`: these may act; `unasked`: too little credit; `skip`: nobody was found, or
 * a step of its type asks nobody, and the people of the course act alone.
 */
export async function planStanding(
  ctx: Context,
  rules: readonly StepRule[],
  facts: SubjectFacts,
  credit: number,
): Promise<PlannedRule[]> {
  const planned: PlannedRule[] = []
  for (const rule of rules) {
    const isUnasked = rule.minCredit !== null && credit <= rule.minCredit
    const asksNobody = isOneOf(rule.stepType, flowStepType.copy, flowStepType.autoPass)
    const people = isUnasked || asksNobody ? [] : await resolveCheckers(ctx, rule, facts)
    planned.push({ ...rule, people, fate: isUnasked ? 'unasked' : people.length > 0 ? 'ask' : 'skip' })
  }
  return planned
}
