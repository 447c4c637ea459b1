import { codeList, wordList, type CodeOf } from './code-list.ts'

/** What a school sets its programme by: the curriculum, awards, approval flows and conversions. */

export const formScheme = wordList({ standard: '标准表单', industry: '行业课程表单', medical: '医科大学课程表单' })

/** What a course of a medical university trains. */
export const medicalCategory = codeList({
  clinical: ['1', '临床见习'],
  nursing: ['2', '护理实践'],
  publicHealth: ['3', '公共卫生与健康宣教'],
  firstAid: ['4', '急救培训'],
  research: ['5', '医学科研'],
  pharmacy: ['6', '医药技能竞赛'],
})

/** Labels that courses carry: those of the platform's catalogue of quality labels, by its ids. */
export const lessonLabel = wordList({
  'virtue-1': '理想信念',
  'virtue-2': '道德诚信',
  'virtue-3': '家国情怀',
  'wisdom-1': '学习研究',
  'wisdom-2': '批判思维',
  'wisdom-3': '创新创造',
  'wisdom-4': '数字素养',
  'wisdom-5': '国际视野',
  'body-1': '身心健康',
  'body-2': '意志毅力',
  'beauty-1': '审美表达',
  'beauty-2': '人文素养',
  'work-1': '劳动实践',
  'work-2': '志愿奉献',
  'work-3': '职业技能',
  'general-1': '沟通表达',
  'general-2': '团队协作',
  'general-3': '组织领导',
  'general-4': '执行力',
  'general-5': '解决问题',
})

/** What a system of the curriculum is for. */
export const curriculumType = codeList({
  lessons: ['1', '课程活动'],
  supplements: ['2', '补录'],
  both: ['3', '课程与补录'],
})

export const curriculumIcon = wordList({
  flag: '旗帜',
  compass: '指南针',
  heart: '爱心',
  bulb: '灯泡',
  trophy: '奖杯',
  idcard: '工作证',
  tool: '工具',
  build: '劳动',
  book: '书本',
  experiment: '实验',
  team: '团队',
  star: '星',
  smile: '笑脸',
  global: '地球',
  crown: '桂冠',
  audio: '话筒',
})

/** What a supplement has to be proved with. */
export const supProof = codeList({
  text: ['1', '文字说明'],
  image: ['2', '图片'],
  file: ['3', '附件文件'],
  certificateNumber: ['4', '证书编号'],
  url: ['5', '查询网址'],
})

export const awardType = codeList({
  grade: ['1', '等级奖'],
  rank: ['2', '名次奖'],
  medal: ['3', '金银铜奖'],
  title: ['4', '称号'],
  pass: ['5', '合格制'],
  office: ['6', '任职考核'],
})

export const awardTier = codeList({
  grand: ['1', '特等'],
  first: ['2', '一等'],
  second: ['3', '二等'],
  third: ['4', '三等'],
  merit: ['5', '优秀或鼓励'],
  participation: ['6', '参与'],
  ungraded: ['9', '不分等级'],
})

/** How many may be given an award. */
export const quotaType = codeList({
  unlimited: ['0', '不限'],
  count: ['1', '人数'],
  percent: ['2', '占比（%）'],
})

/** `wfType`: what a flow approves. */
export const flowType = codeList({
  lesson: ['1', '课程流程'],
  supplement: ['2', '补录流程'],
})

/** The places in the life of a course or supplement where a flow can ask for approval. */
export const flowNode = codeList({
  publish: ['PUBLISH', '发布'],
  signUp: ['SIGNUP', '报名'],
  signIn: ['SIGNIN', '签到'],
  result: ['RESULT', '结果'],
  notice: ['PUBLICITY', '公示与质疑'],
  supplement: ['SUPPLEMENT', '补录'],
})

/** How the people of one step decide together. */
export const flowStepType = codeList({
  anyOne: ['1', '或签'],
  everyone: ['2', '会签'],
  inTurn: ['3', '依次会签'],
  vote: ['4', '票签'],
  copy: ['5', '抄送'],
  autoPass: ['6', '自动通过'],
})

/** Who decides a step. */
export const flowCheckerType = codeList({
  people: ['1', '指定人员'],
  role: ['2', '指定角色'],
  department: ['3', '指定部门'],
  startersCollege: ['4', '发起人所在学院团委'],
  startersDepartmentHead: ['5', '发起人所在部门负责人'],
  classSecretary: ['6', '学生所在班级团支书'],
  counsellor: ['7', '学生辅导员'],
  principal: ['8', '课程负责人'],
  teacher: ['9', '指导老师'],
  circleTeacher: ['10', '圈子指导老师'],
  moduleOwner: ['11', '模块负责人'],
  namedByLastStep: ['12', '上一步审批人指定'],
})

/** What happens to a step that nobody can decide. */
export const noApproverPolicy = wordList({ block: '阻止提交', admin: '转校级管理员', skip: '跳过该步骤' })

/** What happens to a step that nobody decides in time. */
export const timeoutAction = codeList({
  markOnly: ['0', '仅标记逾期'],
  remind: ['1', '催办提醒'],
  escalate: ['2', '升级给角色'],
  autoPass: ['3', '自动通过'],
  autoRefuse: ['4', '自动驳回'],
})
export type TimeoutAction = CodeOf<typeof timeoutAction>

/** Who a refusal may go back to. */
export const rejectTarget = wordList({ start: '发起人', prev: '发起人或上一步', any: '发起人或任一前序步骤' })

export const flowStatus = codeList({
  draft: ['2', '草稿'],
  enabled: ['1', '启用'],
  disabled: ['0', '停用'],
})

/** What a conversion rule counts. */
export const convertFrom = codeList({
  hours: ['1', '学时'],
  credit: ['2', '学分'],
  points: ['3', '积分'],
  volunteerHours: ['4', '志愿时长'],
  certificates: ['5', '证书数'],
})

/** What a conversion rule makes of it. */
export const convertTo = codeList({
  credit: ['1', '学分'],
  mark: ['2', '成绩'],
  stars: ['3', '星级'],
})

export const convertMode = codeList({
  linear: ['1', '线性'],
  bands: ['2', '分段'],
  lookup: ['3', '查表'],
})

export const rounding = codeList({
  nearest: ['1', '四舍五入'],
  down: ['2', '向下取整'],
  up: ['3', '向上取整'],
})

/** `llId` of the levels of courses that every school starts with; it may rename them, drop some and add its own. */
export const lessonLevel = codeList({
  international: ['1', '国际级'],
  national: ['2', '国家级'],
  provincial: ['3', '省（部）级'],
  municipal: ['4', '市级'],
  school: ['5', '校级'],
  college: ['6', '院（系）级'],
  schoolClass: ['7', '班（团支部）级'],
  club: ['8', '社团级'],
})

/** What the stars of a module go by. */
export const starUnit = codeList({
  share: ['1', '占要求学时的比例'],
  hours: ['2', '学时数'],
})
