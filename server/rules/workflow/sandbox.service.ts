import type { Checked, Output } from '../../../contract/core/call.ts'
import { flowNode, flowType, timeoutAction } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { nodesOfType } from '../../../contract/rules/workflow/workflow.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { systemId } from '../../core/request/system.ts'
import type { Checker, SubjectFacts } from './checkers.service.ts'
import { rankFlows } from './choose-flow.ts'
import { fateWords, openTypes } from './fate-words.ts'
import { isStanding, planStage, planStanding, ruleOf, type PlannedRule } from './flow-source.service.ts'
import { reasonWords } from './flow-reasons.ts'
import { checkerWords } from './step-words.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { limitText, type TimeDefaults } from './time-limits.ts'
import { caseOf } from './trial-facts.service.ts'
import { rangedFlows, storedSteps, type StoredStep } from './workflow.queries.ts'

type Trial = Output<typeof trialApi.sandbox>
type TrialStep = Trial['nodes'][number]['steps'][number]

/**
 * Tries a case out: which flow applies and why, who would be asked at each step, what would stop it, and how long it
 * may take.
 */
export async function tryCase(ctx: Context, input: Checked<typeof trialApi.sandbox>): Promise<Trial> {
  const { wanted, facts, suiName } = await caseOf(ctx, input)
  const ranked = rankFlows(await rangedFlows(ctx, input.wfType), wanted)
  // whose name an id has is told to whoever may see everybody
  const initiator = { suId: input.suId, suiName: ctx.scope.whole ? suiName : '' }
  const nameFor = (person: Checker) => (person.suId === input.suId ? initiator.suiName : person.suiName)
  const best = ranked.find(({ reason }) => reason === 'chosen' || reason === 'default')
  const others = ranked
    .filter((one) => one !== best && one.reason !== 'type')
    .map(({ flow, reason }) => ({ wfId: flow.wfId, wfName: flow.wfName, isChosen: false, why: reasonWords[reason] }))
  if (!best)
    return {
      initiator,
      flow: null,
      why: '没有适用的流程',
      others,
      nodes: [],
      blocks: ['没有适用的流程，提交会被拒绝：请为该范围新建流程，或设置默认流程'],
    }
  const stored = await storedSteps(ctx, [best.flow.wfId])
  const usual = await schoolSettings(ctx, ctx.actor.schoolId)
  const nodes = []
  for (const nodeName of nodesOfType[input.wfType]) {
    const own = stored.filter(({ wfsNodeName }) => wfsNodeName === nodeName)
    const planned = isStanding(nodeName)
      ? await planStanding(ctx, own.map(ruleOf), facts, input.credit)
      : await planStage(ctx, own.map(ruleOf), best.flow, factsAt(nodeName, facts), input.credit)
    nodes.push({
      nodeName,
      steps: planned.map((rule, at) => shown(rule, nodeName, own[at]!, usual, input.wfType, nameFor)),
    })
  }
  const blocks = nodes.flatMap(({ nodeName, steps }) =>
    steps
      .filter(({ fate }) => fate === 'block')
      .map(
        ({ stepName }) =>
          `${labelOf('wf_node', nodeName)}环节的“${stepName}”没有可用的审批人，${nodeName === flowNode.notice ? '登记质疑' : '提交'}会被拒绝`,
      ),
  )
  const { wfId, wfName, wfVersion } = best.flow
  return { initiator, flow: { wfId, wfName, wfVersion }, why: reasonWords[best.reason], others, nodes, blocks }
}

/** Whoever takes a question up does it for others: nobody is left out as its initiator. */
const factsAt = (nodeName: string, facts: SubjectFacts): SubjectFacts =>
  nodeName === flowNode.notice ? { ...facts, initiatorId: systemId } : facts

function shown(
  rule: PlannedRule,
  nodeName: string,
  stored: StoredStep,
  usual: TimeDefaults,
  wfType: string,
  nameFor: (person: Checker) => string,
): TrialStep {
  const fate =
    wfType === flowType.lesson &&
    openTypes.has(rule.wfsCheckerType) &&
    rule.fate !== 'unasked' &&
    rule.people.length === 0
      ? 'open'
      : rule.fate
  const isWaited = !isStanding(nodeName) && ['ask', 'self', 'later', 'admin', 'open'].includes(fate)
  return {
    stepName: rule.stepName,
    stepType: rule.stepType,
    checkerText: checkerWords(stored),
    people: rule.people.map((person) => ({ id: person.suId, name: nameFor(person) })),
    fate,
    note: isStanding(nodeName)
      ? standingNote(fate, nodeName, rule)
      : fateWords(fate, rule, nodeName === flowNode.notice),
    limit: isWaited ? limitWords(rule, stored.timeoutRole, usual) : '',
  }
}

/** What a step of a stage without approval says: who may act there beside the people of the course. */
function standingNote(fate: TrialStep['fate'], nodeName: string, rule: PlannedRule): string {
  const [owner, act] =
    nodeName === flowNode.signUp ? (['课程负责人', '审核报名'] as const) : (['签到负责人', '管理签到'] as const)
  if (fate === 'ask') return `可与${owner}一同${act}`
  if (fate === 'open') return '发布时按课程填写的老师确定'
  return fate === 'skip' ? `找不到人员，由${owner}${act}` : fateWords(fate, rule, false)
}

function limitWords(rule: PlannedRule, timeoutRole: string, { remindDays, escalateDays }: TimeDefaults): string {
  if (limitText(rule) === '') return `${remindDays} 个工作日未处理则催办，${escalateDays} 个工作日升级给校级管理员`
  const then =
    rule.timeoutAction === timeoutAction.escalate
      ? `升级给“${timeoutRole}”`
      : labelOf('timeout_action', rule.timeoutAction)
  return `${limitText(rule)}，超时${then}`
}
