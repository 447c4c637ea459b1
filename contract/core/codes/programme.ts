import { codeList, wordList, type CodeOf } from './code-list.ts'

/** Courses, registration, attendance, results, approvals, supplements and disputes. */

/**
 * `liStatus`: how far a course is. What each state allows and who moves it stands in
 * `server/programme/lessons/model/lesson-life.ts`.
 */
export const lessonStatus = codeList({
  draft: ['0', '草稿'],
  publishInReview: ['10', '发布审批中'],
  publishRefused: ['11', '发布被驳回'],
  publishPassed: ['20', '待发布'],
  published: ['30', '已发布'],
  resultInReview: ['40', '结果审批中'],
  resultRefused: ['41', '结果被驳回'],
  resultPassed: ['50', '待公示'],
  inNotice: ['60', '公示中'],
  questioned: ['61', '质疑处理中'],
  completed: ['70', '已完成'],
  archived: ['80', '已归档'],
  unpublished: ['90', '已取消发布'],
  cancelled: ['91', '已取消'],
  abnormal: ['92', '异常结项'],
})
export type LessonStatus = CodeOf<typeof lessonStatus>

/** `lpRole`: what somebody is to a course; the form names the first two, the course’s flow the others. */
export const lessonPersonRole = wordList({
  teacher: '指导老师',
  signer: '签到负责人',
  signUpChecker: '报名审核人',
  signInChecker: '签到管理人',
})

/** Where a published course stands in time; computed, never stored. */
export const lessonPhase = codeList({
  beforeRegistration: ['1', '报名未开始'],
  registrationOpen: ['2', '报名中'],
  registrationClosed: ['3', '报名截止'],
  underway: ['4', '进行中'],
  awaitingResult: ['5', '待提交结果'],
})
export type LessonPhase = CodeOf<typeof lessonPhase>

export const lessonKind = codeList({
  lecture: ['1', '讲座'],
  competition: ['2', '竞赛'],
  activity: ['3', '活动'],
  course: ['4', '课程'],
  practice: ['5', '实践'],
  training: ['6', '培训'],
  volunteering: ['7', '志愿'],
  performance: ['8', '演出'],
  office: ['9', '任职'],
})

export const lessonForm = codeList({
  onSite: ['1', '线下现场'],
  liveOnline: ['2', '线上直播'],
  selfPacedOnline: ['3', '线上自学'],
  blended: ['4', '混合'],
  offCampus: ['5', '校外'],
})

/** Whether a course stands alone, opens a series or was made from the one that opens it. */
export const itemCategory = codeList({
  single: ['0', '单次'],
  seriesFirst: ['1', '系列首期'],
  seriesItem: ['2', '系列子项'],
})

/** The sections of the national classification of industries (GB/T 4754). */
export const industryField = codeList({
  agriculture: ['A', '农、林、牧、渔业'],
  mining: ['B', '采矿业'],
  manufacturing: ['C', '制造业'],
  utilities: ['D', '电力、热力、燃气及水生产和供应业'],
  construction: ['E', '建筑业'],
  trade: ['F', '批发和零售业'],
  transport: ['G', '交通运输、仓储和邮政业'],
  hospitality: ['H', '住宿和餐饮业'],
  informationTechnology: ['I', '信息传输、软件和信息技术服务业'],
  finance: ['J', '金融业'],
  realEstate: ['K', '房地产业'],
  businessServices: ['L', '租赁和商务服务业'],
  research: ['M', '科学研究和技术服务业'],
  environment: ['N', '水利、环境和公共设施管理业'],
  residentServices: ['O', '居民服务、修理和其他服务业'],
  education: ['P', '教育'],
  health: ['Q', '卫生和社会工作'],
  culture: ['R', '文化、体育和娱乐业'],
  publicAdministration: ['S', '公共管理、社会保障和社会组织'],
  internationalOrganisations: ['T', '国际组织'],
})

export const cooperationType = codeList({
  visit: ['1', '参观'],
  internship: ['2', '实习'],
  project: ['3', '项目'],
  competition: ['4', '竞赛'],
  lecture: ['5', '讲座'],
  certificate: ['6', '证书'],
})

export const projectStage = codeList({
  initiation: ['1', '立项'],
  midterm: ['2', '中期'],
  closing: ['3', '结项'],
})

export const moduleAttr = codeList({
  required: ['1', '必修'],
  elective: ['2', '选修'],
})

