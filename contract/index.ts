import { approvalActionApi } from './programme/approvals/actions.calls.ts'
import { approvalApi, lessonCaseApi } from './programme/approvals/approvals.calls.ts'
import { auditApi } from './school/audit/audit.calls.ts'
import { awardApi } from './rules/awards/awards.calls.ts'
import { circleApplyApi } from './programme/circles/applications.calls.ts'
import { circleApi, circleClassApi } from './programme/circles/circles.calls.ts'
import type { Api, Call } from './core/call.ts'
import { overCapApi } from './programme/credits/over-cap.calls.ts'
import { curriculumApi } from './rules/curriculum/curriculum.calls.ts'
import { scoringApi } from './rules/evaluation/scoring.calls.ts'
import { evaluationApi } from './rules/evaluation/evaluation.calls.ts'
import { fileApi } from './platform/files/files.calls.ts'
import { tableApi } from './platform/files/table.calls.ts'
import { homeApi } from './programme/home/home.calls.ts'
import { graduationApi } from './outcomes/graduation/graduation.calls.ts'
import { personErasureApi } from './outcomes/graduation/person-erasure.calls.ts'
import { backgroundApi } from './platform/background/background.calls.ts'
import { importApi } from './platform/imports/imports.calls.ts'
import { labelApi } from './rules/labels/labels.calls.ts'
import { noShowApi } from './programme/lessons/no-shows.calls.ts'
import { circleLessonApi } from './programme/lessons/circle-lessons.calls.ts'
import { modelApi, modelPreviewApi } from './rules/labels/model.calls.ts'
import { lessonApi } from './programme/lessons/lessons.calls.ts'
import { personLessonApi } from './programme/lessons/person-lessons.calls.ts'
import { registrationApi } from './programme/lessons/registration.calls.ts'
import { teamApi } from './programme/lessons/teams.calls.ts'
import { admissionApi } from './programme/lessons/admission.calls.ts'
import { managedSigningApi } from './programme/lessons/managed-signing.calls.ts'
import { signingApi } from './programme/lessons/signing.calls.ts'
import { calendarFeedApi } from './programme/personal/calendar-feeds.calls.ts'
import { personalApi } from './programme/personal/personal.calls.ts'
import { demoApi } from './school/session/demo.calls.ts'
import { bindingApi } from './school/identity/bindings.calls.ts'
import { identityApi } from './school/identity/identity.calls.ts'
import { accountAccessApi } from './school/session/account-access.calls.ts'
import { activationApi } from './school/session/activation.calls.ts'
import { noticeApi } from './school/session/notice.calls.ts'
import { ownSessionApi } from './school/session/own-sessions.calls.ts'
import { preferenceApi } from './school/session/preferences.calls.ts'
import { messageApi } from './school/messages/messages.calls.ts'
import { disputeApi } from './programme/disputes/disputes.calls.ts'
import { newsApi, newsTypeApi } from './platform/news/news.calls.ts'
import { classApi } from './school/organisation/classes.calls.ts'
import { collegeApi } from './school/organisation/colleges.calls.ts'
import { departmentApi } from './school/organisation/departments.calls.ts'
import { majorApi } from './school/organisation/majors.calls.ts'
import { regionApi } from './school/organisation/regions.calls.ts'
import { credibilityApi } from './school/people/credibility.calls.ts'
import { passwordApi } from './school/people/passwords.calls.ts'
import { piiApi } from './school/people/pii.calls.ts'
import { studentApi } from './school/people/students.calls.ts'
import { teacherApi } from './school/people/teachers.calls.ts'
import { accessApi } from './school/roles/access.calls.ts'
import { memberApi } from './school/roles/members.calls.ts'
import { roleApi } from './school/roles/roles.calls.ts'
import { planCalendarApi } from './school/school/plan-calendar.calls.ts'
import { schoolInfoApi } from './school/school/school-info.calls.ts'
import { schoolApi } from './school/school/school.calls.ts'
import { savedViewApi } from './school/session/saved-views.calls.ts'
import { secondFactorApi } from './school/session/second-factor.calls.ts'
import { sessionApi } from './school/session/session.calls.ts'
import { transformationApi } from './rules/transformation/transformation.calls.ts'
import { reportApi } from './outcomes/reports/reports.calls.ts'
import { abilityStatApi } from './outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from './outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from './outcomes/statistics/lesson-statistics.calls.ts'
import { activeApi, loginStatApi } from './outcomes/statistics/login-statistics.calls.ts'
import { provinceApi } from './outcomes/province/province.calls.ts'
import { studentStatApi } from './outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from './outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from './outcomes/statistics/teacher-statistics.calls.ts'
import { studentSupplementApi } from './programme/supplements/student-supplements.calls.ts'
import { supplementApi, supplementCaseApi } from './programme/supplements/supplements.calls.ts'
import { scoreExportApi } from './outcomes/transcripts/score-export.calls.ts'
import { thresholdApi } from './outcomes/thresholds/thresholds.calls.ts'
import { transcriptBatchApi } from './outcomes/transcripts/batches.calls.ts'
import { transcriptApplicationApi } from './outcomes/transcripts/applications.calls.ts'
import { issueApi } from './outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from './outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from './outcomes/transcripts/verify.calls.ts'
import { sourceApi } from './school/sources/sources.calls.ts'
import { ownActivityApi } from './student/activities.calls.ts'
import { ownCalendarApi } from './student/calendar.calls.ts'
import { ownCircleApi } from './student/circles.calls.ts'
import { ownContactApi } from './student/contact.calls.ts'
import { ownProfileApi } from './student/profile.calls.ts'
import { ownNoticeApi } from './student/notices.calls.ts'
import { ownRecordApi } from './student/record.calls.ts'
import { ownSigningApi } from './student/signing.calls.ts'
import { ownSupplementApi } from './student/supplements.calls.ts'
import { messagePreferenceApi, messageTextApi } from './school/channels/message-texts.calls.ts'
import { channelApi } from './school/channels/channels.calls.ts'
import { ownTeamApi } from './student/teams.calls.ts'
import { serviceKeyApi } from './school/integration/keys.calls.ts'
import { webhookApi } from './school/integration/webhooks.calls.ts'
import { runtimeApi } from './school/runtime/runtime.calls.ts'
import { installationPermits, operatorApi } from './school/runtime/schools.calls.ts'
import { trialApi } from './rules/workflow/trial.calls.ts'
import { workflowApi } from './rules/workflow/workflow.calls.ts'

