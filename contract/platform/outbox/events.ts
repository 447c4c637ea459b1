import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { personType, studentChangeCause, studentChangeKind } from '../../core/codes/school.ts'
import { issueStatus } from '../../core/codes/outcomes.ts'
import {
  applyStatus,
  creditType,
  lessonStatus,
  questionOutcome,
  questionStatus,
  questionType,
  signStatus,
  supplementStatus,
  supplementType,
} from '../../core/codes/programme.ts'

/**
 * What other systems are told of. An event says what happened to which record: ids, codes and public facts, and of a
 * person no more than number and name. Who needs more asks for it with a key of their own.
 */

const person = z
  .object({
    suId: z.string().meta({ description: '人员编号（本系统）' }),
    suiNumber: z.string().meta({ description: '学工号' }),
    suiName: z.string().meta({ description: '姓名' }),
  })
  .meta({ description: '所涉人员' })

const course = z.object({
  liId: z.string().meta({ description: '课程编号（本系统）' }),
  liNo: z.string().meta({ description: '课程号' }),
  liName: z.string().meta({ description: '课程名称' }),
  liStatus: z.enum(codesOf(lessonStatus)).meta({ description: '课程状态（字典 lesson_status）' }),
})

const participation = z.object({
  laId: z.string().meta({ description: '报名记录编号' }),
  laStatus: z.enum(codesOf(applyStatus)).meta({ description: '报名状态（字典 apply_status）' }),
  laSignStatus: z.enum(codesOf(signStatus)).meta({ description: '签到状态（字典 sign_status）' }),
  course,
  person,
})

const supplement = z.object({
  lisId: z.string().meta({ description: '补录编号' }),
  lisName: z.string().meta({ description: '补录名称' }),
  lisType: z.enum(codesOf(supplementType)).meta({ description: '补录类型（字典 sup_type）' }),
  lisStatus: z.enum(codesOf(supplementStatus)).meta({ description: '补录状态（字典 sup_status）' }),
  person,
})

/** Never who opened it: that stays with those who may see it. */
const dispute = z.object({
  qId: z.string().meta({ description: '质疑编号' }),
  liId: z.string().nullable().meta({ description: '所质疑的课程' }),
  lisId: z.string().nullable().meta({ description: '所质疑的补录' }),
  qType: z.enum(codesOf(questionType)).meta({ description: '质疑类型' }),
  qStatus: z.enum(codesOf(questionStatus)).meta({ description: '质疑状态' }),
  qOutcome: z.enum(codesOf(questionOutcome)).nullable().meta({ description: '处理结果' }),
})

const credit = z.object({
  source: z.string().meta({ description: '来源；SUP 为补录' }),
  bizId: z.string().meta({ description: '课程或补录的编号' }),
  bizName: z.string().meta({ description: '课程或补录的名称' }),
  entries: z.array(
    z.object({
      clId: z.string().meta({ description: '流水编号' }),
      clType: z.enum(codesOf(creditType)).meta({ description: '1 学时 2 学分 3 积分 4 志愿时长 5 能力分' }),
      moduleId: z.string().meta({ description: '所属模块' }),
      value: z.string().meta({ description: '数值，十进制文本；冲正为负' }),
    }),
  ),
  person,
})

const transcript = z.object({
  tiId: z.string().meta({ description: '出具记录编号' }),
  serial: z.string().meta({ description: '成绩单编号，可在核验页查询' }),
  tiStatus: z.enum(codesOf(issueStatus)).meta({ description: '1 有效 2 已被取代 3 已撤销' }),
  person,
})

/** A student's standing and place at a moment, with the names of then. */
export const studentState = z.object({
  status: z.string().meta({ description: '学籍状态（字典 student_status）' }),
  grade: z.string().nullable().meta({ description: '年级' }),
  collegeId: z.string().nullable().meta({ description: '学院编号' }),
  college: z.string().nullable().meta({ description: '学院' }),
  majorId: z.string().nullable().meta({ description: '专业编号' }),
  major: z.string().nullable().meta({ description: '专业' }),
  classId: z.string().nullable().meta({ description: '班级编号' }),
  class: z.string().nullable().meta({ description: '班级' }),
})

