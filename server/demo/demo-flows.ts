import { z } from 'zod'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { flowCheckerType, flowStatus, flowStepType, flowType, timeoutAction } from '../../contract/core/codes/rules.ts'
import { flowForm, type NodeName } from '../../contract/rules/workflow/workflow.schema.ts'
import { systemContext } from '../core/request/system.ts'
import { saveSample } from '../rules/workflow/samples.service.ts'
import { saveFlow } from '../rules/workflow/workflow-write.service.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import type { DemoSchool } from './demo-school.ts'

type Form = z.input<typeof flowForm>
type Step = Form['steps'][number]

const step = (
  wfsNodeName: NodeName,
  wfsStepName: string,
  wfsCheckerType: Step['wfsCheckerType'],
  checkers: string[] = [],
  more: Partial<Step> = {},
): Step => ({
  wfsNodeName,
  wfsStepName,
  wfsStepType: flowStepType.anyOne,
  wfsCheckerType,
  checkers,
  noApproverPolicy: 'admin',
  timeoutDays: 3,
  timeoutAction: timeoutAction.remind,
  ...more,
})

/**
 * The workflows of docs/rules.md R56 beside the standard ones, a draft, and sample cases; made through the services
 * that the console uses.
 */
export async function moreFlows(school: DemoSchool, { teacher, counselor, college }: DemoAccounts): Promise<void> {
  const { ctx, db, schoolId, start } = school
  const system = systemContext({ ...ctx, db }, schoolId)
  const admin = { ...system, actor: { ...system.actor, suId: start.adminId, suNickname: personas.admin } }
  const categories = await db
    .selectFrom('workflowCategory')
    .select(['wfcId', 'wfcName'])
    .where('schoolId', '=', schoolId)
    .execute()
  const departments = await db
    .selectFrom('department')
    .select(['sdId', 'sdName'])
    .where('schoolId', '=', schoolId)
    .execute()
  const wfcId = (name: string) => categories.find(({ wfcName }) => wfcName === name)!.wfcId
  const offices = (...names: string[]) =>
    departments.filter(({ sdName }) => names.includes(sdName)).map(({ sdId }) => sdId)
  const role = (code: string) => [start.roles[code]!]
  const save = (form: Form) => saveFlow(admin, flowForm.parse(form))
  await db
    .updateTable('workflow')
    .set({ levels: ['6'], wfDesc: '院级课程，由院系团委审批' })
    .where('schoolId', '=', schoolId)
    .where('wfName', '=', '院级课程流程')
    .execute()

  await save({
    wfName: '班级活动流程',
    wfIcon: 'class',
    wfDesc: '班级与团支部活动，辅导员审批',
    wfcId: wfcId('课程流程'),
    wfType: flowType.lesson,
    levels: ['7'],
    steps: [
      step('PUBLISH', '辅导员审批', flowCheckerType.counsellor),
      step('RESULT', '辅导员审核结果', flowCheckerType.counsellor),
      step('PUBLICITY', '辅导员处理质疑', flowCheckerType.counsellor),
    ],
  })
  await save({
    wfName: '社团课程流程',
    wfIcon: 'club',
    wfDesc: '社团发起的课程，指导老师、社团管理部、校团委依次审批；学分超过 1 分时另由学生工作处会签',
    wfcId: wfcId('课程流程'),
    wfType: flowType.lesson,
    levels: ['8'],
    steps: [
      step('PUBLISH', '圈子指导老师审批', flowCheckerType.circleTeacher, [], { noApproverPolicy: 'skip' }),
      step('PUBLISH', '社团管理部审批', flowCheckerType.role, role('CLUB_MGR')),
      step('PUBLISH', '校团委审批', flowCheckerType.role, role('SCHOOL_AUDIT'), {
        canReject: 'any',
        timeoutAction: timeoutAction.escalate,
        timeoutRoleId: start.roles['SCHOOL_ADMIN']!,
      }),
      step('PUBLISH', '学生工作处会签', flowCheckerType.department, offices('学生工作处'), {
        wfsStepType: flowStepType.everyone,
        minCredit: '1',
      }),
      step('RESULT', '社团管理部审核结果', flowCheckerType.role, role('CLUB_MGR')),
      step('PUBLICITY', '校团委处理质疑', flowCheckerType.role, role('SCHOOL_AUDIT')),
    ],
  })
  await save({
    wfName: '竞赛类补录流程',
    wfIcon: 'contest',
    wfDesc: '学科竞赛获奖的补录，教务处与创新创业学院会签',
    wfcId: wfcId('补录流程'),
    wfType: flowType.supplement,
    lsIds: [start.curriculum['CXCY/学科竞赛']!],
    steps: [
      step('SUPPLEMENT', '院系团委审核', flowCheckerType.startersCollege),
      step('SUPPLEMENT', '教务处与创新创业学院会签', flowCheckerType.department, offices('教务处', '创新创业学院'), {
        wfsStepType: flowStepType.everyone,
        allowAdd: yesNo.yes,
      }),
      step('PUBLICITY', '校团委处理质疑', flowCheckerType.role, role('SCHOOL_AUDIT')),
    ],
  })
  await save({
    wfName: '劳动实践补录流程',
    wfIcon: 'supplement',
    wfDesc: '劳动实践的补录，辅导员核实、院系团委审核',
    wfcId: wfcId('补录流程'),
    wfType: flowType.supplement,
    lsIds: [start.curriculum['LDJY']!],
    steps: [
      step('SUPPLEMENT', '辅导员核实', flowCheckerType.counsellor),
      step('SUPPLEMENT', '院系团委审核', flowCheckerType.startersCollege),
    ],
  })
  await save({
    wfName: '志愿服务快速流程',
    wfIcon: 'volunteer',
    wfDesc: '拟试行：志愿服务由指导老师一级审批',
    wfcId: wfcId('课程流程'),
    wfType: flowType.lesson,
    wfStatus: flowStatus.draft,
    lsIds: [start.curriculum['ZYGY']!],
    levels: ['6'],
    steps: [step('PUBLISH', '指导老师审批', flowCheckerType.teacher)],
  })

  const lecture = { wfType: flowType.lesson, lsId: start.curriculum['SXCL/理论宣讲']!, credit: 20 }
  await saveSample(admin, { ...lecture, wsName: '指导老师发起校级讲座', suId: teacher, liLevel: '5' })
  await saveSample(admin, { ...lecture, wsName: '院系团委发起院级讲座', suId: college, liLevel: '6' })
  await saveSample(admin, { ...lecture, wsName: '辅导员发起班级活动', suId: counselor, liLevel: '7', credit: 0 })
}
