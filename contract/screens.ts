import { approvalActionApi } from './programme/approvals/actions.calls.ts'
import { approvalApi, lessonCaseApi } from './programme/approvals/approvals.calls.ts'
import { auditApi } from './school/audit/audit.calls.ts'
import { awardApi } from './rules/awards/awards.calls.ts'
import { circleApplyApi } from './programme/circles/applications.calls.ts'
import { circleApi, circleClassApi } from './programme/circles/circles.calls.ts'
import type { Call } from './core/call.ts'
import { curriculumApi } from './rules/curriculum/curriculum.calls.ts'
import { scoringApi } from './rules/evaluation/scoring.calls.ts'
import { evaluationApi } from './rules/evaluation/evaluation.calls.ts'
import { graduationApi } from './outcomes/graduation/graduation.calls.ts'
import { personErasureApi } from './outcomes/graduation/person-erasure.calls.ts'
import { labelApi } from './rules/labels/labels.calls.ts'
import { noShowApi } from './programme/lessons/no-shows.calls.ts'
import { modelApi, modelPreviewApi } from './rules/labels/model.calls.ts'
import { overCapApi } from './programme/credits/over-cap.calls.ts'
import { lessonApi } from './programme/lessons/lessons.calls.ts'
import { personLessonApi } from './programme/lessons/person-lessons.calls.ts'
import { admissionApi } from './programme/lessons/admission.calls.ts'
import { signingApi } from './programme/lessons/signing.calls.ts'
import { registrationApi } from './programme/lessons/registration.calls.ts'
import { teamApi } from './programme/lessons/teams.calls.ts'
import { messageApi } from './school/messages/messages.calls.ts'
import { newsApi, newsTypeApi } from './platform/news/news.calls.ts'
import { classApi } from './school/organisation/classes.calls.ts'
import { collegeApi } from './school/organisation/colleges.calls.ts'
import { departmentApi } from './school/organisation/departments.calls.ts'
import { majorApi } from './school/organisation/majors.calls.ts'
import { credibilityApi } from './school/people/credibility.calls.ts'
import { passwordApi } from './school/people/passwords.calls.ts'
import { piiApi } from './school/people/pii.calls.ts'
import { studentApi } from './school/people/students.calls.ts'
import { teacherApi } from './school/people/teachers.calls.ts'
import { disputeApi } from './programme/disputes/disputes.calls.ts'
import { accessApi } from './school/roles/access.calls.ts'
import { memberApi } from './school/roles/members.calls.ts'
import { roleApi } from './school/roles/roles.calls.ts'
import { schoolInfoApi } from './school/school/school-info.calls.ts'
import { supplementApi } from './programme/supplements/supplements.calls.ts'
import { calendarFeedApi } from './programme/personal/calendar-feeds.calls.ts'
import { personalApi } from './programme/personal/personal.calls.ts'
import { accountAccessApi } from './school/session/account-access.calls.ts'
import { noticeApi } from './school/session/notice.calls.ts'
import { ownSessionApi } from './school/session/own-sessions.calls.ts'
import { secondFactorApi } from './school/session/second-factor.calls.ts'
import { sessionApi } from './school/session/session.calls.ts'
import { reportApi } from './outcomes/reports/reports.calls.ts'
import { abilityStatApi } from './outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from './outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from './outcomes/statistics/lesson-statistics.calls.ts'
import { loginStatApi } from './outcomes/statistics/login-statistics.calls.ts'
import { provinceApi } from './outcomes/province/province.calls.ts'
import { studentStatApi } from './outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from './outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from './outcomes/statistics/teacher-statistics.calls.ts'
import { transformationApi } from './rules/transformation/transformation.calls.ts'
import { thresholdApi } from './outcomes/thresholds/thresholds.calls.ts'
import { issueApi } from './outcomes/transcripts/issues.calls.ts'
import { scoreExportApi } from './outcomes/transcripts/score-export.calls.ts'
import { transcriptApi } from './outcomes/transcripts/transcripts.calls.ts'
import { sourceApi } from './school/sources/sources.calls.ts'
import { messagePreferenceApi, messageTextApi } from './school/channels/message-texts.calls.ts'
import { channelApi } from './school/channels/channels.calls.ts'
import { serviceKeyApi } from './school/integration/keys.calls.ts'
import { webhookApi } from './school/integration/webhooks.calls.ts'
import { bindingApi } from './school/identity/bindings.calls.ts'
import { identityApi } from './school/identity/identity.calls.ts'
import { runtimeApi } from './school/runtime/runtime.calls.ts'
import { operatorApi } from './school/runtime/schools.calls.ts'
import { trialApi } from './rules/workflow/trial.calls.ts'
import { workflowApi } from './rules/workflow/workflow.calls.ts'

