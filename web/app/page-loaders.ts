import type { ComponentType } from 'react'
import type { ScreenPath } from '../../contract/screens.ts'

/** Fetches a screen's component; each is a chunk of its own. */
export type PageLoader = () => Promise<ComponentType>

/** The component of every screen that is built; screens without one are neither in the menu nor reachable. */
export const pages: Partial<Record<ScreenPath, PageLoader>> = {
  '/home': () => import('./home.page.tsx').then((page) => page.HomePage),
  '/transcript/transcriptList': () =>
    import('../transcripts/transcript-list.page.tsx').then((page) => page.TranscriptListPage),
  '/transcript/transcriptDetail': () =>
    import('../transcripts/transcript-detail.page.tsx').then((page) => page.TranscriptDetailPage),
  '/courseManagement/CurriculumList': () =>
    import('../lessons/lesson-list.page.tsx').then((page) => page.LessonListPage),
  '/courseManagement/CurriculumList/Participants': () =>
    import('../lessons/participants.page.tsx').then((page) => page.ParticipantsPage),
  '/courseManagement/CurriculumList/SignBoard': () =>
    import('../lessons/sign-board.page.tsx').then((page) => page.SignBoardPage),
  '/courseManagement/addCurriculumList': () =>
    import('../lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/editCurriculumList': () =>
    import('../lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/detailCurriculumList': () =>
    import('../lessons/lesson-detail.page.tsx').then((page) => page.LessonDetailPage),
  '/courseManagement/RecordingCourse': () =>
    import('../supplements/supplement-list.page.tsx').then((page) => page.SupplementListPage),
  '/courseManagement/RecordingCourse/add': () =>
    import('../supplements/supplement-form.page.tsx').then((page) => page.SupplementFormPage),
  '/courseManagement/RecordingCourse/edit': () =>
    import('../supplements/supplement-form.page.tsx').then((page) => page.SupplementFormPage),
  '/courseManagement/RecordingCourse/detail': () =>
    import('../supplements/supplement-detail.page.tsx').then((page) => page.SupplementDetailPage),
  '/checkAdmin/publishCheck': () => import('../approvals/queue.page.tsx').then((page) => page.PublishQueuePage),
  '/checkAdmin/resultCheck': () => import('../approvals/queue.page.tsx').then((page) => page.ResultQueuePage),
  '/checkAdmin/supplementCheck': () => import('../approvals/queue.page.tsx').then((page) => page.SupplementQueuePage),
  '/checkAdmin/publishCheckDetail': () =>
    import('../approvals/application-detail.page.tsx').then((page) => page.PublishDetailPage),
  '/checkAdmin/resultCheckDetail': () =>
    import('../approvals/application-detail.page.tsx').then((page) => page.ResultDetailPage),
  '/checkAdmin/supplementCheckDetail': () =>
    import('../approvals/application-detail.page.tsx').then((page) => page.SupplementDetailPage),
  '/checkAdmin/informCheck': () => import('../approvals/queue.page.tsx').then((page) => page.DisputeQueuePage),
  '/checkAdmin/informCheckDetail': () =>
    import('../approvals/application-detail.page.tsx').then((page) => page.DisputeCasePage),
  '/courseManagement/Question': () =>
    import('../disputes/dispute-lessons.page.tsx').then((page) => page.DisputeLessonsPage),
  '/courseManagement/Question/QuestionPersonnel': () =>
    import('../disputes/dispute-list.page.tsx').then((page) => page.DisputeListPage),
  '/courseManagement/Question/QuestionDetail': () =>
    import('../disputes/dispute-detail.page.tsx').then((page) => page.DisputeDetailPage),
  '/checkAdmin/CourseResult': () => import('../approvals/course-result.page.tsx').then((page) => page.CourseResultPage),
  '/basicConfig/quality': () => import('../labels/labels.page.tsx').then((page) => page.LabelsPage),
  '/basicConfig/CurriculumSystem': () =>
    import('../curriculum/curriculum.page.tsx').then((page) => page.CurriculumPage),
  '/basicConfig/ProcessManagement': () => import('../workflow/flow-list.page.tsx').then((page) => page.FlowListPage),
  '/basicConfig/ProcessManagement/AddProcessManagement': () =>
    import('../workflow/flow-editor.page.tsx').then((page) => page.FlowAddPage),
  '/basicConfig/ProcessManagement/editProcessManagement': () =>
    import('../workflow/flow-editor.page.tsx').then((page) => page.FlowEditPage),
  '/basicConfig/ProcessManagement/CloneProcessManagement': () =>
    import('../workflow/flow-editor.page.tsx').then((page) => page.FlowClonePage),
  '/basicConfig/auditLog': () => import('../audit/audit-list.page.tsx').then((page) => page.AuditListPage),
  '/basicConfig/ProcessManagement/CoverageMap': () =>
    import('../workflow/coverage.page.tsx').then((page) => page.CoveragePage),
  '/basicConfig/ProcessManagement/FlowSandbox': () =>
    import('../workflow/sandbox.page.tsx').then((page) => page.SandboxPage),
  '/basicConfig/EvaluationSystem': () =>
    import('../evaluation/evaluation-list.page.tsx').then((page) => page.EvaluationListPage),
  '/basicConfig/EvaluationSystem/AddEvaluationSystem': () =>
    import('../evaluation/evaluation-add.page.tsx').then((page) => page.EvaluationAddPage),
  '/basicConfig/EvaluationSystem/EditEvaluationSystem': () =>
    import('../evaluation/evaluation-edit.page.tsx').then((page) => page.EvaluationEditPage),
  '/basicConfig/Transformation': () =>
    import('../transformation/transformation-list.page.tsx').then((page) => page.TransformationListPage),
  '/basicConfig/addStepsSet': () => import('../workflow/steps.page.tsx').then((page) => page.StepsPage),
  '/basicConfig/schoolInfo': () => import('../school/school-info.page.tsx').then((page) => page.SchoolInfoPage),
  '/courseManagement/addIndustryCurriculumList': () =>
    import('../lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/editIndustryCurriculumList': () =>
    import('../lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/detailIndustryCurriculumList': () =>
    import('../lessons/lesson-detail.page.tsx').then((page) => page.LessonDetailPage),
  '/communityAdmin/communityList': () => import('../circles/circle-list.page.tsx').then((page) => page.CircleListPage),
  '/communityAdmin/communityList/add': () =>
    import('../circles/circle-form.page.tsx').then((page) => page.CircleFormPage),
  '/communityAdmin/communityList/edit': () =>
    import('../circles/circle-form.page.tsx').then((page) => page.CircleFormPage),
  '/communityAdmin/communityList/detail': () =>
    import('../circles/circle-detail.page.tsx').then((page) => page.CircleDetailPage),
  '/communityAdmin/communityCategory': () =>
    import('../circles/circle-category.page.tsx').then((page) => page.CircleCategoryPage),
  '/communityAdmin/CommunityAudit': () =>
    import('../circles/circle-audit.page.tsx').then((page) => page.CircleAuditPage),
  '/newsAdmin/newsList': () => import('../news/news-list.page.tsx').then((page) => page.NewsListPage),
  '/newsAdmin/newsList/add': () => import('../news/news-form.page.tsx').then((page) => page.NewsFormPage),
  '/newsAdmin/newsList/edit': () => import('../news/news-form.page.tsx').then((page) => page.NewsFormPage),
  '/newsAdmin/newsList/detail': () => import('../news/news-detail.page.tsx').then((page) => page.NewsDetailPage),
  '/newsAdmin/newsCategory': () => import('../news/news-category.page.tsx').then((page) => page.NewsCategoryPage),
  '/personalCenter/community': () => import('../circles/my-circles.page.tsx').then((page) => page.MyCirclesPage),
  '/personalCenter/community/detail': () =>
    import('../circles/circle-detail.page.tsx').then((page) => page.CircleDetailPage),
  '/courseManagement/Reward': () => import('../awards/award-list.page.tsx').then((page) => page.AwardListPage),
  '/personnelAdmin/academyAdmin': () =>
    import('../organisation/college-list.page.tsx').then((page) => page.CollegeListPage),
  '/personnelAdmin/professionalAdmin': () =>
    import('../organisation/major-list.page.tsx').then((page) => page.MajorListPage),
  '/personnelAdmin/classAdmin': () => import('../organisation/class-list.page.tsx').then((page) => page.ClassListPage),
  '/personnelAdmin/departmentForm': () =>
    import('../organisation/departments.page.tsx').then((page) => page.DepartmentsPage),
  '/personnelAdmin/studentAdmin': () => import('../people/student-list.page.tsx').then((page) => page.StudentListPage),
  '/personnelAdmin/studentAdmin/add': () =>
    import('../people/student-form.page.tsx').then((page) => page.StudentFormPage),
  '/personnelAdmin/studentAdmin/edit': () =>
    import('../people/student-form.page.tsx').then((page) => page.StudentFormPage),
  '/personnelAdmin/studentAdmin/detail': () =>
    import('../people/student-detail.page.tsx').then((page) => page.StudentDetailPage),
  '/personnelAdmin/studentAdmin/graduation': () =>
    import('../people/graduation.page.tsx').then((page) => page.GraduationPage),
  '/personnelAdmin/teacherAdmin': () => import('../people/teacher-list.page.tsx').then((page) => page.TeacherListPage),
  '/personnelAdmin/teacherAdmin/add': () =>
    import('../people/teacher-form.page.tsx').then((page) => page.TeacherFormPage),
  '/personnelAdmin/teacherAdmin/edit': () =>
    import('../people/teacher-form.page.tsx').then((page) => page.TeacherFormPage),
  '/personnelAdmin/teacherAdmin/detail': () =>
    import('../people/teacher-detail.page.tsx').then((page) => page.TeacherDetailPage),
  '/personnelAdmin/roleAdmin': () => import('../roles/role-list.page.tsx').then((page) => page.RoleListPage),
  '/personnelAdmin/roleAdmin/addRole': () => import('../roles/role-form.page.tsx').then((page) => page.RoleAddPage),
  '/personnelAdmin/roleAdmin/editRole': () => import('../roles/role-form.page.tsx').then((page) => page.RoleEditPage),
  '/personnelAdmin/memberAdmin': () => import('../roles/member-list.page.tsx').then((page) => page.MemberListPage),
  '/StatisticsAdmin/loginStatistics': () =>
    import('../statistics/login-statistics.page.tsx').then((page) => page.LoginStatisticsPage),
  '/StatisticsAdmin/ReleaseStatistics': () =>
    import('../statistics/lesson-statistics.page.tsx').then((page) => page.LessonStatisticsPage),
  '/StatisticsAdmin/RecordStatistics': () =>
    import('../statistics/supplement-statistics.page.tsx').then((page) => page.SupplementStatisticsPage),
  '/StatisticsAdmin/AbilityStatistics': () =>
    import('../statistics/ability-statistics.page.tsx').then((page) => page.AbilityStatisticsPage),
  '/StatisticsAdmin/CircleStatistics': () =>
    import('../statistics/circle-statistics.page.tsx').then((page) => page.CircleStatisticsPage),
  '/StatisticsAdmin/StudentStatistics': () =>
    import('../statistics/student-statistics.page.tsx').then((page) => page.StudentStatisticsPage),
  '/StatisticsAdmin/TeacherStatistics': () =>
    import('../statistics/teacher-statistics.page.tsx').then((page) => page.TeacherStatisticsPage),
  '/QualityModel2': () => import('../labels/model.page.tsx').then((page) => page.ModelPage),
  '/StatisticsAdmin/TeacherStatistics/sheet': () =>
    import('../statistics/teacher-sheet.page.tsx').then((page) => page.TeacherSheetPage),
  '/StatisticsAdmin/ThresholdStatistics': () =>
    import('../thresholds/threshold.page.tsx').then((page) => page.ThresholdPage),
  '/personnelAdmin/memberAdmin/access': () => import('../roles/access.page.tsx').then((page) => page.AccessPage),
  '/personalCenter/course': () => import('../lessons/own-lessons.page.tsx').then((page) => page.OwnLessonsPage),
  '/personalCenter/course/detail': () =>
    import('../lessons/lesson-detail.page.tsx').then((page) => page.LessonDetailPage),
  '/personalCenter/account': () => import('../personal/account.page.tsx').then((page) => page.AccountPage),
  '/personalCenter/message': () => import('../messages/message-list.page.tsx').then((page) => page.MessageListPage),
  '/personalCenter/sendMessage': () => import('../messages/send-message.page.tsx').then((page) => page.SendMessagePage),
  '/personalCenter/modifyPwd': () => import('./modify-password.page.tsx').then((page) => page.ModifyPasswordPage),
}

const loaded = new Map<string, ComponentType>()

/** The loader of a path, if the path is a built screen. */
export function pageAt(path: string): PageLoader | undefined {
  const load = Object.hasOwn(pages, path) ? pages[path as ScreenPath] : undefined
  if (!load) return undefined
  return async () => {
    const page = await load()
    loaded.set(path, page)
    return page
  }
}

/**
 * The screen of a path that has been loaded already. React keeps the place of one it must wait for, however shortly,
 * for a third of a second.
 */
export const loadedPage = (path: string): ComponentType | undefined => loaded.get(path)