const studentChange = z.object({
  chId: z.string().meta({ description: '学籍异动编号' }),
  changeKind: z.enum(codesOf(studentChangeKind)).meta({ description: '异动类型（字典 student_change_kind）' }),
  changeCause: z.enum(codesOf(studentChangeCause)).meta({ description: '来由（字典 student_change_cause）' }),
  wasState: studentState.meta({ description: '异动前' }),
  newState: studentState.meta({ description: '异动后' }),
  person,
})

const member = z.object({
  suiType: z.enum(codesOf(personType)).meta({ description: '1 学生 2 教师 3 其他教职工' }),
  suiStatus: z.string().meta({ description: '学籍或在职状态' }),
  person,
})

/** Every kind of event: its name in Chinese and the schema of its `data`. Kinds are added and never change meaning. */
export const events = {
  'course.submitted': { label: '课程提交审批', data: course },
  'course.approved': { label: '课程审批通过', data: course },
  'course.refused': { label: '课程审批驳回', data: course },
  'course.published': { label: '课程发布', data: course },
  'course.takenDown': { label: '课程取消发布', data: course },
  'course.cancelled': { label: '课程取消或异常结项', data: course },
  'registration.accepted': { label: '报名通过', data: participation },
  'registration.cancelled': { label: '报名取消或移除', data: participation },
  'attendance.signedIn': { label: '签到', data: participation },
  'result.submitted': { label: '课程结果提交审批', data: course },
  'result.approved': { label: '课程结果审批通过', data: course },
  'result.refused': { label: '课程结果审批驳回', data: course },
  'publicity.begun': { label: '公示开始', data: course },
  'publicity.ended': { label: '公示结束', data: course },
  'dispute.opened': { label: '质疑登记', data: dispute },
  'dispute.settled': { label: '质疑办结', data: dispute },
  'credit.granted': { label: '学时学分入账', data: credit },
  'credit.reversed': { label: '学时学分冲正', data: credit },
  'supplement.submitted': { label: '补录提交审批', data: supplement },
  'supplement.approved': { label: '补录审批通过', data: supplement },
  'supplement.refused': { label: '补录审批驳回', data: supplement },
  'transcript.issued': { label: '成绩单出具', data: transcript },
  'transcript.revoked': { label: '成绩单撤销', data: transcript },
  'student.transferred': { label: '学生转院、转专业、转班或转年级', data: studentChange },
  'student.onLeave': { label: '学生休学、保留学籍或参军', data: studentChange },
  'student.returned': { label: '学生复学', data: studentChange },
  'student.withdrawn': { label: '学生退学', data: studentChange },
  'student.graduated': { label: '学生毕业', data: studentChange },
  'student.changeRevoked': { label: '学籍异动撤销', data: studentChange },
  'student.adjusted': { label: '学籍其他变动', data: studentChange },
  'person.added': { label: '人员加入', data: member },
  'person.left': { label: '人员离开', data: member },
} as const satisfies Record<string, { label: string; data: z.ZodType }>
export type EventKind = keyof typeof events
export const eventKinds = Object.keys(events) as [EventKind, ...EventKind[]]

/** The event of a test, which no subscription needs to ask for. */
export const pingKind = 'ping'

/** What a kind is called; the test is called so, too. */
export const eventLabel = (kind: string): string =>
  kind === pingKind ? '测试' : Object.hasOwn(events, kind) ? events[kind as EventKind].label : kind

/** The body of a delivery, as other systems receive it. */
export const eventBody = (kind: EventKind) =>
  z.object({
    type: z.literal(kind).meta({ description: events[kind].label }),
    timestamp: z.string().meta({ description: '事件发生时间，如 2026-11-25T08:00:00+08:00' }),
    data: events[kind].data,
  })