/** The menu's groups in their order. */
export const screenGroups = [
  '首页',
  '成绩单',
  '基础配置',
  '课程管理',
  '审批管理',
  '人员管理',
  '圈子管理',
  '新闻管理',
  '统计分析',
  '系统集成',
  '个人中心',
] as const

/**
 * A screen: its literal route, its title, and the calls it lives on. `needs` is the call without which it makes no
 * sense (its right is the right to open the screen); `actions` are the calls behind its buttons.
 */
export interface Screen {
  path: string
  title: string
  group: (typeof screenGroups)[number]
  /** Reachable, not in the menu. */
  hidden?: boolean
  needs: Call
  actions: readonly Call[]
}

const lessonActions = [
  lessonApi.save,
  lessonApi.submit,
  lessonApi.withdraw,
  lessonApi.del,
  lessonApi.purge,
  lessonApi.publish,
  lessonApi.unpublish,
  lessonApi.cancel,
  lessonApi.resultAudit,
  lessonApi.publicty,
  lessonApi.unpublicty,
  lessonApi.signPrincipalAdd,
  lessonApi.codePackage,
  lessonApi.export,
  lessonApi.exit,
]
const participantActions = [
  registrationApi.add,
  registrationApi.pass,
  registrationApi.refuse,
  registrationApi.remove,
  registrationApi.sign,
  registrationApi.setAward,
  registrationApi.export,
  teamApi.exportList,
  lessonApi.signPrincipalAdd,
  lessonApi.codePackage,
  lessonApi.resultAudit,
  admissionApi.saveRules,
  admissionApi.draw,
  admissionApi.drawSheet,
  admissionApi.cancel,
  admissionApi.leave,
  signingApi.board,
  signingApi.scan,
]

const questionActions = [
  disputeApi.add,
  disputeApi.accept,
  disputeApi.setQAward,
  disputeApi.abnormal,
  disputeApi.reporter,
  disputeApi.export,
  supplementApi.list,
]
const circleActions = [
  circleApi.list,
  circleApi.exportList,
  circleApi.add,
  circleApi.enable,
  circleApi.remove,
  circleApplyApi.pass,
  circleClassApi.add,
  lessonApi.view,
]
const newsActions = [newsApi.list, newsApi.add, newsApi.publish, newsApi.remove, newsTypeApi.add]

const flowActions = [workflowApi.list, workflowApi.save, workflowApi.remove]
const trialActions = [workflowApi.list, trialApi.saveSample]
const evaluationActions = [
  evaluationApi.all,
  evaluationApi.edit,
  evaluationApi.remove,
  evaluationApi.saveLevels,
  scoringApi.whatIf,
]

const supplementActions = [
  supplementApi.list,
  supplementApi.save,
  supplementApi.publicise,
  supplementApi.correct,
  supplementApi.exportList,
  disputeApi.add,
  disputeApi.list,
]

