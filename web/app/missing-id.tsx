import { Link } from 'react-router'
import { quoted } from '../../contract/core/quotes.ts'
import type { OpenTab } from './tabs.ts'

/** What an address has to name for its screen to show anything, and what that is called. */
const demanded: Record<string, { names: readonly string[]; what: string; home: string; title: string }> = {}
const demand = (home: string, title: string, what: string, names: readonly string[], ...paths: string[]) => {
  for (const path of paths) demanded[path] = { names, what, home, title }
}
const courses = '/courseManagement/CurriculumList'
demand(
  courses,
  '课程列表',
  '课程',
  ['liId'],
  `${courses}/Participants`,
  `${courses}/SignBoard`,
  '/courseManagement/editCurriculumList',
  '/courseManagement/editIndustryCurriculumList',
  '/courseManagement/detailCurriculumList',
  '/courseManagement/detailIndustryCurriculumList',
  '/checkAdmin/CourseResult',
)
demand('/courseManagement/Question', '质疑举报课程', '质疑', ['qId'], '/courseManagement/Question/QuestionDetail')
demand(
  '/courseManagement/RecordingCourse',
  '补录课程',
  '补录',
  ['lisId'],
  '/courseManagement/RecordingCourse/edit',
  '/courseManagement/RecordingCourse/detail',
)
const students = '/personnelAdmin/studentAdmin'
demand(students, '学生管理', '学生', ['suId'], `${students}/edit`, `${students}/detail`)
const teachers = '/personnelAdmin/teacherAdmin'
demand(teachers, '教师管理', '教师', ['suId'], `${teachers}/edit`, `${teachers}/detail`)
demand('/personnelAdmin/roleAdmin', '角色管理', '角色', ['id'], '/personnelAdmin/roleAdmin/editRole')
const circles = '/communityAdmin/communityList'
demand(circles, '圈子列表', '圈子', ['ciId'], `${circles}/edit`, `${circles}/detail`)
const news = '/newsAdmin/newsList'
demand(news, '新闻列表', '新闻', ['niId'], `${news}/edit`, `${news}/detail`)
const own = '/personalCenter'
demand(`${own}/course`, '我指导的课程', '课程', ['liId'], `${own}/course/detail`)
demand(`${own}/community`, '我指导的圈子', '圈子', ['ciId'], `${own}/community/detail`)
const queues = '/checkAdmin'
demand(`${queues}/publishCheck`, '发布审批', '课程', ['liId'], `${queues}/publishCheckDetail`)
demand(`${queues}/resultCheck`, '结果审批', '课程', ['liId'], `${queues}/resultCheckDetail`)
demand(`${queues}/supplementCheck`, '补录审批', '补录', ['lisId'], `${queues}/supplementCheckDetail`)
demand(`${queues}/informCheck`, '质疑举报审批', '质疑', ['qId'], `${queues}/informCheckDetail`)
demand('/transcript/transcriptList', '成绩单查看', '学生', ['suId'], '/transcript/transcriptDetail')
const flows = '/basicConfig/ProcessManagement'
demand(flows, '流程管理', '流程', ['wfId'], `${flows}/editProcessManagement`, `${flows}/CloneProcessManagement`)
demand(
  '/basicConfig/EvaluationSystem',
  '评价体系',
  '评价规则',
  ['esId'],
  '/basicConfig/EvaluationSystem/EditEvaluationSystem',
)

const anId = /^[\w-]{1,64}$/

/**
 * What the address of a tab does not tell although its screen cannot do without; undefined where nothing is missing.
 */
export function missingOf({ screen, location }: OpenTab) {
  const wanted = demanded[screen.path]
  if (!wanted) return undefined
  const query = new URLSearchParams(location.search)
  return wanted.names.every((name) => anId.test(query.get(name) ?? '')) ? undefined : wanted
}

/** Stands in for a screen whose address names no record: says so, and leads to where one is chosen. */
export function MissingId({ what, home, title }: { what: string; home: string; title: string }) {
  return (
    <div className="crash">
      <h1>没有指明要打开的{what}</h1>
      <p>这个地址不完整，可能是复制时少了一段。</p>
      <p>
        <Link to={home}>到{quoted(title)}中选择</Link>
      </p>
    </div>
  )
}