/** How places of a course are given. */
export const applyWay = codeList({
  firstCome: ['1', '先到先得'],
  review: ['2', '审核录取'],
  draw: ['3', '抽签'],
  importedList: ['5', '导入名单'],
  noRegistration: ['6', '无需报名'],
})

/** Who registers for a course: persons, or teams that are admitted, drawn and rated as one. */
export const applyUnit = codeList({
  individual: ['1', '个人'],
  team: ['2', '团队'],
})

/** `laStatus`: a student's registration in a course. */
export const applyStatus = codeList({
  pending: ['0', '待审核'],
  accepted: ['1', '已通过'],
  refused: ['2', '已拒绝'],
  waitlisted: ['3', '候补'],
  cancelled: ['4', '已取消'],
  onLeave: ['5', '已请假'],
  removed: ['6', '被移除'],
  activityCancelled: ['7', '活动取消'],
})

/** How attendance is taken: what a course allows, and how one student's was taken. */
export const signType = codeList({
  activityCode: ['1', '活动码'],
  studentCode: ['2', '学生码'],
  password: ['3', '密码'],
  location: ['4', '定位'],
  manual: ['5', '手动'],
  imported: ['6', '导入'],
})

/** `laSignStatus`: a student's attendance. `absent` is set when the course is closed, never by hand. */
export const signStatus = codeList({
  notSigned: ['0', '未签到'],
  signedIn: ['1', '已签到'],
  late: ['2', '迟到'],
  signedOut: ['3', '已签退'],
  leftEarly: ['4', '早退'],
  absent: ['5', '缺席'],
  exempt: ['6', '免签'],
  madeUp: ['7', '补签'],
})
export type SignStatus = CodeOf<typeof signStatus>

/** `laResult`: what a student's participation was rated. */
export const resultStatus = codeList({
  unrated: ['0', '未评定'],
  passed: ['1', '合格'],
  failed: ['2', '不合格'],
  awarded: ['3', '获奖'],
})
export type ResultStatus = CodeOf<typeof resultStatus>

/** What a student was in a course or supplement. */
export const partakeMode = codeList({
  participant: ['1', '参与者'],
  organiser: ['2', '组织者'],
  staff: ['3', '工作人员'],
  volunteer: ['4', '志愿者'],
  competitor: ['5', '参赛者'],
  performer: ['6', '主讲或表演者'],
  winner: ['7', '获奖者'],
  teamLeader: ['8', '团队队长'],
  teamMember: ['9', '团队队员'],
  advisee: ['10', '指导学生'],
  officer: ['11', '任职干部'],
})

/** The public notice of a result. */
export const publictyStatus = codeList({
  none: ['0', '未公示'],
  running: ['1', '公示中'],
  ended: ['2', '公示结束'],
  questioned: ['3', '质疑中'],
  revoked: ['4', '已撤销'],
})

/**
 * `taskStatus`: one person's part in an approval. `lapsed`: somebody else's decision made it needless; `delegated`: a
 * colleague is asked for an opinion, or whoever stands in decides; `advised`: the opinion that was asked for.
 */
export const taskStatus = codeList({
  pending: ['0', '待办'],
  passed: ['1', '通过'],
  refused: ['2', '驳回'],
  transferred: ['3', '已转办'],
  delegated: ['4', '已委派'],
  withdrawn: ['5', '已撤回'],
  autoPassed: ['6', '自动通过'],
  lapsed: ['7', '已失效'],
  advised: ['8', '已答复'],
})

/** `insStatus`: an approval as a whole. */
export const approvalStatus = codeList({
  running: ['0', '进行中'],
  passed: ['1', '通过'],
  refused: ['2', '驳回'],
  withdrawn: ['3', '撤销'],
  terminated: ['4', '终止'],
})

export const supplementType = codeList({
  competitionAward: ['1', '竞赛获奖'],
  certificate: ['2', '证书认证'],
  publication: ['3', '论文著作'],
  patent: ['4', '专利软著'],
  research: ['5', '科研项目'],
  volunteering: ['6', '校外志愿'],
  practice: ['7', '社会实践或实习'],
  office: ['8', '任职履历'],
  honour: ['9', '荣誉称号'],
  externalActivity: ['10', '系统外讲座活动'],
  performance: ['11', '文体展演'],
  enlistmentOrOther: ['12', '入伍及其他'],
})

export const supSource = codeList({
  enteredForStudent: ['1', '代学生录入'],
  imported: ['2', '批量导入'],
  declared: ['3', '学生申报'],
})