const studentActions = [
  studentApi.list,
  studentApi.exportList,
  studentApi.save,
  studentApi.remove,
  accountAccessApi.signOutStudent,
  accountAccessApi.resetStudentFactor,
  passwordApi.reset,
  piiApi.unmask,
  piiApi.find,
  memberApi.list,
  memberApi.appointSecretary,
  transcriptApi.header,
  accessApi.view,
  scoreExportApi.export,
  credibilityApi.update,
  noShowApi.list,
  graduationApi.preview,
  personErasureApi.erase,
  lessonApi.list,
  circleApi.list,
]
const teacherActions = [
  teacherApi.list,
  teacherApi.exportList,
  teacherApi.save,
  teacherApi.remove,
  accountAccessApi.signOutTeacher,
  accountAccessApi.resetTeacherFactor,
  piiApi.unmask,
  piiApi.find,
  memberApi.list,
  accessApi.view,
  personErasureApi.erase,
]
const roleActions = [roleApi.list, roleApi.exportList, roleApi.save, roleApi.remove, memberApi.add]

/** Every screen behind the sign-in. The menu, the router, the breadcrumb and the role editor read this one table. */
export const screens = [
  { path: '/home', title: '首页', group: '首页', needs: sessionApi.menuTree, actions: [] },

  {
    path: '/transcript/transcriptList',
    title: '成绩单查看',
    group: '成绩单',
    needs: transcriptApi.list,
    actions: [
      transcriptApi.export,
      scoreExportApi.export,
      issueApi.exportList,
      issueApi.revoke,
      issueApi.keys,
      issueApi.rotate,
    ],
  },
  {
    path: '/transcript/transcriptDetail',
    title: '成绩单详情',
    group: '成绩单',
    hidden: true,
    needs: transcriptApi.header,
    actions: [transcriptApi.export, overCapApi.raise],
  },

  {
    path: '/basicConfig/quality',
    title: '素质标签',
    group: '基础配置',
    needs: labelApi.all,
    actions: [labelApi.edit, evaluationApi.edit],
  },
  {
    path: '/basicConfig/CurriculumSystem',
    title: '课程体系',
    group: '基础配置',
    needs: curriculumApi.getEdit,
    actions: [
      curriculumApi.edit,
      curriculumApi.del,
      lessonApi.view,
      evaluationApi.all,
      workflowApi.list,
      memberApi.list,
    ],
  },
  {
    path: '/basicConfig/ProcessManagement',
    title: '流程管理',
    group: '基础配置',
    needs: workflowApi.list,
    actions: flowActions,
  },
  {
    path: '/basicConfig/ProcessManagement/AddProcessManagement',
    title: '新增流程',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    actions: flowActions,
  },
  {
    path: '/basicConfig/ProcessManagement/editProcessManagement',
    title: '编辑流程',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    actions: flowActions,
  },
  {
    path: '/basicConfig/ProcessManagement/CloneProcessManagement',
    title: '克隆流程',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    actions: flowActions,
  },
  {
    path: '/basicConfig/ProcessManagement/CoverageMap',
    title: '流程覆盖图',
    group: '基础配置',
    hidden: true,
    needs: trialApi.coverage,
    actions: trialActions,
  },
  {
    path: '/basicConfig/ProcessManagement/FlowSandbox',
    title: '流程沙盘',
    group: '基础配置',
    hidden: true,
    needs: trialApi.sandbox,
    actions: trialActions,
  },
  {
    path: '/basicConfig/EvaluationSystem',
    title: '评价体系',
    group: '基础配置',
    needs: evaluationApi.all,
    actions: evaluationActions,
  },
  {
    path: '/basicConfig/EvaluationSystem/AddEvaluationSystem',
    title: '新增评价体系',
    group: '基础配置',
    hidden: true,
    needs: evaluationApi.add,
    actions: evaluationActions,
  },
  {
    path: '/basicConfig/EvaluationSystem/EditEvaluationSystem',
    title: '编辑评价体系',
    group: '基础配置',
    hidden: true,
    needs: evaluationApi.edit,
    actions: evaluationActions,
  },
  {
    path: '/basicConfig/Transformation',
    title: '转换规则',
    group: '基础配置',
    needs: transformationApi.all,
    actions: [transformationApi.edit],
  },
  {
    path: '/basicConfig/addStepsSet',
    title: '步骤设置',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    actions: flowActions,
  },
  {
    path: '/basicConfig/schoolInfo',
    title: '学校信息',
    group: '基础配置',
    needs: schoolInfoApi.profile,
    actions: [schoolInfoApi.saveProfile, schoolInfoApi.seal, accountAccessApi.signOutEverybody, noticeApi.publish],
  },
  {
    path: '/basicConfig/schoolInfo/provinceFigures',
    title: '提供给全省的数字',
    group: '基础配置',
    hidden: true,
    needs: provinceApi.own,
    actions: [],
  },
  {
    path: '/basicConfig/auditLog',
    title: '操作日志',
    group: '基础配置',
    needs: auditApi.list,
    actions: [auditApi.exportList, auditApi.verify],
  },
  {
    path: '/basicConfig/runtimeStatus',
    title: '运行状态',
    group: '基础配置',
    needs: runtimeApi.overview,
    actions: [runtimeApi.retry, runtimeApi.diagnostics],
  },
  {
    path: '/basicConfig/schools',
    title: '学校管理',
    group: '基础配置',
    needs: operatorApi.schools,
    actions: [operatorApi.suspend, operatorApi.resume, operatorApi.quota, operatorApi.add],
  },

  {
    path: '/courseManagement/CurriculumList',
    title: '课程列表',
    group: '课程管理',
    needs: lessonApi.view,
    actions: lessonActions,
  },
  {
    path: '/courseManagement/CurriculumList/Participants',
    title: '参与人员',
    group: '课程管理',
    hidden: true,
    needs: registrationApi.view,
    actions: participantActions,
  },
  {
    path: '/courseManagement/CurriculumList/SignBoard',
    title: '签到大屏',
    group: '课程管理',
    hidden: true,
    needs: signingApi.board,
    actions: [signingApi.scan],
  },
  {
    path: '/courseManagement/addCurriculumList',
    title: '新增课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.save,
    actions: [lessonApi.save],
  },
  {
    path: '/courseManagement/editCurriculumList',
    title: '编辑课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.edit,
    actions: [lessonApi.save],
  },
  {
    path: '/courseManagement/addIndustryCurriculumList',
    title: '新增行业课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.save,
    actions: [lessonApi.save],
  },
  {
    path: '/courseManagement/editIndustryCurriculumList',
    title: '编辑行业课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.edit,
    actions: [lessonApi.save],
  },
  {
    path: '/courseManagement/detailIndustryCurriculumList',
    title: '行业课程详情',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.details,
    actions: [...lessonActions, ...participantActions, credibilityApi.restoreByLesson, approvalActionApi.terminate],
  },
  {
    path: '/courseManagement/detailCurriculumList',
    title: '课程详情',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.details,
    actions: [...lessonActions, ...participantActions, credibilityApi.restoreByLesson, approvalActionApi.terminate],
  },
  {
    path: '/courseManagement/Question',
    title: '质疑举报课程',
    group: '课程管理',
    needs: disputeApi.lessons,
    actions: [disputeApi.add, disputeApi.export, supplementApi.list],
  },
  {
    path: '/courseManagement/Question/QuestionPersonnel',
    title: '质疑人员',
    group: '课程管理',
    hidden: true,
    needs: disputeApi.list,
    actions: questionActions,
  },
  {
    path: '/courseManagement/Question/QuestionDetail',
    title: '质疑详情',
    group: '课程管理',
    hidden: true,
    needs: disputeApi.detail,
    actions: [...questionActions, approvalActionApi.terminate],
  },
  {
    path: '/courseManagement/RecordingCourse',
    title: '补录课程',
    group: '课程管理',
    needs: supplementApi.list,
    actions: supplementActions,
  },
  {
    path: '/courseManagement/RecordingCourse/add',
    title: '新增补录',
    group: '课程管理',
    hidden: true,
    needs: supplementApi.save,
    actions: supplementActions,
  },
  {
    path: '/courseManagement/RecordingCourse/edit',
    title: '编辑补录',
    group: '课程管理',
    hidden: true,
    needs: supplementApi.save,
    actions: supplementActions,
  },
  {
    path: '/courseManagement/RecordingCourse/detail',
    title: '补录详情',
    group: '课程管理',
    hidden: true,
    needs: supplementApi.list,
    actions: [...supplementActions, supplementApi.recheckCredential, approvalActionApi.terminate],
  },
  {
    path: '/courseManagement/RecordingCourse/publicty',
    title: '补录公示名单',
    group: '课程管理',
    hidden: true,
    needs: supplementApi.publictyList,
    actions: [disputeApi.add],
  },
  {
    path: '/courseManagement/Reward',
    title: '奖励模板',
    group: '课程管理',
    needs: awardApi.list,
    actions: [awardApi.edit, awardApi.remove, lessonApi.view],
  },

  {
    path: '/checkAdmin/publishCheck',
    title: '发布审批',
    group: '审批管理',
    needs: approvalApi.publishQueue,
    actions: [
      approvalApi.publishPass,
      approvalApi.publishRefuse,
      approvalApi.publishExport,
      approvalActionApi.terminate,
      approvalApi.resultQueue,
      approvalApi.supQueue,
      approvalApi.questionQueue,
    ],
  },
  {
    path: '/checkAdmin/resultCheck',
    title: '结果审批',
    group: '审批管理',
    needs: approvalApi.resultQueue,
    actions: [
      approvalApi.resultPass,
      approvalApi.resultRefuse,
      approvalApi.resultExport,
      approvalActionApi.terminate,
      approvalApi.publishQueue,
      approvalApi.supQueue,
      approvalApi.questionQueue,
    ],
  },
  {
    path: '/checkAdmin/informCheck',
    title: '质疑举报审批',
    group: '审批管理',
    needs: approvalApi.questionQueue,
    actions: [
      approvalApi.questionPass,
      approvalApi.questionRefuse,
      approvalApi.questionExport,
      approvalActionApi.terminate,
      supplementApi.list,
      approvalApi.publishQueue,
      approvalApi.resultQueue,
      approvalApi.supQueue,
    ],
  },
  {
    path: '/checkAdmin/supplementCheck',
    title: '补录审批',
    group: '审批管理',
    needs: approvalApi.supQueue,
    actions: [
      approvalApi.supPass,
      approvalApi.supRefuse,
      approvalApi.supExport,
      approvalActionApi.terminate,
      approvalApi.publishQueue,
      approvalApi.resultQueue,
      approvalApi.questionQueue,
    ],
  },
  {
    path: '/checkAdmin/publishCheckDetail',
    title: '发布审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.publishQueue,
    actions: [approvalApi.publishPass, approvalApi.publishRefuse, approvalActionApi.terminate],
  },
  {
    path: '/checkAdmin/resultCheckDetail',
    title: '结果审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.resultQueue,
    actions: [approvalApi.resultPass, approvalApi.resultRefuse, approvalActionApi.terminate],
  },
  {
    path: '/checkAdmin/supplementCheckDetail',
    title: '补录审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.supQueue,
    actions: [approvalApi.supPass, approvalApi.supRefuse, approvalActionApi.terminate],
  },
  {
    path: '/checkAdmin/informCheckDetail',
    title: '质疑举报审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.questionQueue,
    actions: [approvalApi.questionPass, approvalApi.questionRefuse, approvalActionApi.terminate, supplementApi.list],
  },
  {
    path: '/checkAdmin/CourseResult',
    title: '课程结果',
    group: '审批管理',
    hidden: true,
    needs: lessonCaseApi.lessonResult,
    actions: [],
  },

  {
    path: '/personnelAdmin/academyAdmin',
    title: '学院管理',
    group: '人员管理',
    needs: collegeApi.list,
    actions: [collegeApi.save, collegeApi.remove],
  },
  {
    path: '/personnelAdmin/professionalAdmin',
    title: '专业管理',
    group: '人员管理',
    needs: majorApi.list,
    actions: [majorApi.save, majorApi.remove],
  },
  {
    path: '/personnelAdmin/classAdmin',
    title: '班级管理',
    group: '人员管理',
    needs: classApi.list,
    actions: [classApi.save, classApi.remove, memberApi.appointSecretary],
  },
  {
    path: '/personnelAdmin/departmentForm',
    title: '组织架构',
    group: '人员管理',
    needs: departmentApi.list,
    actions: [departmentApi.exportList, departmentApi.save, departmentApi.remove, departmentApi.addUsers],
  },
  {
    path: '/personnelAdmin/studentAdmin',
    title: '学生管理',
    group: '人员管理',
    needs: studentApi.list,
    actions: studentActions,
  },
  {
    path: '/personnelAdmin/studentAdmin/add',
    title: '新增学生',
    group: '人员管理',
    hidden: true,
    needs: studentApi.save,
    actions: [studentApi.save],
  },
  {
    path: '/personnelAdmin/studentAdmin/edit',
    title: '编辑学生',
    group: '人员管理',
    hidden: true,
    needs: studentApi.save,
    actions: [studentApi.save],
  },
  {
    path: '/personnelAdmin/studentAdmin/detail',
    title: '学生详情',
    group: '人员管理',
    hidden: true,
    needs: studentApi.detail,
    actions: studentActions,
  },
  {
    path: '/personnelAdmin/studentAdmin/graduation',
    title: '毕业办理',
    group: '人员管理',
    hidden: true,
    needs: graduationApi.batches,
    actions: [
      graduationApi.preview,
      graduationApi.graduate,
      graduationApi.undo,
      graduationApi.hold,
      personErasureApi.list,
    ],
  },
  {
    path: '/personnelAdmin/teacherAdmin',
    title: '教师管理',
    group: '人员管理',
    needs: teacherApi.list,
    actions: teacherActions,
  },
  {
    path: '/personnelAdmin/teacherAdmin/add',
    title: '新增教师',
    group: '人员管理',
    hidden: true,
    needs: teacherApi.save,
    actions: [teacherApi.save],
  },
  {
    path: '/personnelAdmin/teacherAdmin/edit',
    title: '编辑教师',
    group: '人员管理',
    hidden: true,
    needs: teacherApi.save,
    actions: [teacherApi.save],
  },
  {
    path: '/personnelAdmin/teacherAdmin/detail',
    title: '教师详情',
    group: '人员管理',
    hidden: true,
    needs: teacherApi.detail,
    actions: teacherActions,
  },
  {
    path: '/personnelAdmin/roleAdmin',
    title: '角色管理',
    group: '人员管理',
    needs: roleApi.list,
    actions: roleActions,
  },
  {
    path: '/personnelAdmin/roleAdmin/addRole',
    title: '新增角色',
    group: '人员管理',
    hidden: true,
    needs: roleApi.save,
    actions: [roleApi.save],
  },
  {
    path: '/personnelAdmin/roleAdmin/editRole',
    title: '编辑角色',
    group: '人员管理',
    hidden: true,
    needs: roleApi.resources,
    actions: [roleApi.save],
  },
  {
    path: '/personnelAdmin/memberAdmin',
    title: '成员管理',
    group: '人员管理',
    needs: memberApi.list,
    actions: [memberApi.exportList, memberApi.add, accessApi.view],
  },
  {
    path: '/personnelAdmin/memberAdmin/access',
    title: '权限说明',
    group: '人员管理',
    hidden: true,
    needs: accessApi.view,
    actions: [memberApi.add],
  },
  {
    path: '/personnelAdmin/dataSources',
    title: '数据同步',
    group: '人员管理',
    needs: sourceApi.list,
    actions: [sourceApi.save, sourceApi.run],
  },

  {
    path: '/communityAdmin/communityList',
    title: '圈子列表',
    group: '圈子管理',
    needs: circleApi.list,
    actions: circleActions,
  },
  {
    path: '/communityAdmin/communityList/add',
    title: '新增圈子',
    group: '圈子管理',
    hidden: true,
    needs: circleApi.add,
    actions: circleActions,
  },
  {
    path: '/communityAdmin/communityList/edit',
    title: '编辑圈子',
    group: '圈子管理',
    hidden: true,
    needs: circleApi.update,
    actions: circleActions,
  },
  {
    path: '/communityAdmin/communityList/detail',
    title: '圈子详情',
    group: '圈子管理',
    hidden: true,
    needs: circleApi.detail,
    actions: circleActions,
  },
  {
    path: '/communityAdmin/communityCategory',
    title: '圈子分类',
    group: '圈子管理',
    needs: circleClassApi.list,
    actions: circleActions,
  },
  {
    path: '/communityAdmin/CommunityAudit',
    title: '圈子审核',
    group: '圈子管理',
    needs: circleApplyApi.list,
    actions: circleActions,
  },

  { path: '/newsAdmin/newsList', title: '新闻列表', group: '新闻管理', needs: newsApi.list, actions: newsActions },
  {
    path: '/newsAdmin/newsList/add',
    title: '新增新闻',
    group: '新闻管理',
    hidden: true,
    needs: newsApi.add,
    actions: newsActions,
  },
  {
    path: '/newsAdmin/newsList/edit',
    title: '编辑新闻',
    group: '新闻管理',
    hidden: true,
    needs: newsApi.update,
    actions: newsActions,
  },
  {
    path: '/newsAdmin/newsList/detail',
    title: '新闻详情',
    group: '新闻管理',
    hidden: true,
    needs: newsApi.detail,
    actions: newsActions,
  },
  {
    path: '/newsAdmin/newsCategory',
    title: '新闻分类',
    group: '新闻管理',
    needs: newsTypeApi.list,
    actions: newsActions,
  },

  {
    path: '/StatisticsAdmin/loginStatistics',
    title: '登录统计',
    group: '统计分析',
    needs: loginStatApi.college,
    actions: [loginStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/ReleaseStatistics',
    title: '发布统计',
    group: '统计分析',
    needs: lessonStatApi.info,
    actions: [reportApi.export, lessonStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/RecordStatistics',
    title: '补录统计',
    group: '统计分析',
    needs: supplementStatApi.info,
    actions: [supplementStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/AbilityStatistics',
    title: '能力统计',
    group: '统计分析',
    needs: abilityStatApi.colleges,
    actions: [abilityStatApi.exportList],
  },
  {
    path: '/StatisticsAdmin/CircleStatistics',
    title: '圈子统计',
    group: '统计分析',
    needs: circleStatApi.total,
    actions: [circleStatApi.exportList, circleStatApi.exportLessons],
  },
  {
    path: '/StatisticsAdmin/StudentStatistics',
    title: '学生统计',
    group: '统计分析',
    needs: studentStatApi.total,
    actions: [studentStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/TeacherStatistics/sheet',
    title: '教师指导课程成绩单',
    group: '统计分析',
    hidden: true,
    needs: personLessonApi.teacherSheet,
    actions: [],
  },
  {
    path: '/StatisticsAdmin/TeacherStatistics',
    title: '教师统计',
    group: '统计分析',
    needs: teacherStatApi.total,
    actions: [teacherStatApi.exportDetail, teacherStatApi.exportLessons],
  },
  {
    path: '/StatisticsAdmin/SchoolStatistics',
    title: '全省统计',
    group: '统计分析',
    needs: provinceApi.schools,
    actions: [provinceApi.exportSchools],
  },
  {
    path: '/StatisticsAdmin/ThresholdStatistics',
    title: '阈值预警',
    group: '统计分析',
    needs: thresholdApi.list,
    actions: [thresholdApi.exportList, thresholdApi.prompt, thresholdApi.save],
  },

  {
    path: '/QualityModel2',
    title: '素质模型',
    group: '统计分析',
    needs: modelApi.list,
    actions: [modelApi.addList, modelPreviewApi.preview],
  },

  {
    path: '/integration/keys',
    title: '程序密钥',
    group: '系统集成',
    needs: serviceKeyApi.list,
    actions: [serviceKeyApi.add, serviceKeyApi.revoke],
  },
  {
    path: '/integration/identity',
    title: '统一身份认证',
    group: '系统集成',
    needs: identityApi.list,
    actions: [
      identityApi.save,
      identityApi.remove,
      identityApi.test,
      identityApi.ways,
      bindingApi.ofPerson,
      bindingApi.removeOf,
    ],
  },
  {
    path: '/integration/webhooks',
    title: '事件推送',
    group: '系统集成',
    needs: webhookApi.list,
    actions: [webhookApi.add, webhookApi.edit, webhookApi.enable, webhookApi.renew, webhookApi.remove, webhookApi.test],
  },
  {
    path: '/integration/deliveries',
    title: '投递记录',
    group: '系统集成',
    needs: webhookApi.deliveries,
    actions: [webhookApi.exportDeliveries, webhookApi.redeliver],
  },
  {
    path: '/integration/channels',
    title: '消息通道',
    group: '系统集成',
    needs: channelApi.list,
    actions: [channelApi.save, channelApi.enable, channelApi.remove, channelApi.test],
  },
  {
    path: '/integration/messages',
    title: '消息发送记录',
    group: '系统集成',
    needs: channelApi.deliveries,
    actions: [channelApi.exportDeliveries, channelApi.resend],
  },
  {
    path: '/integration/templates',
    title: '消息模板',
    group: '系统集成',
    needs: messageTextApi.list,
    actions: [messageTextApi.save, messageTextApi.reset],
  },

  {
    path: '/personalCenter/course',
    title: '我指导的课程',
    group: '个人中心',
    needs: lessonApi.view,
    actions: lessonActions,
  },
  {
    path: '/personalCenter/course/detail',
    title: '我指导的课程详情',
    group: '个人中心',
    hidden: true,
    needs: lessonApi.details,
    actions: [...lessonActions, ...participantActions, credibilityApi.restoreByLesson, approvalActionApi.terminate],
  },
  {
    path: '/personalCenter/community',
    title: '我指导的圈子',
    group: '个人中心',
    needs: circleApi.list,
    actions: circleActions,
  },
  {
    path: '/personalCenter/community/detail',
    title: '我指导的圈子详情',
    group: '个人中心',
    hidden: true,
    needs: circleApi.detail,
    actions: circleActions,
  },
  {
    path: '/personalCenter/message',
    title: '我的消息',
    group: '个人中心',
    needs: messageApi.inbox,
    actions: [messageApi.send],
  },
  {
    path: '/personalCenter/sendMessage',
    title: '发送消息',
    group: '个人中心',
    needs: messageApi.send,
    actions: [],
  },
  {
    path: '/personalCenter/modifyPwd',
    title: '修改密码',
    group: '个人中心',
    needs: sessionApi.editPassword,
    actions: [sessionApi.editPassword],
  },
  {
    path: '/personalCenter/account',
    title: '账号与设备',
    group: '个人中心',
    hidden: true,
    needs: ownSessionApi.list,
    actions: [
      ownSessionApi.end,
      personalApi.myData,
      secondFactorApi.forget,
      bindingApi.bind,
      bindingApi.bindDirectory,
      bindingApi.unbind,
      calendarFeedApi.make,
      calendarFeedApi.revoke,
      messagePreferenceApi.list,
      messagePreferenceApi.save,
    ],
  },
  {
    path: '/personalCenter/privacyNotice',
    title: '隐私告知',
    group: '个人中心',
    hidden: true,
    needs: noticeApi.accept,
    actions: [noticeApi.accept],
  },
  {
    path: '/personalCenter/secondFactor',
    title: '动态口令',
    group: '个人中心',
    hidden: true,
    needs: secondFactorApi.state,
    actions: [
      secondFactorApi.begin,
      secondFactorApi.enable,
      secondFactorApi.renewCodes,
      secondFactorApi.disable,
      secondFactorApi.confirm,
    ],
  },
] as const satisfies readonly Screen[]

export type ScreenPath = (typeof screens)[number]['path']

/** The rights that a screen's buttons ask for. */
export const elementsOf = (screen: Screen): string[] =>
  [...new Set([screen.needs, ...screen.actions].map(({ permit }) => permit))].filter((permit) => permit.includes(':'))
