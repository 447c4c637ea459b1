import { dataScope } from '../../../contract/core/codes/school.ts'
/**
 * A role every school starts with. `permits` are rights or patterns (`lesson:*`, `*:list`, `*`), without those after
 * `!`; see docs/rules.md R40.
 */
interface RoleSeed {
  srCode: string
  srName: string
  srDesc: string
  /** 1 school, 2 college, 3 major, 4 class, 5 curriculum, 6 department, 9 own records. */
  dataScope: string
  permits: string[]
}

const organise = [
  'lesson:list',
  'lesson:edit',
  'lesson:delete',
  'lesson:publish',
  'lesson:register',
  'lesson:sign',
  'lesson:award',
  'lesson:result',
  'lesson:export',
]
/** Seeing, exporting, passing and refusing what waits for them are rights of their own, kind by kind. */
const decideOn = {
  courses: [
    'publishqueue:list',
    'publishqueue:export',
    'approval:publish',
    'approval:publishRefuse',
    'resultqueue:list',
    'resultqueue:export',
    'approval:result',
    'approval:resultRefuse',
  ],
  supplements: ['supqueue:list', 'supqueue:export', 'approval:supplement', 'approval:supplementRefuse'],
  questions: ['questionqueue:list', 'questionqueue:export', 'approval:question', 'approval:questionRefuse'],
}
const decide = Object.values(decideOn).flat()
/** Enters supplement records for the students of an area. */
const record = ['sup:list', 'sup:edit']
/** Taking in and settling questions about results. */
const question = ['question:list', 'question:export', 'question:add', 'question:handle', 'question:identity']
/** What a college does with its students; graduating them is the school's. */
const lookAfter = [
  'student:list',
  'student:export',
  'student:edit',
  'student:delete',
  'student:resetPwd',
  'student:credibility',
]
/** What guides of circles do with their own, and what those who look after circles do with all in their area. */
const guideCircles = ['circle:list', 'circle:export', 'circle:edit']
const lookAfterCircles = [...guideCircles, 'circle:enable', 'circle:delete', 'circle:audit']
const writeNews = ['news:list', 'news:edit', 'news:publish', 'news:delete']
/** The statistics that a college, a class or the school's heads look at; those of sign-ins are the school's. */
const figures = [
  'lessonstat:list',
  'supstat:list',
  'abilitystat:list',
  'circlestat:list',
  'studentstat:list',
  'teacherstat:list',
]
/** Of these what tells of courses, circles and colleges, not of single students or members of staff. */
const figuresToTake = ['lessonstat:export', 'abilitystat:export', 'circlestat:export']
const lookUp = [
  'college:list',
  'major:list',
  'class:list',
  'department:list',
  'curriculum:list',
  'evaluation:list',
  'award:list',
  'label:list',
]

