import type { Call } from '../contract/core/call.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { circleApi } from '../contract/programme/circles/circles.calls.ts'
import { evaluationApi } from '../contract/rules/evaluation/evaluation.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { newsApi } from '../contract/platform/news/news.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { disputeApi } from '../contract/programme/disputes/disputes.calls.ts'
import { memberApi } from '../contract/school/roles/members.calls.ts'
import { roleApi } from '../contract/school/roles/roles.calls.ts'
import { teacherStatApi } from '../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { workflowApi } from '../contract/rules/workflow/workflow.calls.ts'
import { Client } from '../server/testing/client.ts'

type Row = Record<string, string | null>
interface Subject {
  /** Where the records of a screen are listed, and which of the rows will do. */
  list: Call
  suits?: (row: Row) => boolean
  /** The field that says which record it is, and its name in the address where that is another one. */
  key: string
  param?: string
  /** Where to look when the list has none: whoever sees all need not have been asked themselves. */
  otherwise?: Subject
}

const lesson: Subject = { list: lessonApi.view, key: 'liId' }
const able = (act: string): Pick<Subject, 'suits'> => ({ suits: ({ can }) => (can ?? '').includes(act) })
const draft: Subject = { ...lesson, ...able('edit') }
const [student, teacher, circle, news, flow, sup]: Subject[] = [
  { list: studentApi.list, key: 'suId' },
  { list: teacherApi.list, key: 'suId' },
  { list: circleApi.list, key: 'ciId' },
  { list: newsApi.list, key: 'niId' },
  { list: workflowApi.list, key: 'wfId' },
  { list: supplementApi.list, key: 'lisId' },
] as const

/** A matter that the person is to decide, or else one that they may look at. */
const asked = (list: Call, param: string, otherwise: Subject): Subject => ({ list, key: 'bizId', param, otherwise })
const within = (...states: string[]): Subject => ({
  ...lesson,
  suits: ({ liStatus }) => states.includes(liStatus ?? ''),
})
const question: Subject = { list: disputeApi.list, key: 'qId' }

/** The screens that show one record, with where such records are found. */
const subjects: Record<string, Subject> = {
  '/transcript/transcriptDetail': { list: transcriptApi.list, key: 'suId' },
  '/basicConfig/ProcessManagement/editProcessManagement': flow!,
  '/basicConfig/ProcessManagement/CloneProcessManagement': flow!,
  '/basicConfig/addStepsSet': flow!,
  '/basicConfig/EvaluationSystem/EditEvaluationSystem': { list: evaluationApi.all, key: 'esId' },
  '/courseManagement/CurriculumList/Participants': lesson,
  '/courseManagement/CurriculumList/SignBoard': {
    ...lesson,
    ...able('sign'),
    otherwise: { ...lesson, ...able('register') },
  },
  '/courseManagement/editCurriculumList': draft,
  '/courseManagement/editIndustryCurriculumList': draft,
  '/courseManagement/detailIndustryCurriculumList': lesson,
  '/courseManagement/detailCurriculumList': lesson,
  '/courseManagement/RecordingCourse/edit': { ...sup!, ...able('edit') },
  '/courseManagement/RecordingCourse/detail': sup!,
  '/courseManagement/Question/QuestionPersonnel': lesson,
  '/courseManagement/Question/QuestionDetail': question,
  '/checkAdmin/publishCheckDetail': asked(approvalApi.publishQueue, 'liId', within('10', '11')),
  '/checkAdmin/resultCheckDetail': asked(approvalApi.resultQueue, 'liId', within('40', '60', '70')),
  '/checkAdmin/supplementCheckDetail': asked(approvalApi.supQueue, 'lisId', sup!),
  '/checkAdmin/informCheckDetail': asked(approvalApi.questionQueue, 'qId', question),
  '/checkAdmin/CourseResult': asked(approvalApi.resultQueue, 'liId', within('40', '60', '70')),
  '/personnelAdmin/studentAdmin/edit': student!,
  '/personnelAdmin/studentAdmin/detail': student!,
  '/personnelAdmin/teacherAdmin/edit': teacher!,
  '/personnelAdmin/teacherAdmin/detail': teacher!,
  '/personnelAdmin/roleAdmin/editRole': { list: roleApi.list, key: 'srId', param: 'id' },
  '/personnelAdmin/memberAdmin/access': { list: memberApi.list, key: 'suId' },
  '/StatisticsAdmin/TeacherStatistics/sheet': { list: teacherStatApi.detail, key: 'suId' },
  '/communityAdmin/communityList/edit': circle!,
  '/communityAdmin/communityList/detail': circle!,
  '/newsAdmin/newsList/edit': news!,
  '/newsAdmin/newsList/detail': news!,
  '/personalCenter/community/detail': circle!,
  '/personalCenter/course/detail': lesson,
}

/** The program that serves the journeys. */
const ownProgram = `http://127.0.0.1:${process.env['E2E_PORT'] ?? 18_200}`

/** More that the same screens show, of a record unlike the first: a course for teams, with its teams and its people. */
export async function moreAddresses(
  token: string,
  screens: readonly string[],
  program = ownProgram,
): Promise<string[]> {
  const participants = '/courseManagement/CurriculumList/Participants'
  if (!screens.includes(participants)) return []
  const client = new Client(program, token)
  const { records } = await client.send(lessonApi.view, { current: 1, pageSize: 10, liName: '组队报名' })
  return records
    .slice(0, 1)
    .flatMap(({ liId }) => [
      `${participants}?liId=${liId}&part=teams`,
      `${participants}?liId=${liId}&part=people`,
      `/courseManagement/detailCurriculumList?liId=${liId}`,
    ])
}

/**
 * The address of a screen; one that shows a record names the first that this person may see, and is undefined when
 * there is none.
 */
export async function addressOf(path: string, token: string, program = ownProgram): Promise<string | undefined> {
  const client = new Client(program, token)
  if (!(path in subjects)) return path
  for (let subject = subjects[path]; subject; subject = subject.otherwise) {
    const reply = await client.ask(subject.list, { current: 1, currentPageNum: 1, pageSize: 100 })
    // who may open a screen need not be allowed the list by which we look for its records; any other refusal is a fault
    if (reply.code !== 200 && reply.status !== 403) throw new Error(`${path}: ${reply.msg}`)
    const rows = (reply.data as { records?: Row[] } | null)?.records ?? []
    const row = rows.find(subject.suits ?? (() => true))
    if (row) return `${path}?${subject.param ?? subject.key}=${row[subject.key]}`
  }
  return undefined
}
