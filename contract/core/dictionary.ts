import { entriesOf } from './codes/code-list.ts'
import * as outcomes from './codes/outcomes.ts'
import * as platform from './codes/platform.ts'
import * as programme from './codes/programme.ts'
import * as rules from './codes/rules.ts'
import * as teams from './codes/teams.ts'
import * as school from './codes/school.ts'

/**
 * The fixed dictionaries as the service gives them out: value and label, in the order shown. Names, values and labels
 * stand in `codes/`, one file for each part of the house. What a school may change, such as its levels, comes from its
 * own tables and is joined in by the dictionary call.
 */
export const dictionary = {
  lesson_status: entriesOf(programme.lessonStatus),
  lesson_phase: entriesOf(programme.lessonPhase),
  lesson_kind: entriesOf(programme.lessonKind),
  lesson_form: entriesOf(programme.lessonForm),
  form_scheme: entriesOf(rules.formScheme),
  item_category: entriesOf(programme.itemCategory),
  industry_field: entriesOf(programme.industryField),
  medical_category: entriesOf(rules.medicalCategory),
  lesson_label: entriesOf(rules.lessonLabel),
  cooperation_type: entriesOf(programme.cooperationType),
  project_stage: entriesOf(programme.projectStage),
  module_attr: entriesOf(programme.moduleAttr),
  apply_way: entriesOf(programme.applyWay),
  apply_unit: entriesOf(programme.applyUnit),
  quota_unit: entriesOf(teams.quotaUnit),
  team_status: entriesOf(teams.teamStatus),
  team_role: entriesOf(teams.teamRole),
  apply_status: entriesOf(programme.applyStatus),
  sign_type: entriesOf(programme.signType),
  sign_status: entriesOf(programme.signStatus),
  result_status: entriesOf(programme.resultStatus),
  partake_mode: entriesOf(programme.partakeMode),
  publicty_status: entriesOf(programme.publictyStatus),
  task_status: entriesOf(programme.taskStatus),
  approval_status: entriesOf(programme.approvalStatus),
  sup_type: entriesOf(programme.supplementType),
  sup_source: entriesOf(programme.supSource),
  sup_status: entriesOf(programme.supplementStatus),
  curriculum_type: entriesOf(rules.curriculumType),
  curriculum_icon: entriesOf(rules.curriculumIcon),
  sup_proof: entriesOf(rules.supProof),
  award_type: entriesOf(rules.awardType),
  award_tier: entriesOf(rules.awardTier),
  quota_type: entriesOf(rules.quotaType),
  wf_type: entriesOf(rules.flowType),
  wf_node: entriesOf(rules.flowNode),
  wf_step_type: entriesOf(rules.flowStepType),
  wf_checker_type: entriesOf(rules.flowCheckerType),
  no_approver_policy: entriesOf(rules.noApproverPolicy),
  timeout_action: entriesOf(rules.timeoutAction),
  reject_target: entriesOf(rules.rejectTarget),
  flow_status: entriesOf(rules.flowStatus),
  circle_star: entriesOf(programme.circleStar),
  study_years: entriesOf(school.studyYears),
  sex: entriesOf(school.personSex),
  political: entriesOf(school.politicalStatus),
  id_type: entriesOf(school.idDocument),
  student_status: entriesOf(school.studentStatus),
  teacher_status: entriesOf(school.teacherStatus),
  account_status: entriesOf(school.accountStatus),
  edu_level: entriesOf(school.eduLevel),
  teacher_title: entriesOf(school.teacherTitle),
  teacher_type: entriesOf(school.teacherType),
  department_type: entriesOf(school.departmentType),
  data_scope: entriesOf(school.dataScope),
  role_type: entriesOf(school.roleType),
  credit_type: entriesOf(programme.creditType),
  convert_from: entriesOf(rules.convertFrom),
  convert_to: entriesOf(rules.convertTo),
  convert_mode: entriesOf(rules.convertMode),
  rounding: entriesOf(rules.rounding),
  question_type: entriesOf(programme.questionType),
  question_status: entriesOf(programme.questionStatus),
  question_outcome: entriesOf(programme.questionOutcome),
  credibility_reason: entriesOf(programme.credibilityReason),
  enable_status: entriesOf(platform.enableStatus),
  yes_no: entriesOf(platform.yesNo),
  student_change_kind: entriesOf(school.studentChangeKind),
  student_change_cause: entriesOf(school.studentChangeCause),
  source_kind: entriesOf(school.sourceKind),
  source_way: entriesOf(school.sourceWay),
  source_format: entriesOf(school.sourceFormat),
  leaver_rule: entriesOf(school.leaverRule),
  source_run_status: entriesOf(school.sourceRunStatus),
  import_type: entriesOf(platform.importType),
  export_type: entriesOf(platform.exportType),
  import_verdict: entriesOf(platform.importVerdict),
  import_status: entriesOf(platform.importStatus),
  circle_status: entriesOf(programme.circleStatus),
  circle_auth_status: entriesOf(programme.circleAuthStatus),
  circle_apply_type: entriesOf(programme.circleApplyType),
  circle_member_role: entriesOf(programme.circleMemberRole),
  circle_level: entriesOf(programme.circleLevel),
  circle_join_mode: entriesOf(programme.circleJoinMode),
  circle_review: entriesOf(programme.circleReview),
  news_status: entriesOf(platform.newsStatus),
  news_class: entriesOf(platform.newsClass),
  key_state: entriesOf(platform.serviceKeyState),
  delivery_status: entriesOf(platform.deliveryStatus),
  message_channel: entriesOf(platform.messageChannel),
  message_kind: entriesOf(platform.messageKind),
  message_mode: entriesOf(platform.messageMode),
  mail_security: entriesOf(platform.mailSecurity),
  sms_method: entriesOf(platform.smsMethod),
  sms_body: entriesOf(platform.smsBody),
  user_by: entriesOf(platform.userBy),
  audit_kind: entriesOf(platform.auditKind),
  audit_result: entriesOf(platform.auditResult),
  year_verdict: entriesOf(outcomes.yearVerdict),
  warn_level: entriesOf(outcomes.warnLevel),
  help_way: entriesOf(outcomes.helpWay),
  msg_type: entriesOf(platform.messageType),
} as const satisfies Record<string, readonly (readonly [string, string])[]>

export type DictionaryType = keyof typeof dictionary
/** What an audit row is about. */
export type AuditKind = ValueOf<'audit_kind'>
type ValueOf<T extends DictionaryType> = (typeof dictionary)[T][number][0]

/** The values of a dictionary, for schemas: `pick('状态', valuesOf('sign_status'))`. */
export function valuesOf<T extends DictionaryType>(type: T) {
  return dictionary[type].map(([value]) => value) as unknown as readonly [ValueOf<T>, ...ValueOf<T>[]]
}
/** The label of a value, or the value itself where it is unknown. */
export const labelOf = (type: DictionaryType, value: string): string =>
  dictionary[type].find(([known]) => known === value)?.[1] ?? value
