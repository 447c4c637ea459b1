import type { ComponentType } from 'react'
import type { ScreenPath } from '../../contract/screens.ts'

/** Fetches a screen's component; each is a chunk of its own. */
export type PageLoader = () => Promise<ComponentType>

/** The component of every screen that is built; screens without one are neither in the menu nor reachable. */
export const pages: Partial<Record<ScreenPath, PageLoader>> = {
  '/home': () => import('./home.page.tsx').then((page) => page.HomePage),
  '/transcript/transcriptList': () => import('../transcripts/transcript-list.page.tsx').then((page) => page.TranscriptListPage),
  '/transcript/transcriptDetail': () => import('../transcripts/transcript-detail.page.tsx').then((page) => page.TranscriptDetailPage),
  '/courseManagement/CurriculumList': () => import('../lessons/lesson-list.page.tsx').then((page) => page.LessonListPage),
  '/courseManagement/CurriculumList/Participants': () => import('../lessons/participants.page.tsx').then((page) => page.ParticipantsPage),
  '/courseManagement/CurriculumList/SignBoard': () => import('../lessons/sign-board.page.tsx').then((page) => page.SignBoardPage),
  '/courseManagement/addCurriculumList': () => import('../lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/editCurriculumList': () => import('../lessons/lesson-form.page.tsx').then((page) => page.LessonFormPage),
  '/courseManagement/detailCurriculumList': () => import('../lessons/lesson-detail.page.tsx').then((page) => page.LessonDetailPage),
  '/checkAdmin/publishCheck': () => import('../approvals/queue.page.tsx').then((page) => page.PublishQueuePage),
  '/checkAdmin/resultCheck': () => import('../approvals/queue.page.tsx').then((page) => page.ResultQueuePage),
  '/checkAdmin/publishCheckDetail': () => import('../approvals/application-detail.page.tsx').then((page) => page.PublishDetailPage),
  '/checkAdmin/resultCheckDetail': () => import('../approvals/application-detail.page.tsx').then((page) => page.ResultDetailPage),
  '/checkAdmin/CourseResult': () => import('../approvals/course-result.page.tsx').then((page) => page.CourseResultPage),
  '/basicConfig/quality': () => import('../labels/labels.page.tsx').then((page) => page.LabelsPage),
  '/basicConfig/CurriculumSystem': () => import('../curriculum/curriculum.page.tsx').then((page) => page.CurriculumPage),
  '/basicConfig/ProcessManagement': () => import('../workflow/flow-list.page.tsx').then((page) => page.FlowListPage),
  '/basicConfig/ProcessManagement/AddProcessManagement': () => import('../workflow/flow-editor.page.tsx').then((page) => page.FlowAddPage),
  '/basicConfig/ProcessManagement/editProcessManagement': () => import('../workflow/flow-editor.page.tsx').then((page) => page.FlowEditPage),
  '/basicConfig/ProcessManagement/CloneProcessManagement': () => import('../workflow/flow-editor.page.tsx').then((page) => page.FlowClonePage),
  '/basicConfig/auditLog': () => import('../audit/audit-list.page.tsx').then((page) => page.AuditListPage),
  '/basicConfig/ProcessManagement/CoverageMap': () => import('../workflow/coverage.page.tsx').then((page) => page.CoveragePage),
  '/basicConfig/ProcessManagement/FlowSandbox': () => import('../workflow/sandbox.page.tsx').then((page) => page.SandboxPage),
  '/basicConfig/EvaluationSystem': () => import('../evaluation/evaluation-list.page.tsx').then((page) => page.EvaluationListPage),
  '/basicConfig/EvaluationSystem/AddEvaluationSystem': () => import('../evaluation/evaluation-add.page.tsx').then((page) => page.EvaluationAddPage),
  '/basicConfig/EvaluationSystem/EditEvaluationSystem': () => import('../evaluation/evaluation-edit.page.tsx').then((page) => page.EvaluationEditPage),
  '/basicConfig/Transformation': () => import('../transformation/transformation-list.page.tsx').then((page) => page.TransformationListPage),
  '/basicConfig/addStepsSet': () => import('../workflow/steps.page.tsx').then((page) => page.StepsPage),
  '/basicConfig/schoolInfo': () => import('../school/school-info.page.tsx').then((page) => page.SchoolInfoPage),
  '/courseManagement/Reward': () => import('../awards/award-list.page.tsx').then((page) => page.AwardListPage),
  '/personnelAdmin/academyAdmin': () => import('../organisation/college-list.page.tsx').then((page) => page.CollegeListPage),
  '/personnelAdmin/professionalAdmin': () => import('../organisation/major-list.page.tsx').then((page) => page.MajorListPage),
  '/personnelAdmin/classAdmin': () => import('../organisation/class-list.page.tsx').then((page) => page.ClassListPage),
  '/personnelAdmin/departmentForm': () => import('../organisation/departments.page.tsx').then((page) => page.DepartmentsPage),
  '/personnelAdmin/studentAdmin': () => import('../people/student-list.page.tsx').then((page) => page.StudentListPage),
  '/personnelAdmin/studentAdmin/add': () => import('../people/student-form.page.tsx').then((page) => page.StudentFormPage),
  '/personnelAdmin/studentAdmin/edit': () => import('../people/student-form.page.tsx').then((page) => page.StudentFormPage),
  '/personnelAdmin/studentAdmin/detail': () => import('../people/student-detail.page.tsx').then((page) => page.StudentDetailPage),
  '/personnelAdmin/studentAdmin/graduation': () => import('../people/graduation.page.tsx').then((page) => page.GraduationPage),
  '/personnelAdmin/teacherAdmin': () => import('../people/teacher-list.page.tsx').then((page) => page.TeacherListPage),
  '/personnelAdmin/teacherAdmin/add': () => import('../people/teacher-form.page.tsx').then((page) => page.TeacherFormPage),
  '/personnelAdmin/teacherAdmin/edit': () => import('../people/teacher-form.page.tsx').then((page) => page.TeacherFormPage),
  '/personnelAdmin/teacherAdmin/detail': () => import('../people/teacher-detail.page.tsx').then((page) => page.TeacherDetailPage),
  '/personnelAdmin/roleAdmin': () => import('../roles/role-list.page.tsx').then((page) => page.RoleListPage),
  '/personnelAdmin/roleAdmin/addRole': () => import('../roles/role-form.page.tsx').then((page) => page.RoleAddPage),
  '/personnelAdmin/roleAdmin/editRole': () => import('../roles/role-form.page.tsx').then((page) => page.RoleEditPage),
  '/personnelAdmin/memberAdmin': () => import('../roles/member-list.page.tsx').then((page) => page.MemberListPage),
  '/QualityModel2': () => import('../labels/model.page.tsx').then((page) => page.ModelPage),
  '/personnelAdmin/memberAdmin/access': () => import('../roles/access.page.tsx').then((page) => page.AccessPage),
  '/personalCenter/message': () => import('../messages/message-list.page.tsx').then((page) => page.MessageListPage),
  '/personalCenter/sendMessage': () => import('../messages/send-message.page.tsx').then((page) => page.SendMessagePage),
  '/personalCenter/modifyPwd': () => import('./modify-password.page.tsx').then((page) => page.ModifyPasswordPage),
}

/** The loader of a path, if the path is a built screen. */
export const pageAt = (path: string): PageLoader | undefined => (Object.hasOwn(pages, path) ? pages[path as ScreenPath] : undefined)
