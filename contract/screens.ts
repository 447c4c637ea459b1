import { approvalApi, lessonCaseApi } from './approvals/approvals.calls.ts'
import { auditApi } from './audit/audit.calls.ts'
import { awardApi } from './awards/awards.calls.ts'
import { circleApplyApi } from './circles/applications.calls.ts'
import { circleApi, circleClassApi } from './circles/circles.calls.ts'
import type { Call } from './core/call.ts'
import { curriculumApi } from './curriculum/curriculum.calls.ts'
import { scoringApi } from './evaluation/scoring.calls.ts'
import { evaluationApi } from './evaluation/evaluation.calls.ts'
import { graduationApi } from './graduation/graduation.calls.ts'
import { labelApi } from './labels/labels.calls.ts'
import { noShowApi } from './lessons/no-shows.calls.ts'
import { modelApi, modelPreviewApi } from './labels/model.calls.ts'
import { overCapApi } from './credits/over-cap.calls.ts'
import { lessonApi } from './lessons/lessons.calls.ts'
import { personLessonApi } from './lessons/person-lessons.calls.ts'
import { admissionApi } from './lessons/admission.calls.ts'
import { signingApi } from './lessons/signing.calls.ts'
import { registrationApi } from './lessons/registration.calls.ts'
import { messageApi } from './messages/messages.calls.ts'
import { newsApi, newsTypeApi } from './news/news.calls.ts'
import { classApi } from './organisation/classes.calls.ts'
import { collegeApi } from './organisation/colleges.calls.ts'
import { departmentApi } from './organisation/departments.calls.ts'
import { majorApi } from './organisation/majors.calls.ts'
import { credibilityApi } from './people/credibility.calls.ts'
import { passwordApi } from './people/passwords.calls.ts'
import { piiApi } from './people/pii.calls.ts'
import { studentApi } from './people/students.calls.ts'
import { teacherApi } from './people/teachers.calls.ts'
import { disputeApi } from './disputes/disputes.calls.ts'
import { accessApi } from './roles/access.calls.ts'
import { memberApi } from './roles/members.calls.ts'
import { roleApi } from './roles/roles.calls.ts'
import { schoolInfoApi } from './school/school-info.calls.ts'
import { supplementApi } from './supplements/supplements.calls.ts'
import { personalApi } from './personal/personal.calls.ts'
import { ownSessionApi } from './session/own-sessions.calls.ts'
import { sessionApi } from './session/session.calls.ts'
import { reportApi } from './reports/reports.calls.ts'
import { abilityStatApi } from './statistics/ability-statistics.calls.ts'
import { circleStatApi } from './statistics/circle-statistics.calls.ts'
import { lessonStatApi } from './statistics/lesson-statistics.calls.ts'
import { loginStatApi } from './statistics/login-statistics.calls.ts'
import { studentStatApi } from './statistics/student-statistics.calls.ts'
import { supplementStatApi } from './statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from './statistics/teacher-statistics.calls.ts'
import { transformationApi } from './transformation/transformation.calls.ts'
import { thresholdApi } from './thresholds/thresholds.calls.ts'
import { issueApi } from './transcripts/issues.calls.ts'
import { scoreExportApi } from './transcripts/score-export.calls.ts'
import { transcriptApi } from './transcripts/transcripts.calls.ts'
import { trialApi } from './workflow/trial.calls.ts'
import { workflowApi } from './workflow/workflow.calls.ts'

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
  '个人中心',
] as const

/**
 * A screen: its literal route, its title, and the calls it lives on. `needs` is the call without which it makes no sense
 * (its right is the right to open the screen); `acts` are the calls behind its buttons.
 */
export interface Screen {
  path: string
  title: string
  group: (typeof screenGroups)[number]
  /** Reachable, not in the menu. */
  hidden?: boolean
  needs: Call
  acts: readonly Call[]
}

