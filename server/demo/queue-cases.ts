import { approvalStatus, taskStatus } from '../../contract/core/codes/programme.ts'
import { flowStepType } from '../../contract/core/codes/rules.ts'
import { addDays, addMinutes } from '../core/base/clock.ts'
import type { BizType } from '../programme/approvals/running.service.ts'
import type { DemoSchool } from './demo-school.ts'

/** Somebody who decides. */
export interface Decider {
  suId: string
  suiName: string
}

/** A step of an approval: its name in each kind of approval is the flow's; people decide it one after the other. */
export interface CaseStep {
  stepName: string
  /**
   * How the flow finds its people: 2 a role, 4 the league committee of the college, 6 the league secretary of the
   * class, 7 the counselor of the class.
   */
  wfsCheckerType: string
  by: Decider
}

export interface QueueCase {
  bizType: BizType
  bizId: string
  bizName: string
  summary: string
  flow: { wfId: string; wfName: string }
  steps: readonly CaseStep[]
  /** The step that the matter waits at, from 1; after the last one it has passed. */
  at: number
  /** Days that it has been waiting, or that ago it was decided. */
  days: number
  startBy: Decider
  scopeCollegeId: string | null
  /** People whom the matter concerns: they do not decide it. */
  barred?: string[]
}

const nodes = { publish: 'PUBLISH', result: 'RESULT', supplement: 'SUPPLEMENT', question: 'PUBLICITY' } as const
const agreed = ['材料齐全，同意', '情况属实，同意', '安排合理，同意', '已核对，通过']

/** The approval of a case with its tasks: those before the step it waits at are decided, the others not asked yet. */
export function caseRows({ schoolId, random, now }: DemoSchool, one: QueueCase) {
  const insId = random.id()
  const running = one.at <= one.steps.length
  const arrived = addMinutes(addDays(now, -one.days), -random.whole(10, 300))
  const startTime = addDays(arrived, -(one.at - 1))
  const approval = {
    schoolId,
    insId,
    bizType: one.bizType,
    bizId: one.bizId,
    bizName: one.bizName,
    summary: one.summary,
    ...one.flow,
    wfVersion: 1,
    nodeName: nodes[one.bizType],
    insStatus: running ? approvalStatus.running : approvalStatus.passed,
    stepSort: Math.min(one.at, one.steps.length),
    steps: one.steps.map(({ stepName, wfsCheckerType, by }, index) => ({
      stepSort: index + 1,
      stepName,
      stepType: flowStepType.anyOne,
      wfsCheckerType,
      checkers: [],
      noApproverPolicy: 'admin',
      timeoutHours: 72,
      people: [by],
    })),
    changes: [],
    facts: one.barred ? { initiatorId: one.startBy.suId, barred: one.barred } : {},
    startBy: one.startBy.suId,
    startName: one.startBy.suiName,
    scopeCollegeId: one.scopeCollegeId,
    startTime,
    endTime: running ? null : arrived,
    version: 0,
  }
  const tasks = one.steps.slice(0, one.at).map(({ stepName, by }, index) => {
    const isOpen = running && index + 1 === one.at
    const arriveTime = addDays(startTime, index)
    const handled = addDays(arriveTime, 1)
    return {
      schoolId,
      taskId: random.id(),
      insId,
      bizType: one.bizType,
      stepSort: index + 1,
      stepName,
      checkerId: by.suId,
      checkerName: by.suiName,
      taskStatus: isOpen ? taskStatus.pending : taskStatus.passed,
      arriveTime,
      dueTime: addDays(arriveTime, 3),
      handleTime: isOpen ? null : handled > now ? now : handled,
      opinion: isOpen ? '' : random.one(agreed),
    }
  })
  return { approval, tasks }
}