/** `lisStatus`: how far a supplement is. */
export const supplementStatus = codeList({
  draft: ['0', '草稿'],
  inReview: ['1', '审批中'],
  passed: ['2', '通过待公示'],
  refused: ['3', '驳回'],
  withdrawn: ['4', '撤回'],
  inNotice: ['5', '公示中'],
  credited: ['6', '已入账'],
  deleted: ['9', '已删除'],
})
export type SupplementStatus = CodeOf<typeof supplementStatus>

/** What an entry of the credit ledger counts. */
export const creditType = codeList({
  hours: ['1', '学时'],
  credit: ['2', '学分'],
  points: ['3', '积分'],
  volunteerHours: ['4', '志愿时长'],
  ability: ['5', '能力分'],
})
export type CreditType = CodeOf<typeof creditType>

/** `qType`: what a question or report about a published result says. */
export const questionType = codeList({
  missing: ['1', '漏记'],
  wrong: ['2', '记错'],
  falseAttendance: ['3', '虚假参与或冒名代签'],
  organiserBreach: ['4', '组织方违规'],
  other: ['5', '其他'],
})

/** `qStatus`: how far a question or report is. */
export const questionStatus = codeList({
  pending: ['0', '待受理'],
  inReview: ['1', '审批中'],
  upheld: ['2', '成立'],
  rejected: ['3', '不成立'],
  withdrawn: ['4', '已撤回'],
  overdue: ['5', '超期未受理'],
})
export type QuestionStatus = CodeOf<typeof questionStatus>

/** `qOutcome`: what an upheld question or report leads to. */
export const questionOutcome = codeList({
  keep: ['1', '维持原结果'],
  remove: ['2', '移出名单'],
  correct: ['3', '更正结果'],
  abnormal: ['4', '异常结项'],
})

/** Why a student's credibility changed. */
export const credibilityReason = codeList({
  absence: ['1', '缺席'],
  leftOrRemoved: ['2', '早退或被移除'],
  goodConduct: ['3', '连续守信'],
  highLevelActivity: ['4', '参与高级别活动'],
  manual: ['5', '人工调整'],
  restored: ['6', '恢复'],
  falseAttendance: ['7', '虚假参与'],
  removed: ['8', '签到后被移除'],
})

export const circleStatus = codeList({
  enabled: ['1', '启用'],
  disabled: ['0', '停用'],
  rectifying: ['2', '限期整改'],
  dissolved: ['9', '已注销'],
})

/** How good a circle is found to be. */
export const circleStar = codeList({
  five: ['5', '五星'],
  four: ['4', '四星'],
  three: ['3', '三星'],
  plain: ['1', '一般'],
})

export const circleAuthStatus = codeList({
  pending: ['0', '待审核'],
  passed: ['1', '通过'],
  refused: ['2', '驳回'],
  withdrawn: ['3', '已撤回'],
})

/** `caType`: what is applied for. */
export const circleApplyType = codeList({
  founding: ['1', '成立'],
  joining: ['2', '加入'],
  handOver: ['3', '变更负责人'],
  yearlyReview: ['4', '年审'],
  dissolution: ['5', '注销'],
})

export const circleMemberRole = codeList({
  president: ['1', '会长'],
  vicePresident: ['2', '副会长'],
  head: ['3', '部长'],
  officer: ['4', '干事'],
  member: ['5', '会员'],
})

export const circleLevel = codeList({
  school: ['1', '校级'],
  college: ['2', '院级'],
})

export const circleJoinMode = codeList({
  open: ['1', '自由加入'],
  reviewed: ['2', '审核加入'],
  inviteOnly: ['3', '仅限邀请'],
})

/** What a circle's yearly review came to. */
export const circleReview = codeList({
  passed: ['1', '合格'],
  rectify: ['2', '限期整改'],
  failed: ['3', '不合格'],
})

/** `lcStatus`: how far the change of a published course is. */
export const lessonChangeStatus = codeList({
  inReview: ['0', '审批中'],
  passed: ['1', '通过'],
  refused: ['2', '驳回'],
  withdrawn: ['3', '撤回'],
  terminated: ['4', '终止'],
})

/** `dgStatus`: whether one person stands in for another now. */
export const delegationStatus = codeList({
  upcoming: ['0', '未开始'],
  inForce: ['1', '代理中'],
  ended: ['2', '已结束'],
})

/** `flagType`: the tabs of the list of supplements. */
export const supplementTab = codeList({
  all: ['0', '全部'],
  awaitingNotice: ['1', '待公示'],
  inNotice: ['2', '公示中'],
  credited: ['3', '已公示'],
  deleted: ['4', '已删除'],
})
