import { isOneOf } from '../../contract/core/codes/code-list.ts'
import { approvalStatus, lessonStatus, taskStatus as taskStatusCodes } from '../../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType } from '../../contract/core/codes/rules.ts'
import { addDays } from '../core/base/clock.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoConfiguration } from './demo-configuration.ts'
import type { DemoTeacher } from './demo-people.ts'
import type { DemoLesson } from './demo-registrations.ts'
import type { DemoSchool } from './demo-school.ts'

interface People {
  accounts: DemoAccounts
  teachers: DemoTeacher[]
  configuration: DemoConfiguration
}

/** The approvals that the state of each course says it has gone through or waits in, with the tasks of their people. */
export async function demoApprovals(school: DemoSchool, lessons: DemoLesson[], people: People): Promise<void> {
  const approvals: Record<string, unknown>[] = []
  const tasks: Record<string, unknown>[] = []
  for (const lesson of lessons) {
    const { state, row } = lesson
    if (state === lessonStatus.draft) continue
    const publishState =
      state === lessonStatus.publishInReview ? 'running' : state === lessonStatus.publishRefused ? 'refused' : 'passed'
    add(
      school,
      lesson,
      people,
      'publish',
      publishState,
      state === lessonStatus.publishInReview
        ? addDays(school.now, -school.random.whole(0, 4))
        : addDays(row.createTime, 1),
      approvals,
      tasks,
    )
    if (
      isOneOf(
        state,
        lessonStatus.resultInReview,
        lessonStatus.resultRefused,
        lessonStatus.resultPassed,
        lessonStatus.inNotice,
        lessonStatus.completed,
        lessonStatus.archived,
      )
    ) {
      const resultState =
        state === lessonStatus.resultInReview ? 'running' : state === lessonStatus.resultRefused ? 'refused' : 'passed'
      add(
        school,
        lesson,
        people,
        'result',
        resultState,
        state === lessonStatus.resultInReview
          ? addDays(school.now, -school.random.whole(0, 4))
          : addDays(row.endTime, 1),
        approvals,
        tasks,
      )
    }
  }
  await bulkInsert(school.db, 'approval', approvals)
  await bulkInsert(school.db, 'approvalTask', tasks)
}

function add(
  { schoolId, random, now }: DemoSchool,
  lesson: DemoLesson,
  { accounts, teachers, configuration }: People,
  bizType: 'publish' | 'result',
  state: 'running' | 'passed' | 'refused',
  startTime: string,
  approvals: Record<string, unknown>[],
  tasks: Record<string, unknown>[],
): void {
  const { row } = lesson
  const small = ['6', '7', '8'].includes(String(row['liLevel']))
  const flow = small ? configuration.flows.college : configuration.flows.school
  const own = { suId: accounts.college, suiName: personas.college }
  const first =
    lesson.college === 0
      ? own
      : // the first teacher of a college is its league committee
        (teachers.find(({ college }) => college === lesson.college) ?? own)
  const steps = [
    {
      stepSort: 1,
      stepName: small ? '院系团委审批' : '院系团委初审',
      stepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.startersCollege,
      checkers: [],
      noApproverPolicy: 'admin',
      timeoutHours: 72,
      people: [{ suId: first.suId, suiName: first.suiName }],
    },
    ...(small
      ? []
      : [
          {
            stepSort: 2,
            stepName: '校团委终审',
            stepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.role,
            checkers: [],
            noApproverPolicy: 'admin',
            timeoutHours: 72,
            people: [{ suId: accounts.reviewer, suiName: personas.reviewer }],
          },
        ]),
  ]
  const at = state === 'running' ? random.whole(1, steps.length) : steps.length
  const insId = random.id()
  const endTime = state === 'running' ? null : addDays(startTime, steps.length)
  approvals.push({
    schoolId,
    insId,
    bizType,
    bizId: row.liId,
    bizName: row.liName,
    summary: `${lesson.levelName} · ${row.startTime.slice(0, 16)}`,
    ...flow,
    wfVersion: 1,
    nodeName: bizType === 'publish' ? 'PUBLISH' : 'RESULT',
    insStatus: { running: approvalStatus.running, passed: approvalStatus.passed, refused: approvalStatus.refused }[
      state
    ],
    stepSort: at,
    steps,
    changes: [],
    startBy: lesson.principal.suId,
    startName: lesson.principal.suiName,
    scopeCollegeId: row['liCollegeId'],
    startTime,
    endTime,
    version: 0,
  })
  for (const step of steps.slice(0, at)) {
    const last = step.stepSort === at
    const taskStatus =
      last && state === 'running'
        ? taskStatusCodes.pending
        : last && state === 'refused'
          ? taskStatusCodes.refused
          : taskStatusCodes.passed
    const arriveTime = addDays(startTime, step.stepSort - 1)
    tasks.push({
      schoolId,
      taskId: random.id(),
      insId,
      bizType,
      stepSort: step.stepSort,
      stepName: step.stepName,
      checkerId: step.people[0]!.suId,
      checkerName: step.people[0]!.suiName,
      taskStatus,
      arriveTime: arriveTime > now ? now : arriveTime,
      dueTime: addDays(arriveTime, 3),
      handleTime:
        taskStatus === taskStatusCodes.pending ? null : addDays(arriveTime, 1) > now ? now : addDays(arriveTime, 1),
      opinion:
        taskStatus === taskStatusCodes.refused
          ? '活动方案缺少安全预案，请补充后重新提交'
          : taskStatus === taskStatusCodes.passed
            ? '材料齐全，同意'
            : '',
    })
  }
}