const lessonActs = [
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
const participantActs = [
  registrationApi.add,
  registrationApi.pass,
  registrationApi.refuse,
  registrationApi.remove,
  registrationApi.sign,
  registrationApi.setAward,
  registrationApi.export,
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

const questionActs = [
  disputeApi.add,
  disputeApi.accept,
  disputeApi.setQAward,
  disputeApi.abnormal,
  disputeApi.reporter,
  disputeApi.export,
]
const circleActs = [
  circleApi.list,
  circleApi.add,
  circleApi.enable,
  circleApi.remove,
  circleApplyApi.pass,
  circleClassApi.add,
  lessonApi.view,
]
const newsActs = [newsApi.list, newsApi.add, newsApi.publish, newsApi.remove, newsTypeApi.add]

const flowActs = [workflowApi.list, workflowApi.save, workflowApi.remove]
const trialActs = [workflowApi.list, trialApi.saveSample]
const evaluationActs = [
  evaluationApi.all,
  evaluationApi.edit,
  evaluationApi.remove,
  evaluationApi.saveLevels,
  scoringApi.whatIf,
]

const supplementActs = [
  supplementApi.list,
  supplementApi.save,
  supplementApi.publicise,
  supplementApi.correct,
  supplementApi.exportList,
]

const studentActs = [
  studentApi.list,
  studentApi.save,
  studentApi.remove,
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
  lessonApi.list,
  circleApi.list,
]
const teacherActs = [
  teacherApi.list,
  teacherApi.save,
  teacherApi.remove,
  piiApi.unmask,
  piiApi.find,
  memberApi.list,
  accessApi.view,
]
const roleActs = [roleApi.list, roleApi.save, roleApi.remove, memberApi.add]

/** Every screen behind the sign-in. The menu, the router, the breadcrumb and the role editor read this one table. */
export const screens = [
  { path: '/home', title: '首页', group: '首页', needs: sessionApi.menuTree, acts: [] },
  {
    path: '/transcript/transcriptList',
    title: '成绩单查看',
    group: '成绩单',
    needs: transcriptApi.list,
    acts: [transcriptApi.export, scoreExportApi.export, issueApi.revoke, issueApi.keys, issueApi.rotate],
  },
  {
    path: '/transcript/transcriptDetail',
    title: '成绩单详情',
    group: '成绩单',
    hidden: true,
    needs: transcriptApi.header,
    acts: [transcriptApi.export, overCapApi.raise],
  },

  {
    path: '/basicConfig/quality',
    title: '素质标签',
    group: '基础配置',
    needs: labelApi.all,
    acts: [labelApi.edit, evaluationApi.edit],
  },
  {
    path: '/basicConfig/CurriculumSystem',
    title: '课程体系',
    group: '基础配置',
    needs: curriculumApi.getEdit,
    acts: [curriculumApi.edit, curriculumApi.del, lessonApi.view, evaluationApi.all, workflowApi.list, memberApi.list],
  },
  {
    path: '/basicConfig/ProcessManagement',
    title: '流程管理',
    group: '基础配置',
    needs: workflowApi.list,
    acts: flowActs,
  },
  {
    path: '/basicConfig/ProcessManagement/AddProcessManagement',
    title: '新增流程',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    acts: flowActs,
  },
  {
    path: '/basicConfig/ProcessManagement/editProcessManagement',
    title: '编辑流程',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    acts: flowActs,
  },
  {
    path: '/basicConfig/ProcessManagement/CloneProcessManagement',
    title: '克隆流程',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    acts: flowActs,
  },
  {
    path: '/basicConfig/ProcessManagement/CoverageMap',
    title: '流程覆盖图',
    group: '基础配置',
    hidden: true,
    needs: trialApi.coverage,
    acts: trialActs,
  },
  {
    path: '/basicConfig/ProcessManagement/FlowSandbox',
    title: '流程沙盘',
    group: '基础配置',
    hidden: true,
    needs: trialApi.sandbox,
    acts: trialActs,
  },
  {
    path: '/basicConfig/EvaluationSystem',
    title: '评价体系',
    group: '基础配置',
    needs: evaluationApi.all,
    acts: evaluationActs,
  },
  {
    path: '/basicConfig/EvaluationSystem/AddEvaluationSystem',
    title: '新增评价体系',
    group: '基础配置',
    hidden: true,
    needs: evaluationApi.add,
    acts: evaluationActs,
  },
  {
    path: '/basicConfig/EvaluationSystem/EditEvaluationSystem',
    title: '编辑评价体系',
    group: '基础配置',
    hidden: true,
    needs: evaluationApi.edit,
    acts: evaluationActs,
  },
  {
    path: '/basicConfig/Transformation',
    title: '转换规则',
    group: '基础配置',
    needs: transformationApi.all,
    acts: [transformationApi.edit],
  },
  {
    path: '/basicConfig/addStepsSet',
    title: '步骤设置',
    group: '基础配置',
    hidden: true,
    needs: workflowApi.save,
    acts: flowActs,
  },
  {
    path: '/basicConfig/schoolInfo',
    title: '学校信息',
    group: '基础配置',
    needs: schoolInfoApi.profile,
    acts: [schoolInfoApi.saveProfile, schoolInfoApi.seal],
  },
  {
    path: '/basicConfig/auditLog',
    title: '操作日志',
    group: '基础配置',
    needs: auditApi.list,
    acts: [auditApi.exportList, auditApi.verify],
  },

  {
    path: '/courseManagement/Reward',
    title: '奖励模板',
    group: '课程管理',
    needs: awardApi.list,
    acts: [awardApi.edit, awardApi.remove, lessonApi.view],
  },
  {
    path: '/courseManagement/CurriculumList',
    title: '课程列表',
    group: '课程管理',
    needs: lessonApi.view,
    acts: lessonActs,
  },
  {
    path: '/courseManagement/CurriculumList/Participants',
    title: '参与人员',
    group: '课程管理',
    hidden: true,
    needs: registrationApi.view,
    acts: participantActs,
  },
  {
    path: '/courseManagement/CurriculumList/SignBoard',
    title: '签到大屏',
    group: '课程管理',
    hidden: true,
    needs: signingApi.board,
    acts: [signingApi.scan],
  },
  {
    path: '/courseManagement/addCurriculumList',
    title: '新增课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.save,
    acts: [lessonApi.save],
  },
  {
    path: '/courseManagement/editCurriculumList',
    title: '编辑课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.edit,
    acts: [lessonApi.save],
  },
  {
    path: '/courseManagement/addIndustryCurriculumList',
    title: '新增行业课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.save,
    acts: [lessonApi.save],
  },
  {
    path: '/courseManagement/editIndustryCurriculumList',
    title: '编辑行业课程',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.edit,
    acts: [lessonApi.save],
  },
  {
    path: '/courseManagement/detailIndustryCurriculumList',
    title: '行业课程详情',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.details,
    acts: [...lessonActs, ...participantActs, credibilityApi.restoreByLesson],
  },
  {
    path: '/courseManagement/detailCurriculumList',
    title: '课程详情',
    group: '课程管理',
    hidden: true,
    needs: lessonApi.details,
    acts: [...lessonActs, ...participantActs, credibilityApi.restoreByLesson],
  },
  {
    path: '/courseManagement/RecordingCourse',
    title: '补录课程',
    group: '课程管理',
    needs: supplementApi.list,
    acts: supplementActs,
  },
  {
    path: '/courseManagement/RecordingCourse/add',
    title: '新增补录',
    group: '课程管理',
    hidden: true,
    needs: supplementApi.save,
    acts: supplementActs,
  },
  {
    path: '/courseManagement/RecordingCourse/edit',
    title: '编辑补录',
    group: '课程管理',
    hidden: true,
    needs: supplementApi.save,
    acts: supplementActs,
  },
  {
    path: '/courseManagement/RecordingCourse/detail',
    title: '补录详情',
    group: '课程管理',
    hidden: true,
    needs: supplementApi.list,
    acts: supplementActs,
  },

  {
    path: '/courseManagement/Question',
    title: '质疑举报课程',
    group: '课程管理',
    needs: disputeApi.lessons,
    acts: [disputeApi.add, disputeApi.export],
  },
  {
    path: '/courseManagement/Question/QuestionPersonnel',
    title: '质疑人员',
    group: '课程管理',
    hidden: true,
    needs: disputeApi.list,
    acts: questionActs,
  },
  {
    path: '/courseManagement/Question/QuestionDetail',
    title: '质疑详情',
    group: '课程管理',
    hidden: true,
    needs: disputeApi.detail,
    acts: questionActs,
  },

  {
    path: '/checkAdmin/publishCheck',
    title: '发布审批',
    group: '审批管理',
    needs: approvalApi.publishQueue,
    acts: [
      approvalApi.publishPass,
      approvalApi.publishRefuse,
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
    acts: [
      approvalApi.resultPass,
      approvalApi.resultRefuse,
      approvalApi.publishQueue,
      approvalApi.supQueue,
      approvalApi.questionQueue,
    ],
  },
  {
    path: '/checkAdmin/supplementCheck',
    title: '补录审批',
    group: '审批管理',
    needs: approvalApi.supQueue,
    acts: [
      approvalApi.supPass,
      approvalApi.supRefuse,
      approvalApi.publishQueue,
      approvalApi.resultQueue,
      approvalApi.questionQueue,
    ],
  },
  {
    path: '/checkAdmin/informCheck',
    title: '质疑举报审批',
    group: '审批管理',
    needs: approvalApi.questionQueue,
    acts: [
      approvalApi.questionPass,
      approvalApi.questionRefuse,
      approvalApi.publishQueue,
      approvalApi.resultQueue,
      approvalApi.supQueue,
    ],
  },
  {
    path: '/checkAdmin/publishCheckDetail',
    title: '发布审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.publishQueue,
    acts: [approvalApi.publishPass, approvalApi.publishRefuse],
  },
  {
    path: '/checkAdmin/resultCheckDetail',
    title: '结果审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.resultQueue,
    acts: [approvalApi.resultPass, approvalApi.resultRefuse],
  },
  {
    path: '/checkAdmin/supplementCheckDetail',
    title: '补录审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.supQueue,
    acts: [approvalApi.supPass, approvalApi.supRefuse],
  },
  {
    path: '/checkAdmin/informCheckDetail',
    title: '质疑举报审批详情',
    group: '审批管理',
    hidden: true,
    needs: approvalApi.questionQueue,
    acts: [approvalApi.questionPass, approvalApi.questionRefuse],
  },
  {
    path: '/checkAdmin/CourseResult',
    title: '课程结果',
    group: '审批管理',
    hidden: true,
    needs: lessonCaseApi.lessonResult,
    acts: [],
  },

  {
    path: '/personnelAdmin/academyAdmin',
    title: '学院管理',
    group: '人员管理',
    needs: collegeApi.list,
    acts: [collegeApi.save, collegeApi.remove],
  },
  {
    path: '/personnelAdmin/professionalAdmin',
    title: '专业管理',
    group: '人员管理',
    needs: majorApi.list,
    acts: [majorApi.save, majorApi.remove],
  },
  {
    path: '/personnelAdmin/classAdmin',
    title: '班级管理',
    group: '人员管理',
    needs: classApi.list,
    acts: [classApi.save, classApi.remove, memberApi.appointSecretary],
  },
  {
    path: '/personnelAdmin/departmentForm',
    title: '组织架构',
    group: '人员管理',
    needs: departmentApi.list,
    acts: [departmentApi.save, departmentApi.remove, departmentApi.addUsers],
  },
  {
    path: '/personnelAdmin/studentAdmin',
    title: '学生管理',
    group: '人员管理',
    needs: studentApi.list,
    acts: studentActs,
  },
  {
    path: '/personnelAdmin/studentAdmin/add',
    title: '新增学生',
    group: '人员管理',
    hidden: true,
    needs: studentApi.save,
    acts: [studentApi.save],
  },
  {
    path: '/personnelAdmin/studentAdmin/edit',
    title: '编辑学生',
    group: '人员管理',
    hidden: true,
    needs: studentApi.save,
    acts: [studentApi.save],
  },
  {
    path: '/personnelAdmin/studentAdmin/detail',
    title: '学生详情',
    group: '人员管理',
    hidden: true,
    needs: studentApi.detail,
    acts: studentActs,
  },
  {
    path: '/personnelAdmin/studentAdmin/graduation',
    title: '毕业办理',
    group: '人员管理',
    hidden: true,
    needs: graduationApi.batches,
    acts: [graduationApi.preview, graduationApi.graduate, graduationApi.undo],
  },
  {
    path: '/personnelAdmin/teacherAdmin',
    title: '教师管理',
    group: '人员管理',
    needs: teacherApi.list,
    acts: teacherActs,
  },
  {
    path: '/personnelAdmin/teacherAdmin/add',
    title: '新增教师',
    group: '人员管理',
    hidden: true,
    needs: teacherApi.save,
    acts: [teacherApi.save],
  },
  {
    path: '/personnelAdmin/teacherAdmin/edit',
    title: '编辑教师',
    group: '人员管理',
    hidden: true,
    needs: teacherApi.save,
    acts: [teacherApi.save],
  },
  {
    path: '/personnelAdmin/teacherAdmin/detail',
    title: '教师详情',
    group: '人员管理',
    hidden: true,
    needs: teacherApi.detail,
    acts: teacherActs,
  },
  { path: '/personnelAdmin/roleAdmin', title: '角色管理', group: '人员管理', needs: roleApi.list, acts: roleActs },
  {
    path: '/personnelAdmin/roleAdmin/addRole',
    title: '新增角色',
    group: '人员管理',
    hidden: true,
    needs: roleApi.save,
    acts: [roleApi.save],
  },
  {
    path: '/personnelAdmin/roleAdmin/editRole',
    title: '编辑角色',
    group: '人员管理',
    hidden: true,
    needs: roleApi.resources,
    acts: [roleApi.save],
  },
  {
    path: '/personnelAdmin/memberAdmin',
    title: '成员管理',
    group: '人员管理',
    needs: memberApi.list,
    acts: [memberApi.add, accessApi.view],
  },
  {
    path: '/personnelAdmin/memberAdmin/access',
    title: '权限说明',
    group: '人员管理',
    hidden: true,
    needs: accessApi.view,
    acts: [memberApi.add],
  },

  {
    path: '/StatisticsAdmin/ThresholdStatistics',
    title: '阈值预警',
    group: '统计分析',
    needs: thresholdApi.list,
    acts: [thresholdApi.prompt, thresholdApi.save],
  },
  {
    path: '/communityAdmin/communityList',
    title: '圈子列表',
    group: '圈子管理',
    needs: circleApi.list,
    acts: circleActs,
  },
  {
    path: '/communityAdmin/communityList/add',
    title: '新增圈子',
    group: '圈子管理',
    hidden: true,
    needs: circleApi.add,
    acts: circleActs,
  },
  {
    path: '/communityAdmin/communityList/edit',
    title: '编辑圈子',
    group: '圈子管理',
    hidden: true,
    needs: circleApi.update,
    acts: circleActs,
  },
  {
    path: '/communityAdmin/communityList/detail',
    title: '圈子详情',
    group: '圈子管理',
    hidden: true,
    needs: circleApi.detail,
    acts: circleActs,
  },
  {
    path: '/communityAdmin/communityCategory',
    title: '圈子分类',
    group: '圈子管理',
    needs: circleClassApi.list,
    acts: circleActs,
  },
  {
    path: '/communityAdmin/CommunityAudit',
    title: '圈子审核',
    group: '圈子管理',
    needs: circleApplyApi.list,
    acts: circleActs,
  },

  { path: '/newsAdmin/newsList', title: '新闻列表', group: '新闻管理', needs: newsApi.list, acts: newsActs },
  {
    path: '/newsAdmin/newsList/add',
    title: '新增新闻',
    group: '新闻管理',
    hidden: true,
    needs: newsApi.add,
    acts: newsActs,
  },
  {
    path: '/newsAdmin/newsList/edit',
    title: '编辑新闻',
    group: '新闻管理',
    hidden: true,
    needs: newsApi.update,
    acts: newsActs,
  },
  {
    path: '/newsAdmin/newsList/detail',
    title: '新闻详情',
    group: '新闻管理',
    hidden: true,
    needs: newsApi.detail,
    acts: newsActs,
  },
  { path: '/newsAdmin/newsCategory', title: '新闻分类', group: '新闻管理', needs: newsTypeApi.list, acts: newsActs },

  {
    path: '/StatisticsAdmin/loginStatistics',
    title: '登录统计',
    group: '统计分析',
    needs: loginStatApi.college,
    acts: [loginStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/ReleaseStatistics',
    title: '发布统计',
    group: '统计分析',
    needs: lessonStatApi.info,
    acts: [reportApi.export, lessonStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/RecordStatistics',
    title: '补录统计',
    group: '统计分析',
    needs: supplementStatApi.info,
    acts: [supplementStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/AbilityStatistics',
    title: '能力统计',
    group: '统计分析',
    needs: abilityStatApi.colleges,
    acts: [abilityStatApi.exportList],
  },
  {
    path: '/StatisticsAdmin/CircleStatistics',
    title: '圈子统计',
    group: '统计分析',
    needs: circleStatApi.total,
    acts: [circleStatApi.exportList, circleStatApi.exportLessons],
  },
  {
    path: '/StatisticsAdmin/StudentStatistics',
    title: '学生统计',
    group: '统计分析',
    needs: studentStatApi.total,
    acts: [studentStatApi.exportDetail],
  },
  {
    path: '/StatisticsAdmin/TeacherStatistics/sheet',
    title: '教师指导课程成绩单',
    group: '统计分析',
    hidden: true,
    needs: personLessonApi.teacherSheet,
    acts: [],
  },
  {
    path: '/StatisticsAdmin/TeacherStatistics',
    title: '教师统计',
    group: '统计分析',
    needs: teacherStatApi.total,
    acts: [teacherStatApi.exportDetail, teacherStatApi.exportLessons],
  },
  {
    path: '/QualityModel2',
    title: '素质模型',
    group: '统计分析',
    needs: modelApi.list,
    acts: [modelApi.addList, modelPreviewApi.preview],
  },

  {
    path: '/personalCenter/community',
    title: '我指导的圈子',
    group: '个人中心',
    needs: circleApi.list,
    acts: circleActs,
  },
  {
    path: '/personalCenter/community/detail',
    title: '我指导的圈子详情',
    group: '个人中心',
    hidden: true,
    needs: circleApi.detail,
    acts: circleActs,
  },
  { path: '/personalCenter/course', title: '我指导的课程', group: '个人中心', needs: lessonApi.view, acts: lessonActs },
  {
    path: '/personalCenter/course/detail',
    title: '我指导的课程详情',
    group: '个人中心',
    hidden: true,
    needs: lessonApi.details,
    acts: [...lessonActs, ...participantActs, credibilityApi.restoreByLesson],
  },
  {
    path: '/personalCenter/message',
    title: '我的消息',
    group: '个人中心',
    needs: messageApi.inbox,
    acts: [messageApi.send],
  },
  {
    path: '/personalCenter/sendMessage',
    title: '发送消息',
    group: '个人中心',
    hidden: true,
    needs: messageApi.send,
    acts: [],
  },
  {
    path: '/personalCenter/modifyPwd',
    title: '修改密码',
    group: '个人中心',
    needs: sessionApi.editPassword,
    acts: [sessionApi.editPassword],
  },
  {
    path: '/personalCenter/account',
    title: '账号与设备',
    group: '个人中心',
    hidden: true,
    needs: ownSessionApi.list,
    acts: [ownSessionApi.end, personalApi.myData],
  },
] as const satisfies readonly Screen[]

export type ScreenPath = (typeof screens)[number]['path']

/** The rights that a screen's buttons ask for. */
export const elementsOf = (screen: Screen): string[] =>
  [...new Set([screen.needs, ...screen.acts].map(({ permit }) => permit))].filter((permit) => permit.includes(':'))
