import { flowCheckerType, flowStepType, flowType } from '../../contract/core/codes/rules.ts'
import { workflowApi } from '../../contract/rules/workflow/workflow.calls.ts'
import { newId } from '../core/base/ids.ts'
import { unique, type TestSchool } from './school.ts'

/** A category of its own. */
export const category = async (school: TestSchool) =>
  (await school.admin.send(workflowApi.saveType, { wfcName: `分类${unique()}`, wfcSort: 9 })).wfcId
/** Three steps in two stages. */
export const steps = (school: TestSchool) => [
  {
    wfsNodeName: 'PUBLISH' as const,
    wfsStepName: '院系初审',
    wfsStepType: flowStepType.anyOne,
    wfsCheckerType: flowCheckerType.startersCollege,
  },
  {
    wfsNodeName: 'PUBLISH' as const,
    wfsStepName: '校团委终审',
    wfsStepType: flowStepType.everyone,
    wfsCheckerType: flowCheckerType.role,
    checkers: [school.roles['SCHOOL_AUDIT']!, school.roles['SCHOOL_ADMIN']!],
  },
  {
    wfsNodeName: 'RESULT' as const,
    wfsStepName: '结果审核',
    wfsStepType: flowStepType.anyOne,
    wfsCheckerType: flowCheckerType.people,
    checkers: [school.adminId],
    timeoutHours: 72,
  },
]
/** A whole form of a flow for courses. */
export const formOf = async (school: TestSchool, more: object = {}) => ({
  wfName: `流程${unique()}`,
  wfcId: await category(school),
  wfType: flowType.lesson,
  steps: steps(school),
  ...more,
})
/** What the editor would send back for a stored flow. */
export async function storedForm(school: TestSchool, wfId: string) {
  const { flow } = await school.admin.send(workflowApi.editInit, { wfId })
  const { wfVersion: _, ranges: _told, steps: rows, isDefault, ...rest } = flow
  return {
    ...rest,
    wfId,
    wfcId: flow.wfcId!,
    wfStatus: flow.wfStatus as '1',
    isDefault,
    steps: rows.map(
      ({ checkerNames: __, details: ___, timeoutHours, timeoutDays, timeoutRoleId, minCredit, ...step }) => ({
        ...step,
        timeoutHours: timeoutHours ?? undefined,
        timeoutDays: timeoutDays ?? undefined,
        timeoutRoleId: timeoutRoleId ?? undefined,
        minCredit: minCredit ?? undefined,
      }),
    ),
  }
}
/** An approval that runs by the first version of a flow. */
export async function runApproval(school: TestSchool, wfId: string) {
  const insId = newId()
  await school.services.db
    .insertInto('approval')
    .values({
      schoolId: school.schoolId,
      insId,
      bizType: 'publish',
      bizId: newId(),
      bizName: '课程',
      wfId,
      wfName: '流程',
      wfVersion: 1,
      nodeName: 'PUBLISH',
      steps: JSON.stringify([]),
      startBy: school.adminId,
      startName: '管理员',
    } as never)
    .execute()
  return insId
}