/** Lists of people are exported by those who work with them; who only looks at them takes none out (decision 133). */
export const roleSeeds: readonly RoleSeed[] = [
  {
    srCode: 'SCHOOL_ADMIN',
    srName: '校级管理员',
    srDesc: '校团委，管理全校第二课堂',
    dataScope: dataScope.school,
    permits: ['*'],
  },
  {
    srCode: 'SCHOOL_AUDIT',
    srName: '校级审核员',
    srDesc: '审核课程、结果、补录与质疑',
    dataScope: dataScope.school,
    permits: [
      '*:list',
      '!audit:list',
      'lesson:publicity',
      'sup:publicity',
      'sup:export',
      'supstat:export',
      'message:send',
      'circle:audit',
      'circle:export',
      ...decide,
      ...question,
      ...figuresToTake,
    ],
  },
  {
    srCode: 'COLLEGE_LEAGUE',
    srName: '院系团委',
    srDesc: '管理本学院的课程、学生与审批',
    dataScope: dataScope.college,
    permits: [
      ...organise,
      ...lookAfterCircles,
      ...writeNews,
      'lesson:publicity',
      ...record,
      'sup:publicity',
      'sup:export',
      'message:send',
      ...decide,
      ...question,
      ...lookUp,
      'model:list',
      ...lookAfter,
      'pii:view',
      'teacher:list',
      'teacher:export',
      'department:export',
      'class:edit',
      'role:list',
      'role:export',
      'role:grant',
      'workflow:list',
      'transformation:list',
      'transcript:*',
      'threshold:list',
      'threshold:export',
      'threshold:prompt',
      'audit:list',
      'audit:export',
      'loginstat:list',
      'loginstat:export',
      ...figures,
      ...figuresToTake,
      'supstat:export',
      'studentstat:export',
      'teacherstat:export',
    ],
  },
  {
    srCode: 'COUNSELOR',
    srName: '辅导员',
    srDesc: '所带班级的学生与课程',
    dataScope: dataScope.schoolClass,
    permits: [
      ...organise,
      'circle:list',
      'sup:list',
      'message:send',
      ...decide,
      'question:list',
      'question:export',
      'question:add',
      'student:list',
      'student:export',
      'pii:view',
      'class:list',
      'transcript:list',
      'transcript:export',
      'transcript:exportIssues',
      'threshold:list',
      'threshold:export',
      'threshold:prompt',
      'supstat:list',
      'supstat:export',
      'abilitystat:list',
      'abilitystat:export',
      'studentstat:list',
      'studentstat:export',
    ],
  },
  {
    srCode: 'CLASS_TUTOR',
    srName: '班主任',
    srDesc: '查看所带班级',
    dataScope: dataScope.schoolClass,
    permits: ['lesson:list', 'message:send', 'student:list', 'class:list', 'transcript:list', 'threshold:list'],
  },
  {
    srCode: 'DEPT_ADMIN',
    srName: '部门管理员',
    srDesc: '业务指导单位，管理本部门的课程',
    dataScope: dataScope.department,
    permits: [
      ...organise,
      ...guideCircles,
      'circle:audit',
      ...writeNews,
      'lesson:publicity',
      'sup:list',
      'message:send',
      ...decide,
      'question:list',
      'question:export',
      'question:add',
      'question:handle',
      ...lookUp,
      'department:export',
      'student:list',
      'teacher:list',
      'lessonstat:list',
      'lessonstat:export',
      'circlestat:list',
      'circlestat:export',
    ],
  },
  {
    srCode: 'MODULE_OWNER',
    srName: '模块负责人',
    srDesc: '负责一个课程模块的审批与公示',
    dataScope: dataScope.curriculum,
    permits: [
      'lesson:list',
      'lesson:publicity',
      'lesson:export',
      'sup:list',
      'sup:publicity',
      'sup:export',
      'message:send',
      ...decide,
      'question:list',
      'question:export',
      'question:handle',
      ...lookUp,
      'lessonstat:list',
      'lessonstat:export',
      'supstat:list',
      'supstat:export',
    ],
  },
  {
    srCode: 'GUIDE_TEACHER',
    srName: '指导老师',
    srDesc: '发起并管理自己的课程',
    dataScope: dataScope.self,
    permits: [
      ...organise,
      ...guideCircles,
      'message:send',
      'question:list',
      'question:export',
      'question:handle',
      'curriculum:list',
      'award:list',
      'lessonstat:list',
      'lessonstat:export',
    ],
  },
  {
    srCode: 'LEAGUE_SEC',
    srName: '团支书',
    srDesc: '本班的活动与学生',
    dataScope: dataScope.schoolClass,
    permits: [
      'lesson:list',
      'lesson:edit',
      'lesson:delete',
      'lesson:publish',
      'lesson:register',
      'lesson:sign',
      'lesson:award',
      'lesson:result',
      ...record,
      'student:list',
      'transcript:list',
      ...decideOn.supplements,
      'question:list',
      'question:add',
      'circle:list',
      'supstat:list',
      'abilitystat:list',
      'studentstat:list',
    ],
  },
  {
    srCode: 'CLUB_MGR',
    srName: '社团管理部',
    srDesc: '管理学生社团与圈子',
    dataScope: dataScope.school,
    permits: [
      'lesson:list',
      'message:send',
      ...decideOn.courses,
      ...lookAfterCircles,
      'circle:category',
      'circlestat:list',
      'circlestat:export',
    ],
  },
  {
    srCode: 'CLUB_LEAD',
    srName: '社团负责人',
    srDesc: '发起本社团的课程',
    dataScope: dataScope.self,
    permits: [...organise, ...guideCircles],
  },
  {
    srCode: 'SIGN_MGR',
    srName: '签到负责人',
    srDesc: '只负责指定课程的签到',
    dataScope: dataScope.self,
    permits: ['lesson:list', 'lesson:sign'],
  },
  {
    srCode: 'NEWS_EDITOR',
    srName: '新闻编辑',
    srDesc: '编辑与发布新闻',
    dataScope: dataScope.self,
    permits: ['news:*'],
  },
  {
    srCode: 'DATA_VIEWER',
    srName: '校领导',
    srDesc: '只读查看与统计',
    dataScope: dataScope.school,
    permits: [
      'lesson:list',
      'sup:list',
      'student:list',
      'teacher:list',
      'transcript:list',
      'threshold:list',
      'model:list',
      ...lookUp,
      'loginstat:list',
      ...figures,
      ...figuresToTake,
    ],
  },
  {
    srCode: 'AUDITOR',
    srName: '督查',
    srDesc: '只读查看记录与日志',
    dataScope: dataScope.school,
    permits: ['*:list', 'audit:verify', 'audit:export'],
  },
]

/** The rights among `known` that a pattern list opens. */
export function expandPermits(patterns: readonly string[], known: Iterable<string>): string[] {
  return [...known].filter((permit) => {
    const [noun, verb] = permit.split(':')
    return (
      !patterns.includes(`!${permit}`) &&
      patterns.some(
        (pattern) => pattern === '*' || pattern === permit || pattern === `${noun}:*` || pattern === `*:${verb}`,
      )
    )
  })
}