/**
 * Every api of the product, in the order the API page shows them. Read by the server, the role editor and the API page;
 * screens import their own api.
 */
export const apis = {
  登录与会话: sessionApi,
  演示: demoApi,
  列表视图: savedViewApi,
  学校与字典: schoolApi,
  学校信息: schoolInfoApi,
  场地与考试周: planCalendarApi,
  文件: fileApi,
  图表数据: tableApi,
  导入: importApi,
  后台任务: backgroundApi,
  地区与年级: regionApi,
  学院: collegeApi,
  专业: majorApi,
  班级: classApi,
  部门: departmentApi,
  学生: studentApi,
  教师: teacherApi,
  毕业办理: graduationApi,
  个人信息删除: personErasureApi,
  诚信分: credibilityApi,
  爽约记录: noShowApi,
  敏感信息: piiApi,
  账号与密码: passwordApi,
  角色: roleApi,
  角色成员: memberApi,
  权限说明: accessApi,
  站内消息: messageApi,
  界面设置: preferenceApi,
  登录设备: ownSessionApi,
  动态口令: secondFactorApi,
  账号激活: activationApi,
  隐私告知: noticeApi,
  他人的登录与锁定: accountAccessApi,
  统一身份认证: identityApi,
  登录方式绑定: bindingApi,
  个人数据: personalApi,
  日历订阅: calendarFeedApi,
  首页: homeApi,
  课程: lessonApi,
  参与人员: registrationApi,
  报名与抽签: admissionApi,
  队伍: teamApi,
  扫码签到: signingApi,
  个人的课程: personLessonApi,
  圈子: circleApi,
  圈子分类: circleClassApi,
  圈子申请: circleApplyApi,
  圈子的活动: circleLessonApi,
  新闻: newsApi,
  新闻分类: newsTypeApi,
  补录: supplementApi,
  学生的补录: studentSupplementApi,
  审批: approvalApi,
  质疑举报: disputeApi,
  转办与代理: approvalActionApi,
  审批详情: lessonCaseApi,
  补录审批详情: supplementCaseApi,
  成绩单: transcriptApi,
  成绩单签发: issueApi,
  成绩单申请: transcriptApplicationApi,
  批量打印: transcriptBatchApi,
  成绩单核验: verifyApi,
  成绩导出: scoreExportApi,
  阈值预警: thresholdApi,
  课程体系: curriculumApi,
  评价体系: evaluationApi,
  评价试算: scoringApi,
  素质标签: labelApi,
  素质模型: modelApi,
  素质模型预览: modelPreviewApi,
  奖励模板: awardApi,
  转换规则: transformationApi,
  学期超限: overCapApi,
  登录统计: loginStatApi,
  活跃情况: activeApi,
  发布统计: lessonStatApi,
  周报月报: reportApi,
  补录统计: supplementStatApi,
  能力统计: abilityStatApi,
  圈子统计: circleStatApi,
  学生统计: studentStatApi,
  教师统计: teacherStatApi,
  全省统计: provinceApi,
  审批流程: workflowApi,
  流程沙盘: trialApi,
  我的活动: ownActivityApi,
  我的日历: ownCalendarApi,
  我的签到: ownSigningApi,
  负责的签到: managedSigningApi,
  我的队伍: ownTeamApi,
  我的联系方式: ownContactApi,
  我的基本信息: ownProfileApi,
  我的成绩: ownRecordApi,
  我的补录: ownSupplementApi,
  公示与质疑: ownNoticeApi,
  我的圈子: ownCircleApi,
  操作日志: auditApi,
  数据同步: sourceApi,
  运行状态: runtimeApi,
  学校管理: operatorApi,
  程序密钥: serviceKeyApi,
  事件推送: webhookApi,
  消息通道: channelApi,
  消息模板: messageTextApi,
  消息接收方式: messagePreferenceApi,
} as const satisfies Record<string, Api>

/** All calls with the heading they stand under. */
export const allCalls: { group: string; name: string; call: Call }[] = Object.entries(apis).flatMap(([group, api]) =>
  Object.entries(api as Api).map(([name, call]) => ({ group, name, call })),
)

/**
 * Every right of the product with the actions it opens: derived from the calls, so a right without a call cannot exist.
 * Those of students and of the operator are none that a role gives: whoever is one has them.
 */
export const allPermits: ReadonlyMap<string, { group: string; acts: string[] }> = allCalls.reduce(
  (map, { group, call }) => {
    if (!call.permit.includes(':') || call.permit === 'student:self' || installationPermits.includes(call.permit))
      return map
    const known = map.get(call.permit)
    if (known) known.acts.push(call.summary)
    else map.set(call.permit, { group, acts: [call.summary] })
    return map
  },
  new Map<string, { group: string; acts: string[] }>(),
)
