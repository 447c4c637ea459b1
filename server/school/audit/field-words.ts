import { z } from 'zod'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { circleApi, circleClassApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { Api } from '../../../contract/core/call.ts'
import type { AuditKind, DictionaryType } from '../../../contract/core/dictionary.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { modelApi } from '../../../contract/rules/labels/model.calls.ts'
import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import { fieldsTelling } from '../../../contract/programme/lessons/lesson-fields.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { newsApi, newsTypeApi } from '../../../contract/platform/news/news.calls.ts'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { channelApi } from '../../../contract/school/channels/channels.calls.ts'
import { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { settingKeys, settings } from '../../../contract/school/school/settings.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { RefKind } from './names.queries.ts'

/**
 * The calls whose forms name the fields of a kind of record. A kind that is not here shows only the fields named below.
 */
const forms: Partial<Record<AuditKind, readonly Api[]>> = {
  school: [schoolInfoApi],
  importSource: [sourceApi],
  messageChannel: [channelApi],
  term: [schoolInfoApi],
  lesson: [approvalActionApi, approvalApi, admissionApi, registrationApi, lessonApi],
  supplement: [approvalActionApi, approvalApi, supplementApi],
  role: [memberApi, roleApi],
  college: [collegeApi],
  major: [majorApi],
  schoolClass: [classApi],
  department: [departmentApi],
  question: [approvalApi, disputeApi],
  curriculum: [curriculumApi],
  evaluation: [evaluationApi],
  qualityLabel: [labelApi],
  qualityModel: [modelApi],
  awardTemplate: [awardApi],
  workflow: [trialApi, workflowApi],
  delegation: [approvalActionApi],
  workflowCategory: [workflowApi],
  circle: [circleApplyApi, circleApi],
  circleClass: [circleClassApi],
  news: [newsApi],
  newsType: [newsTypeApi],
}

/** Names of what audit rows tell beside the fields of a form. */
const further: Record<string, string> = {
  lisStatus: '状态',
  lisPublictyStatus: '公示状态',
  lisPublictySdate: '公示开始',
  lisPublictyEdate: '公示结束',
  liNo: '课程编号',
  liStatus: '状态',
  liExt: '扩展信息',
  teacherIds: '指导老师',
  signerIds: '签到负责人',
  liAttachments: '附件',
  rangeColleges: '报名学院',
  rangeGrades: '报名年级',
  signType: '签到方式',
  sessions: '场次',
  resultSummary: '结果小结',
  target: '被质疑人',
  proofs: '证明材料数',
  qStatus: '质疑状态',
  qOutcome: '处理结果',
  beforeResult: '原结果',
  afterResult: '更正后结果',
  creditDelta: '学时变动',
  credibilityDelta: '诚信分变动',
  rangeMajors: '限定专业',
  rangeClasses: '限定班级',
  quotaByCollege: '学院名额',
  digest: '种子摘要',
  seed: '种子',
  entrants: '参加抽签人数',
  lseNo: '场次',
  signTime: '签到时间',
  direction: '方向',
  people: '人员',
  teamName: '队伍',
  teamNameBefore: '原队名',
  unrated: '须重新评定人数',
  suIds: '人员',
  团支书: '团支书',
  area: '管理范围',
  relations: '所在部门',
  敏感信息: '修改了敏感信息',
  查看内容: '查看内容',
  查找方式: '查找方式',
  找到: '找到',
  比对: '比对',
  step: '审批步骤',
  state: '审批结果',
  checker: '审批人',
  behalf: '代理',
  entries: '入账条数',
  absent: '缺席人数',
  place: '位置',
  parent: '上级',
  group: '所属分组',
  template: '模板',
  checkers: '审批人',
  suiCredibility: '诚信分',
  blackUntil: '暂停报名至',
  restoredPeople: '恢复人数',
  restoredPoints: '恢复分值',
  studentCount: '学生人数',
  metCount: '达标人数',
  graduateCount: '毕业人数',
  delayCount: '延期人数',
  keptCount: '未恢复人数',
  ciNo: '圈子编号',
  ciAuthStatus: '审核状态',
  cmRole: '职务',
  cancelReason: '取消发布原因',
  niStatus: '状态',
  ciStatus: '状态',
  new: '新增行数',
  update: '更新行数',
  skipped: '跳过行数',
  rows: '行数',
  whole: '完整',
  fields: '列',
  filter: '筛选条件',
  sha256: '文件指纹',
  receivers: '收件人数',
  serial: '成绩单编号',
  size: '大小',
  wfVersion: '流程版本',
  startTime: '开始时间',
  endTime: '结束时间',
  messages: '消息数',
  signIns: '登录地址数',
  signPlaces: '活动签到位置数',
  imports: '导入记录数',
  passwords: '旧密码数',
}

/** The dictionary that has the words for a field's values. */
export const dictionaryOf: Readonly<Record<string, DictionaryType>> = {
  ...Object.fromEntries(fieldsTelling('dictionary')),
  ...Object.fromEntries(
    fieldsTelling('stored').flatMap(([field, stored]) => (stored === 'flag' ? [[field, 'yes_no' as const]] : [])),
  ),
  lisStatus: 'sup_status',
  lisType: 'sup_type',
  lisPartakeMode: 'partake_mode',
  lisPublictyStatus: 'publicty_status',
  liStatus: 'lesson_status',
  laStatus: 'apply_status',
  laSignStatus: 'sign_status',
  laResult: 'result_status',
  partakeMode: 'partake_mode',
  suiSex: 'sex',
  suiPolitical: 'political',
  suiIdType: 'id_type',
  suiEduLevel: 'edu_level',
  eduLevel: 'edu_level',
  suStatus: 'account_status',
  title: 'teacher_title',
  teacherType: 'teacher_type',
  sdType: 'department_type',
  isGuideUnit: 'yes_no',
  qType: 'question_type',
  qStatus: 'question_status',
  qOutcome: 'question_outcome',
  dataScope: 'data_scope',
  enable: 'enable_status',
  wfStatus: 'flow_status',
  canReject: 'reject_target',
  allowTransfer: 'yes_no',
  allowAdd: 'yes_no',
  selfPass: 'yes_no',
  needCreditOnly: 'yes_no',
  wfType: 'wf_type',
  wfsNodeName: 'wf_node',
  wfsStepType: 'wf_step_type',
  wfsCheckerType: 'wf_checker_type',
  noApproverPolicy: 'no_approver_policy',
  timeoutAction: 'timeout_action',
  ciLevel: 'circle_level',
  ciStatus: 'circle_status',
  ciAuthStatus: 'circle_auth_status',
  joinMode: 'circle_join_mode',
  caType: 'circle_apply_type',
  crResult: 'circle_review',
  crStar: 'circle_star',
  niClass: 'news_class',
  niStatus: 'news_status',
  niIsShow: 'yes_no',
  niTop: 'yes_no',
  lsIcon: 'curriculum_icon',
  allowSup: 'yes_no',
  supProofs: 'sup_proof',
  adLevel: 'award_tier',
  lsType: 'curriculum_type',
  required: 'yes_no',
  atType: 'award_type',
  quotaType: 'quota_type',
  needProof: 'yes_no',
  isDefault: 'yes_no',
  isGydx: 'enable_status',
  isYkdx: 'enable_status',
}

/** What the ids of a field are ids of. */
export const referenceOf: Readonly<Record<string, RefKind>> = {
  ...Object.fromEntries(fieldsTelling('refersTo')),
  scId: 'college',
  scIds: 'college',
  suiCollegeId: 'college',
  rangeMajors: 'major',
  rangeClasses: 'schoolClass',
  smId: 'major',
  smIds: 'major',
  majorId: 'major',
  scClassId: 'schoolClass',
  scClassIds: 'schoolClass',
  sdId: 'department',
  sdIds: 'department',
  sdPid: 'department',
  suId: 'person',
  suIds: 'person',
  people: 'person',
  counselorId: 'person',
  headTeacherId: 'person',
  sdLeaderId: 'person',
  srId: 'role',
  roleIds: 'role',
  ownerRoleId: 'role',
  timeoutRoleId: 'role',
  agentId: 'person',
  lsId: 'curriculum',
  lsIds: 'curriculum',
  lsPid: 'curriculum',
  lisLevel: 'level',
  lisProofs: 'file',
  esLessonLevel: 'level',
  levels: 'level',
  allowLevels: 'level',
  level: 'level',
  sqlId: 'label',
  sqlPid: 'label',
  ciClass: 'circleClass',
  ciCollegeId: 'college',
  guideUnitId: 'department',
  cpiPersonId: 'person',
  personIds: 'person',
  charterFile: 'file',
  imgList: 'file',
  ntId: 'newsType',
  relIds: 'news',
  niCover: 'file',
  attachments: 'file',
  materials: 'file',
  atId: 'awardTemplate',
  adId: 'award',
  esId: 'evaluation',
  wfcId: 'workflowCategory',
  logoFileId: 'file',
  badgeFileId: 'file',
  sealFileId: 'file',
  loginBgFileId: 'file',
  checkers: 'checker',
}

/** What stands for a record's own state or place in the database rather than for anything a person entered. */
const unspoken = new Set([
  'version',
  'schoolId',
  'createBy',
  'updateBy',
  'createName',
  'createTime',
  'updateTime',
  'delFlag',
])

export interface FieldWord {
  label: string
  /** Stored as whole hundredths. */
  amount: boolean
}

const known = new Map<string, ReadonlyMap<string, FieldWord>>()

/**
 * The words for the fields of a kind of record, as its forms have them. Students and teachers are one kind and have a
 * form each; the action tells which of them was used.
 */
export function wordsFor(bizType: string, action: string): ReadonlyMap<string, FieldWord> {
  const variant = bizType === 'person' && action.includes('教师') ? 'teacher' : bizType
  let words = known.get(variant)
  if (!words)
    known.set(
      variant,
      (words =
        variant === 'settings'
          ? new Map(settingKeys.map((key) => [key, { label: settings[key].label, amount: false }]))
          : gather(apisOf(variant))),
    )
  return words
}

const apisOf = (variant: string): readonly Api[] =>
  variant === 'person'
    ? [teacherApi, studentApi]
    : variant === 'teacher'
      ? [studentApi, teacherApi]
      : (forms[variant as AuditKind] ?? [])

type Described = {
  label?: string
  amount?: boolean
  properties?: Record<string, Described>
  items?: Described
  anyOf?: Described[]
}

function gather(apis: readonly Api[]): Map<string, FieldWord> {
  const words = new Map<string, FieldWord>()
  // a field of the form itself goes before one of the same name in its rows
  const look = ({ properties = {}, items, anyOf = [] }: Described, isRow: boolean): void => {
    for (const [name, field] of Object.entries(properties)) {
      look(field, true)
      if (field.label && !unspoken.has(name) && !(isRow && words.has(name)))
        words.set(name, { label: field.label, amount: field.amount === true })
    }
    for (const inner of [...(items ? [items] : []), ...anyOf]) look(inner, true)
  }
  for (const call of apis.flatMap((api) => Object.values(api)))
    if (call.writes) look(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Described, false)
  for (const [name, label] of Object.entries(further)) words.set(name, { label, amount: false })
  return words
}
