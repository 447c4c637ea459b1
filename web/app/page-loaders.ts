import type { ComponentType } from 'react'
import type { ScreenPath } from '../../contract/screens.ts'

/** Fetches a screen's component; each is a chunk of its own. */
type PageLoader = () => Promise<ComponentType>

/** The component of every screen that is built; screens without one are neither in the menu nor reachable. */
export const pages: Partial<Record<ScreenPath, PageLoader>> = {
  '/home': () => import('./home.page.tsx').then((page) => page.HomePage),
  '/transcript/transcriptList': () =>
    import('../outcomes/transcripts/transcript-list.page.tsx').then((page) => page.TranscriptListPage),
  '/transcript/transcriptDetail': () =>
    import('../outcomes/transcripts/transcript-detail.page.tsx').then((page) => page.TranscriptDetailPage),
  '/courseManagement/CurriculumList': () =>
    import('../programme/lessons/lesson-list.page.tsx').then((page) => page.LessonListPage),
  '/courseManagement/CurriculumList/Participants': () =>
    import('../programme/lessons/participants.page.tsx').then((page) => page.ParticipantsPage),
  '/courseManagement/CurriculumList/SignBoard': () =>
    import('../programme/lessons/sign-board.page.tsx').then((page) => page.SignBoardPage),
  '/courseManagement/addCurriculumList': () =>
    import('../programme/lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/editCurriculumList': () =>
    import('../programme/lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/detailCurriculumList': () =>
    import('../programme/lessons/lesson-detail.page.tsx').then((page) => page.LessonDetailPage),
  '/courseManagement/RecordingCourse': () =>
    import('../programme/supplements/supplement-list.page.tsx').then((page) => page.SupplementListPage),
  '/courseManagement/RecordingCourse/add': () =>
    import('../programme/supplements/supplement-form.page.tsx').then((page) => page.SupplementFormPage),
  '/courseManagement/RecordingCourse/edit': () =>
    import('../programme/supplements/supplement-form.page.tsx').then((page) => page.SupplementFormPage),
  '/courseManagement/RecordingCourse/detail': () =>
    import('../programme/supplements/supplement-detail.page.tsx').then((page) => page.SupplementDetailPage),
  '/courseManagement/RecordingCourse/publicty': () =>
    import('../programme/supplements/public-supplements.page.tsx').then((page) => page.PublicSupplementsPage),
  '/checkAdmin/publishCheck': () =>
    import('../programme/approvals/queue.page.tsx').then((page) => page.PublishQueuePage),
  '/checkAdmin/resultCheck': () => import('../programme/approvals/queue.page.tsx').then((page) => page.ResultQueuePage),
  '/checkAdmin/supplementCheck': () =>
    import('../programme/approvals/queue.page.tsx').then((page) => page.SupplementQueuePage),
  '/checkAdmin/publishCheckDetail': () =>
    import('../programme/approvals/application-detail.page.tsx').then((page) => page.PublishDetailPage),
  '/checkAdmin/resultCheckDetail': () =>
    import('../programme/approvals/application-detail.page.tsx').then((page) => page.ResultDetailPage),
  '/checkAdmin/supplementCheckDetail': () =>
    import('../programme/approvals/application-detail.page.tsx').then((page) => page.SupplementDetailPage),
  '/checkAdmin/informCheck': () =>
    import('../programme/approvals/queue.page.tsx').then((page) => page.DisputeQueuePage),
  '/checkAdmin/informCheckDetail': () =>
    import('../programme/approvals/application-detail.page.tsx').then((page) => page.DisputeCasePage),
  '/courseManagement/Question': () =>
    import('../programme/disputes/dispute-lessons.page.tsx').then((page) => page.DisputeLessonsPage),
  '/courseManagement/Question/QuestionPersonnel': () =>
    import('../programme/disputes/dispute-list.page.tsx').then((page) => page.DisputeListPage),
  '/courseManagement/Question/QuestionDetail': () =>
    import('../programme/disputes/dispute-detail.page.tsx').then((page) => page.DisputeDetailPage),
  '/checkAdmin/CourseResult': () =>
    import('../programme/approvals/course-result.page.tsx').then((page) => page.CourseResultPage),
  '/basicConfig/quality': () => import('../rules/labels/labels.page.tsx').then((page) => page.LabelsPage),
  '/basicConfig/CurriculumSystem': () =>
    import('../rules/curriculum/curriculum.page.tsx').then((page) => page.CurriculumPage),
  '/basicConfig/ProcessManagement': () =>
    import('../rules/workflow/flow-list.page.tsx').then((page) => page.FlowListPage),
  '/basicConfig/ProcessManagement/AddProcessManagement': () =>
    import('../rules/workflow/flow-editor.page.tsx').then((page) => page.FlowAddPage),
  '/basicConfig/ProcessManagement/editProcessManagement': () =>
    import('../rules/workflow/flow-editor.page.tsx').then((page) => page.FlowEditPage),
  '/basicConfig/ProcessManagement/CloneProcessManagement': () =>
    import('../rules/workflow/flow-editor.page.tsx').then((page) => page.FlowClonePage),
  '/basicConfig/auditLog': () => import('../school/audit/audit-list.page.tsx').then((page) => page.AuditListPage),
  '/integration/identity': () =>
    import('../school/identity/provider-list.page.tsx').then((page) => page.ProviderListPage),
  '/integration/keys': () => import('../school/integration/key-list.page.tsx').then((page) => page.KeyListPage),
  '/integration/webhooks': () =>
    import('../school/integration/webhook-list.page.tsx').then((page) => page.WebhookListPage),
  '/integration/deliveries': () =>
    import('../school/integration/delivery-list.page.tsx').then((page) => page.DeliveryListPage),
  '/integration/channels': () =>
    import('../school/channels/channel-list.page.tsx').then((page) => page.ChannelListPage),
  '/integration/messages': () =>
    import('../school/channels/message-delivery-list.page.tsx').then((page) => page.MessageDeliveryListPage),
  '/basicConfig/schools': () => import('../school/runtime/school-list.page.tsx').then((page) => page.SchoolListPage),
  '/integration/templates': () =>
    import('../school/channels/template-list.page.tsx').then((page) => page.TemplateListPage),
  '/basicConfig/runtimeStatus': () => import('../school/runtime/runtime.page.tsx').then((page) => page.RuntimePage),
  '/basicConfig/ProcessManagement/CoverageMap': () =>
    import('../rules/workflow/coverage.page.tsx').then((page) => page.CoveragePage),
  '/basicConfig/ProcessManagement/FlowSandbox': () =>
    import('../rules/workflow/sandbox.page.tsx').then((page) => page.SandboxPage),
  '/basicConfig/EvaluationSystem': () =>
    import('../rules/evaluation/evaluation-list.page.tsx').then((page) => page.EvaluationListPage),
  '/basicConfig/EvaluationSystem/AddEvaluationSystem': () =>
    import('../rules/evaluation/evaluation-add.page.tsx').then((page) => page.EvaluationAddPage),
  '/basicConfig/EvaluationSystem/EditEvaluationSystem': () =>
    import('../rules/evaluation/evaluation-edit.page.tsx').then((page) => page.EvaluationEditPage),
  '/basicConfig/Transformation': () =>
    import('../rules/transformation/transformation-list.page.tsx').then((page) => page.TransformationListPage),
  '/basicConfig/addStepsSet': () => import('../rules/workflow/steps.page.tsx').then((page) => page.StepsPage),
  '/basicConfig/schoolInfo/provinceFigures': () =>
    import('../outcomes/province/province-figures.page.tsx').then((page) => page.ProvinceFiguresPage),
  '/basicConfig/schoolInfo': () => import('../school/school/school-info.page.tsx').then((page) => page.SchoolInfoPage),
  '/courseManagement/addIndustryCurriculumList': () =>
    import('../programme/lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/editIndustryCurriculumList': () =>
    import('../programme/lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/detailIndustryCurriculumList': () =>
    import('../programme/lessons/lesson-detail.page.tsx').then((page) => page.LessonDetailPage),
  '/communityAdmin/communityList': () =>
    import('../programme/circles/circle-list.page.tsx').then((page) => page.CircleListPage),
  '/communityAdmin/communityList/add': () =>
    import('../programme/circles/circle-form.page.tsx').then((page) => page.CircleFormPage),
  '/communityAdmin/communityList/edit': () =>
    import('../programme/circles/circle-form.page.tsx').then((page) => page.CircleFormPage),
  '/communityAdmin/communityList/detail': () =>
    import('../programme/circles/circle-detail.page.tsx').then((page) => page.CircleDetailPage),
  '/communityAdmin/communityCategory': () =>
    import('../programme/circles/circle-category.page.tsx').then((page) => page.CircleCategoryPage),
  '/communityAdmin/CommunityAudit': () =>
    import('../programme/circles/circle-audit.page.tsx').then((page) => page.CircleAuditPage),
  '/newsAdmin/newsList': () => import('../platform/news/news-list.page.tsx').then((page) => page.NewsListPage),
  '/newsAdmin/newsList/add': () => import('../platform/news/news-form.page.tsx').then((page) => page.NewsFormPage),
  '/newsAdmin/newsList/edit': () => import('../platform/news/news-form.page.tsx').then((page) => page.NewsFormPage),
  '/newsAdmin/newsList/detail': () =>
    import('../platform/news/news-detail.page.tsx').then((page) => page.NewsDetailPage),
  '/newsAdmin/newsCategory': () =>
    import('../platform/news/news-category.page.tsx').then((page) => page.NewsCategoryPage),
  '/personalCenter/community': () =>
    import('../programme/circles/my-circles.page.tsx').then((page) => page.MyCirclesPage),
  '/personalCenter/community/detail': () =>
    import('../programme/circles/circle-detail.page.tsx').then((page) => page.CircleDetailPage),
  '/courseManagement/Reward': () => import('../rules/awards/award-list.page.tsx').then((page) => page.AwardListPage),
  '/personnelAdmin/academyAdmin': () =>
    import('../school/organisation/college-list.page.tsx').then((page) => page.CollegeListPage),
  '/personnelAdmin/professionalAdmin': () =>
    import('../school/organisation/major-list.page.tsx').then((page) => page.MajorListPage),
  '/personnelAdmin/classAdmin': () =>
    import('../school/organisation/class-list.page.tsx').then((page) => page.ClassListPage),
  '/personnelAdmin/departmentForm': () =>
    import('../school/organisation/departments.page.tsx').then((page) => page.DepartmentsPage),
  '/personnelAdmin/studentAdmin': () =>
    import('../school/people/student-list.page.tsx').then((page) => page.StudentListPage),
  '/personnelAdmin/studentAdmin/add': () =>
    import('../school/people/student-form.page.tsx').then((page) => page.StudentFormPage),
  '/personnelAdmin/studentAdmin/edit': () =>
    import('../school/people/student-form.page.tsx').then((page) => page.StudentFormPage),
  '/personnelAdmin/studentAdmin/detail': () =>
    import('../school/people/student-detail.page.tsx').then((page) => page.StudentDetailPage),
  '/personnelAdmin/studentAdmin/graduation': () =>
    import('../school/people/graduation.page.tsx').then((page) => page.GraduationPage),
  '/personnelAdmin/teacherAdmin': () =>
    import('../school/people/teacher-list.page.tsx').then((page) => page.TeacherListPage),
  '/personnelAdmin/teacherAdmin/add': () =>
    import('../school/people/teacher-form.page.tsx').then((page) => page.TeacherFormPage),
  '/personnelAdmin/teacherAdmin/edit': () =>
    import('../school/people/teacher-form.page.tsx').then((page) => page.TeacherFormPage),
  '/personnelAdmin/teacherAdmin/detail': () =>
    import('../school/people/teacher-detail.page.tsx').then((page) => page.TeacherDetailPage),
  '/personnelAdmin/roleAdmin': () => import('../school/roles/role-list.page.tsx').then((page) => page.RoleListPage),
  '/personnelAdmin/roleAdmin/addRole': () =>
    import('../school/roles/role-form.page.tsx').then((page) => page.RoleAddPage),
  '/personnelAdmin/roleAdmin/editRole': () =>
    import('../school/roles/role-form.page.tsx').then((page) => page.RoleEditPage),
  '/personnelAdmin/memberAdmin': () =>
    import('../school/roles/member-list.page.tsx').then((page) => page.MemberListPage),
  '/StatisticsAdmin/SchoolStatistics': () =>
    import('../outcomes/province/province.page.tsx').then((page) => page.ProvincePage),
  '/StatisticsAdmin/loginStatistics': () =>
    import('../outcomes/statistics/login-statistics.page.tsx').then((page) => page.LoginStatisticsPage),
  '/StatisticsAdmin/ReleaseStatistics': () =>
    import('../outcomes/statistics/lesson-statistics.page.tsx').then((page) => page.LessonStatisticsPage),
  '/StatisticsAdmin/RecordStatistics': () =>
    import('../outcomes/statistics/supplement-statistics.page.tsx').then((page) => page.SupplementStatisticsPage),
  '/StatisticsAdmin/AbilityStatistics': () =>
    import('../outcomes/statistics/ability-statistics.page.tsx').then((page) => page.AbilityStatisticsPage),
  '/StatisticsAdmin/CircleStatistics': () =>
    import('../outcomes/statistics/circle-statistics.page.tsx').then((page) => page.CircleStatisticsPage),
  '/StatisticsAdmin/StudentStatistics': () =>
    import('../outcomes/statistics/student-statistics.page.tsx').then((page) => page.StudentStatisticsPage),
  '/StatisticsAdmin/TeacherStatistics': () =>
    import('../outcomes/statistics/teacher-statistics.page.tsx').then((page) => page.TeacherStatisticsPage),
  '/QualityModel2': () => import('../rules/labels/model.page.tsx').then((page) => page.ModelPage),
  '/StatisticsAdmin/TeacherStatistics/sheet': () =>
    import('../outcomes/statistics/teacher-sheet.page.tsx').then((page) => page.TeacherSheetPage),
  '/StatisticsAdmin/ThresholdStatistics': () =>
    import('../outcomes/thresholds/threshold.page.tsx').then((page) => page.ThresholdPage),
  '/personnelAdmin/dataSources': () =>
    import('../school/sources/source-list.page.tsx').then((page) => page.SourceListPage),
  '/personnelAdmin/memberAdmin/access': () => import('../school/roles/access.page.tsx').then((page) => page.AccessPage),
  '/personalCenter/course': () =>
    import('../programme/lessons/own-lessons.page.tsx').then((page) => page.OwnLessonsPage),
  '/personalCenter/course/detail': () =>
    import('../programme/lessons/lesson-detail.page.tsx').then((page) => page.LessonDetailPage),
  '/personalCenter/account': () => import('../programme/personal/account.page.tsx').then((page) => page.AccountPage),
  '/personalCenter/privacyNotice': () => import('./privacy-notice.page.tsx').then((page) => page.PrivacyNoticePage),
  '/personalCenter/secondFactor': () => import('./second-factor.page.tsx').then((page) => page.SecondFactorPage),
  '/personalCenter/message': () =>
    import('../school/messages/message-list.page.tsx').then((page) => page.MessageListPage),
  '/personalCenter/sendMessage': () =>
    import('../school/messages/send-message.page.tsx').then((page) => page.SendMessagePage),
  '/personalCenter/modifyPwd': () => import('./modify-password.page.tsx').then((page) => page.ModifyPasswordPage),
}

/** The loader of a path, if the path is a built screen. */
export const pageAt = (path: string): PageLoader | undefined =>
  Object.hasOwn(pages, path) ? pages[path as ScreenPath] : undefined

/** Fetches the code of the screen that a link leads to which somebody points at, before they click. */
export function fetchAhead({ target }: { target: EventTarget }): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  // what fails here is told when the screen is drawn
  if (link?.origin === window.location.origin) void pageAt(link.pathname)?.().catch(() => undefined)
}
