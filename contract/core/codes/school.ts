import { codeList, type CodeOf, wordList } from './code-list.ts'

/** People, their accounts and roles, and the school's organisation. */

/** Sex as in GB/T 2261.1. */
export const personSex = codeList({
  male: ['1', '男'],
  female: ['2', '女'],
  unknown: ['0', '未知'],
  notStated: ['9', '未说明'],
})

/** Political status as in GB/T 4762; the parties by their usual English initials. */
export const politicalStatus = codeList({
  partyMember: ['01', '中共党员'],
  probationaryPartyMember: ['02', '中共预备党员'],
  leagueMember: ['03', '共青团员'],
  rcckMember: ['04', '民革党员'],
  cdlMember: ['05', '民盟盟员'],
  cndcaMember: ['06', '民建会员'],
  capdMember: ['07', '民进会员'],
  cpwdpMember: ['08', '农工党党员'],
  zhiGongMember: ['09', '致公党党员'],
  jiuSanMember: ['10', '九三学社社员'],
  tdslMember: ['11', '台盟盟员'],
  independent: ['12', '无党派民主人士'],
  masses: ['13', '群众'],
})

export const idDocument = codeList({
  residentCard: ['1', '居民身份证'],
  passport: ['2', '护照'],
  hongKongMacaoPermit: ['3', '港澳居民来往内地通行证'],
  taiwanPermit: ['4', '台湾居民来往大陆通行证'],
})

/** `suiStatus` of a student. */
export const studentStatus = codeList({
  enrolled: ['1', '在读'],
  suspended: ['2', '休学'],
  withdrawn: ['3', '退学'],
  graduated: ['4', '毕业'],
  delayed: ['5', '延期'],
  retained: ['6', '保留学籍'],
  military: ['7', '参军'],
})
export type StudentStatus = CodeOf<typeof studentStatus>

/** `suiStatus` of a teacher or other staff. */
export const teacherStatus = codeList({
  employed: ['1', '在职'],
  left: ['2', '离职'],
  retired: ['3', '退休'],
})

export const accountStatus = codeList({
  active: ['1', '正常'],
  disabled: ['0', '停用'],
  locked: ['2', '锁定'],
})

export const eduLevel = codeList({
  juniorCollege: ['1', '专科'],
  bachelor: ['2', '本科'],
  master: ['3', '硕士'],
  doctor: ['4', '博士'],
})

export const teacherTitle = codeList({
  professor: ['1', '教授'],
  associateProfessor: ['2', '副教授'],
  lecturer: ['3', '讲师'],
  assistant: ['4', '助教'],
  researcher: ['5', '研究员'],
  associateResearcher: ['6', '副研究员'],
  assistantResearcher: ['7', '助理研究员'],
  other: ['9', '其他'],
})

export const teacherType = codeList({
  fullTime: ['1', '专任教师'],
  counsellor: ['2', '辅导员'],
  administrator: ['3', '行政人员'],
  external: ['4', '外聘教师'],
})

export const departmentType = codeList({
  administration: ['1', '党政部门'],
  massOrganisation: ['2', '群团组织'],
  college: ['3', '学院'],
  affiliated: ['4', '直属单位'],
  clubs: ['5', '社团管理'],
})

/** How far a role reaches. */
export const dataScope = codeList({
  school: ['1', '全校'],
  college: ['2', '学院'],
  major: ['3', '专业'],
  schoolClass: ['4', '班级'],
  curriculum: ['5', '课程体系'],
  department: ['6', '部门'],
  self: ['9', '本人'],
})

export const roleType = codeList({
  builtIn: ['1', '内置'],
  custom: ['2', '自定义'],
})

/** `suiType` of a person and `suType` of an account; no dictionary, as nobody chooses it. */
export const personType = codeList({
  student: ['1', '学生'],
  teacher: ['2', '教师'],
  staff: ['3', '其他教职工'],
})

/** `hdKind`: what a special day of the calendar is. */
export const holidayKind = codeList({
  dayOff: ['0', '放假'],
  workday: ['1', '上班'],
})
export type HolidayKind = CodeOf<typeof holidayKind>

/** Years of a course of study; codes are the years. */
export const studyYears = codeList({
  two: ['2', '2 年'],
  three: ['3', '3 年'],
  four: ['4', '4 年'],
  five: ['5', '5 年'],
  six: ['6', '6 年'],
  seven: ['7', '7 年'],
  eight: ['8', '8 年'],
})

/** `changeKind`: what became of a student's standing and place. */
export const studentChangeKind = wordList({
  transferCollege: '转院',
  transferMajor: '转专业',
  transferClass: '转班',
  transferGrade: '转年级',
  reorganise: '随班级调整',
  leave: '休学',
  retain: '保留学籍',
  enlist: '参军',
  delay: '延期',
  return: '复学',
  withdraw: '退学',
  graduate: '毕业',
  restore: '恢复在读',
  revoke: '撤销异动',
})
/** `changeCause`: by what a student's standing or place changed. */
export const studentChangeCause = wordList({
  form: '编辑',
  import: '导入',
  source: '数据同步',
  graduation: '毕业处理',
  undo: '撤销',
})
/** `isKind`: what a source brings; the importers of these kinds take it. */
export const sourceKind = wordList({
  student: '学生',
  teacher: '教师',
  college: '学院',
  major: '专业',
  class: '班级',
  department: '部门',
  departmentUser: '部门成员',
  timetable: '课表',
})
/** `isWay`: how the data of a source are fetched. */
export const sourceWay = wordList({
  folder: '服务器文件夹',
  sftp: 'SFTP 服务器',
  http: '网络接口',
  scim: 'SCIM 接口',
  database: '数据库视图',
})
export const sourceFormat = wordList({ csv: 'CSV', xlsx: 'Excel 工作簿', json: 'JSON' })
/** What becomes of students who are enrolled here and no longer in the source. */
export const leaverRule = wordList({ tell: '只提示', suspend: '改为休学', withdraw: '改为退学并停用账号' })
/** `runStatus` of one run of a source. */
export const sourceRunStatus = wordList({
  running: '进行中',
  unchanged: '数据无变化',
  done: '已同步',
  waiting: '待确认',
  failed: '未成功',
  discarded: '已放弃',
  undone: '已撤销',
})
export type SourceRunStatus = CodeOf<typeof sourceRunStatus>
