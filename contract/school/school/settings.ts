import type { z } from 'zod'
import { warnLevel } from '../../core/codes/outcomes.ts'
import {
  decimal,
  modules,
  monthDay,
  months,
  number,
  onOff,
  oneOf,
  roles,
  rows,
  sharesOf,
  type Setting,
} from './setting-kinds.ts'

/**
 * Every constant of the programme (docs/rules.md R22) as something a school may set: key, words, unit, limits, default
 * and where the default comes from. The only table of them: check, form, explanation, history and the values the rules
 * read derive from it.
 */

const approval = {
  approvalLevels: number({
    label: '院级及以下课程的审批级数',
    help: '院系初审、学校终审，通常两级；流程的级数不足时，校验会提示',
    unit: '级',
    min: 1,
    max: 5,
    default: 2,
    source: '到梦空间、PU 口袋校园规则',
  }),
  approvalLevelsSchool: number({
    label: '校级及以上课程的审批级数',
    help: '由校团委直接审批，通常一级；流程的级数不足时，校验会提示',
    unit: '级',
    min: 1,
    max: 5,
    default: 1,
    source: '到梦空间规则',
  }),
  approvalLevelsSup: number({
    label: '补录的审批级数',
    help: '班级、学院、校团委逐级审核；流程的级数不足时，校验会提示',
    unit: '级',
    min: 1,
    max: 5,
    default: 3,
    source: '四川农业大学补录办法',
  }),
  remindDays: number({
    label: '审批催办时限',
    help: '流程步骤未另设时限时，待办到达后超过此期限记为逾期并催办',
    unit: '个工作日',
    min: 1,
    max: 30,
    default: 3,
    source: '中文审批产品通例',
  }),
  escalateDays: number({
    label: '审批升级时限',
    help: '超过此期限仍未处理的待办，升级给校级管理员',
    unit: '个工作日',
    min: 1,
    max: 60,
    default: 5,
    source: '中文审批产品通例',
  }),
}

const publish = {
  leadDays: number({
    label: '发布提前量',
    help: '从提交审批到活动开始至少相隔的工作日；0 表示不限',
    unit: '个工作日',
    min: 0,
    max: 30,
    default: 3,
    source: '上海财经大学：至少提前 3 个工作日',
  }),
  leadRefuse: onOff({
    label: '提前量不足时不得提交',
    help: '开启后，提前量不足的课程不能提交审批；关闭时只提示审批人',
    default: '0',
    source: '由学校决定',
  }),
  hoursPerDay: decimal({
    label: '每日学时上限',
    help: '同一活动每天最多计入一名学生成绩单的学时，系数与奖项加成之后计算；课程的认定学时也不能超过',
    unit: '学时',
    max: 24,
    default: '8',
    source: '广东工业大学',
  }),
}

const register = {
  cancelUntil: oneOf({
    label: '学生自行取消报名',
    help: '超过此时点后，只能请假',
    default: 'applyEnd',
    source: '到梦空间、PU 口袋校园规则',
    options: [
      { value: 'applyEnd', label: '报名截止前' },
      { value: 'start', label: '活动开始前' },
      { value: 'never', label: '不允许' },
    ],
  }),
  leaveAllowed: onOff({
    label: '允许请假',
    help: '已录取的学生在活动开始前可以请假，须写明原因；提交即生效，名额让给候补者',
    default: '1',
    source: '到梦空间规则',
  }),
  starDays: number({
    label: '评价期限',
    help: '活动结束后多少天内，到场的学生可以评价活动并修改；0 表示不开放评价',
    unit: '天',
    min: 0,
    max: 90,
    default: 7,
    source: '由学校决定',
  }),
  pickHours: number({
    label: '录取时限',
    help: '审核录取与抽签的课程，在报名截止后多少小时内公布结果',
    unit: '小时',
    min: 1,
    max: 168,
    default: 5,
    source: '到梦空间常见问题',
  }),
  applyCredibility: number({
    label: '报名所需诚信分',
    help: '诚信分低于此数的学生不能报名，已报名的仍有效；0 表示不限',
    unit: '分',
    min: 0,
    max: 1000,
    default: 0,
    source: '由学校决定',
  }),
  turnoutRate: number({
    label: '报名不足的界限',
    help: '报名截止时，人数低于计划名额的此比例即为报名不足',
    unit: '%',
    min: 0,
    max: 100,
    default: 75,
    source: '河北工程技术学院',
  }),
  turnoutAct: oneOf({
    label: '报名不足时',
    help: '',
    default: 'warn',
    source: '河北工程技术学院',
    options: [
      { value: 'warn', label: '提醒发起人' },
      { value: 'unpublish', label: '自动取消发布' },
    ],
  }),
}

const sign = {
  signOpenMinutes: number({
    label: '签到开放',
    help: '活动开始前多少分钟起可以签到',
    unit: '分钟',
    min: 0,
    max: 1440,
    default: 30,
    source: '高校通例',
  }),
  signLateMinutes: number({
    label: '迟到界限',
    help: '活动开始后超过多少分钟签到记为迟到；新建课程时以此为准，课程可另设',
    unit: '分钟',
    min: 0,
    max: 240,
    default: 15,
    source: '上海应用技术大学',
  }),
  signCloseMinutes: number({
    label: '签到关闭',
    help: '活动开始多少分钟后签到码失效',
    unit: '分钟',
    min: 0,
    max: 1440,
    default: 30,
    source: '高校通例',
  }),
  signOutOpenMinutes: number({
    label: '签退开放',
    help: '活动结束前多少分钟起可以签退',
    unit: '分钟',
    min: 0,
    max: 1440,
    default: 10,
    source: '高校通例',
  }),
  signOutCloseMinutes: number({
    label: '签退关闭',
    help: '活动结束多少分钟后签退码失效',
    unit: '分钟',
    min: 0,
    max: 1440,
    default: 60,
    source: '高校通例',
  }),
  codeSeconds: number({
    label: '动态码刷新间隔',
    help: '大屏动态签到码每隔多少秒更换；换码后上一个码再有效一个间隔',
    unit: '秒',
    min: 10,
    max: 300,
    default: 30,
    source: '由学校决定',
  }),
  signDistance: number({
    label: '签到距离',
    help: '启用定位签到时，与活动地点的最大距离',
    unit: '米',
    min: 10,
    max: 10_000,
    default: 200,
    source: '高校通例',
  }),
  codeOpenHours: number({
    label: '签到码下载开放',
    help: '活动开始前多少小时起可以下载签到码',
    unit: '小时',
    min: 1,
    max: 720,
    default: 24,
    source: '高校通例',
  }),
}

const publicty = {
  publictyDefault: number({
    label: '默认公示期',
    help: '新建课程时填入的公示期',
    unit: '个工作日',
    min: 1,
    max: 30,
    default: 3,
    source: '宁波大学：公示 3 个工作日',
  }),
  publictyAuto: onOff({
    label: '结果通过后自动公示',
    help: '结果审批通过后立即按课程的公示期开始公示；关闭后由管理员开始公示',
    default: '0',
    source: '由学校决定',
  }),
  publictyMin: number({
    label: '最短公示期',
    help: '短于此期限的公示不能开始',
    unit: '个工作日',
    min: 1,
    max: 30,
    default: 3,
    source: '宁波大学：公示 3 个工作日',
  }),
  publictyMax: number({
    label: '最长公示期',
    help: '',
    unit: '个工作日',
    min: 1,
    max: 30,
    default: 7,
    source: '深圳技术大学：公示 7 天',
  }),
  questionAcceptDays: number({
    label: '质疑受理时限',
    help: '登记后超过此期限仍未受理的质疑，标记为超期并提醒校级管理员',
    unit: '个工作日',
    min: 1,
    max: 30,
    default: 3,
    source: '与审批催办时限一致',
  }),
  questionLateDays: number({
    label: '逾期申诉期',
    help: '公示结束后多少天内，仍可由校级管理员受理申诉',
    unit: '天',
    min: 0,
    max: 365,
    default: 30,
    source: '由学校决定',
  }),
}

const hours = {
  totalHours: decimal({
    label: '毕业总学时',
    help: '在各模块最低学时之外，对总学时的要求；0 表示只看各模块。各模块的最低学时在“课程体系”中设置',
    unit: '学时',
    max: 1000,
    default: '64',
    source: '西南交通大学',
  }),
  yearPassHours: decimal({
    label: '学年合格',
    help: '一学年达到此学时为合格，列在成绩单的学年评定中',
    unit: '学时',
    max: 1000,
    default: '12',
    source: '西南交通大学茅以升学院',
  }),
  yearExcellentHours: decimal({
    label: '学年优秀',
    help: '一学年达到此学时为优秀',
    unit: '学时',
    max: 1000,
    default: '18',
    source: '西南交通大学茅以升学院',
  }),
  importHours: onOff({
    label: '导入名单可填学时',
    help: '开启后，导入参与人员时可直接填写认定学时（不超过评价规则的上限）；关闭时学时只按评价规则计算',
    default: '0',
    source: '由学校决定',
  }),
  termCapHours: decimal({
    label: '每学期学时上限',
    help: '每名学生每学期最多计入的学时；0 表示不限',
    unit: '学时',
    max: 1000,
    default: '16',
    source: '西南交通大学',
  }),
  termCapFree: modules({
    label: '不受学期上限的模块',
    help: '这些模块的学时不计入学期上限',
    default: ['SJSX', 'ZYGY'],
    source: '西南交通大学：实践与志愿不限',
  }),
  overCapTerm: number({
    label: '可申请超限的学期',
    help: '从第几学期起，学生可以申请超过学期上限',
    unit: '学期',
    min: 1,
    max: 12,
    default: 7,
    source: '西南交通大学',
  }),
  bestOnly: onOff({ label: '就高不重复', help: '同一竞赛或证书只按最高一项计一次', default: '1', source: '高校通例' }),
  dualOffice: onOff({
    label: '两项任职可累加',
    help: '同一学年担任的两个职务分别计入；关闭后，同一学年的任职只按最高一项计',
    default: '1',
    source: '郑州航空工业管理学院',
  }),
  clubCreditCap: decimal({
    label: '社团活动学分上限',
    help: '圈子举办的与社团级的活动累计最多计入的学分；0 表示不限',
    unit: '学分',
    max: 100,
    default: '2',
    source: '高校通例',
  }),
  lectureCreditCap: decimal({
    label: '讲座学分上限',
    help: '讲座累计最多计入的学分；0 表示不限',
    unit: '学分',
    max: 100,
    default: '2',
    source: '高校通例',
  }),
  offCampusHours: decimal({
    label: '校外服务学时上限',
    help: '校外服务累计最多计入的学时；0 表示不限',
    unit: '学时',
    max: 1000,
    default: '5',
    source: '南京财经大学',
  }),
}

/** No level twice in a table. */
const onceALevel = (row: { level: string }, before: { level: string }[]): ['level', string] | undefined =>
  before.some(({ level }) => level === row.level) ? ['level', '同一级别只能出现一次'] : undefined
const points = (key: string, label: string) => ({ key, label, cell: 'amount', max: 100 }) as const
const level = { key: 'level', label: '级别', cell: 'level' } as const

const convert = {
  certificateHours: rows({
    label: '志愿证书换算学时',
    help: '各级志愿服务证书折算的学时',
    source: '南京财经大学',
    columns: [level, points('hours', '学时')],
    default: [
      { level: '5', hours: '0.5' },
      { level: '4', hours: '1' },
      { level: '3', hours: '1.5' },
      { level: '2', hours: '2' },
    ],
    blank: {},
    fault: onceALevel,
  }),
  competitionCredits: rows({
    label: '竞赛学分',
    help: '补录竞赛获奖时，模块与级别没有评价规则的，按此表计学分；未获奖或表中没有的奖项按“参加”计；0 表示不计',
    source: '高校竞赛学分表',
    columns: [
      level,
      points('first', '一等奖'),
      points('second', '二等奖'),
      points('third', '三等奖'),
      points('join', '参加'),
    ],
    default: [
      { level: '2', first: '4', second: '3.5', third: '3', join: '2' },
      { level: '3', first: '2.5', second: '2', third: '1.5', join: '1' },
      { level: '5', first: '2', second: '1.5', third: '1', join: '0' },
      { level: '6', first: '1.5', second: '1', third: '0.5', join: '0' },
    ],
    blank: { first: '0', second: '0', third: '0', join: '0' },
    fault: onceALevel,
  }),
  teamSplit: rows({
    label: '团队按排位分配',
    help: '按人数给出各排位所得的比例，用“/”隔开；未列出的人数平均分配',
    source: '高校通例',
    columns: [
      { key: 'size', label: '人数', cell: 'whole', min: 2, max: 30, unit: '人' },
      { key: 'shares', label: '各排位比例', cell: 'text', max: 200, placeholder: '0.6/0.3/0.2' },
    ],
    default: [
      { size: 3, shares: '0.6/0.3/0.2' },
      { size: 4, shares: '0.5/0.3/0.2/0.1' },
    ],
    blank: {},
    fault: ({ size, shares }, before) => {
      if (before.some((row) => row.size === size)) return ['size', '同一人数只能出现一次']
      const list = sharesOf(shares)
      if (!list) return ['shares', '比例须为 0 至 1 之间、最多两位小数的数，用“/”隔开']
      if (list.length !== size) return ['shares', `${size} 人须有 ${size} 个比例`]
      return list.some((share, at) => at > 0 && share > list[at - 1]!)
        ? ['shares', '排位靠后的比例不能更高']
        : undefined
    },
  }),
}

const warnLevels = [
  { value: warnLevel.mild, label: '一般警告' },
  { value: warnLevel.moderate, label: '警告' },
  { value: warnLevel.severe, label: '严重警告' },
] as const

const stars = {
  starSteps: rows({
    label: '模块星级',
    help: '已获学时占模块最低学时的比例达到右列时评为左列的星级；有学时而未达到的为一星',
    source: '合肥工业大学模块星级',
    columns: [
      { key: 'stars', label: '星级', cell: 'whole', min: 2, max: 5, unit: '星' },
      { key: 'share', label: '比例不低于', cell: 'whole', min: 1, max: 1000, unit: '%' },
    ],
    default: [
      { stars: 2, share: 50 },
      { stars: 3, share: 100 },
      { stars: 4, share: 150 },
      { stars: 5, share: 200 },
    ],
    blank: {},
    fault: (row, before) =>
      before.some((one) => one.stars >= row.stars)
        ? ['stars', '星级须高于上一行']
        : before.some(({ share }) => share >= row.share)
          ? ['share', '比例须高于上一行']
          : undefined,
  }),
  warnSteps: rows({
    label: '学年预警',
    help: '学年结束时总学时低于此数的学生，给予相应预警',
    source: '西南交通大学',
    columns: [
      { key: 'year', label: '学年', cell: 'whole', min: 1, max: 8 },
      { key: 'hours', label: '学时低于', cell: 'amount', unit: '学时' },
      { key: 'level', label: '预警', cell: 'choice', options: warnLevels },
    ],
    default: [
      { year: 1, hours: '16', level: '1' },
      { year: 2, hours: '32', level: '2' },
    ],
    blank: { level: '1' },
    fault: (row, before) => (before.some(({ year }) => year >= row.year) ? ['year', '学年须大于上一行'] : undefined),
  }),
  warnFinal: oneOf({
    label: '毕业学年未达标',
    help: '最后一学年仍未达到毕业要求的学生',
    default: '3',
    source: '西南交通大学',
    options: warnLevels,
  }),
  warnZeroTerm: onOff({
    label: '上学期零学时即严重警告',
    help: '上一学期没有获得任何学时的在读学生，给予严重警告',
    default: '1',
    source: '西南交通大学',
  }),
}

const credibility = {
  credibilityStart: number({
    label: '初始诚信分',
    help: '新建学生的诚信分',
    unit: '分',
    min: 0,
    max: 1000,
    default: 100,
    source: '到梦空间规则',
  }),
  credibilityMin: number({
    label: '最低诚信分',
    help: '扣分到此为止',
    unit: '分',
    min: 0,
    max: 1000,
    default: 0,
    source: '到梦空间规则',
  }),
  credibilityMax: number({
    label: '最高诚信分',
    help: '加分到此为止',
    unit: '分',
    min: 1,
    max: 1000,
    default: 100,
    source: '到梦空间规则',
  }),
  noShowLoss: number({
    label: '缺席扣分',
    help: '已录取而未到，课程完成时扣除',
    unit: '分',
    min: 0,
    max: 100,
    default: 1,
    source: '到梦空间规则',
  }),
  leftLoss: number({
    label: '早退或被移除扣分',
    help: '签到后离开，或签到后被移出名单，课程完成时扣除',
    unit: '分',
    min: 0,
    max: 100,
    default: 2,
    source: '到梦空间规则',
  }),
  goodSigns: number({
    label: '连续守信次数',
    help: '每正常签到多少次加 1 分；0 表示不加分',
    unit: '次',
    min: 0,
    max: 100,
    default: 3,
    source: '到梦空间规则',
  }),
  highLevelGain: number({
    label: '高级别活动加分',
    help: '每完成一次校级及以上活动加的分',
    unit: '分',
    min: 0,
    max: 100,
    default: 1,
    source: '到梦空间规则',
  }),
  restoreOnSign: onOff({
    label: '补签后退还扣分',
    help: '缺席改为已签到时，退还因缺席扣除的诚信分',
    default: '1',
    source: '到梦空间规则',
  }),
  blackCount: number({
    label: '限制报名的缺席或移除次数',
    help: '每缺席或签到后被移除多少次，暂停报名一段时间；已报名的仍有效。0 表示不限制',
    unit: '次',
    min: 0,
    max: 50,
    default: 3,
    source: '到梦空间规则',
  }),
  blackDays: number({
    label: '限制报名的时长',
    help: '',
    unit: '天',
    min: 1,
    max: 365,
    default: 7,
    source: '到梦空间规则',
  }),
  credibilityPerRecord: decimal({
    label: '每项记录附带诚信积分',
    help: '每一项入账记录附带的诚信积分，列在成绩单的记录说明中；0 表示不列',
    unit: '分',
    max: 10,
    default: '0.2',
    source: '上海应用技术大学',
  }),
}

const supplement = {
  supMonths: months({
    label: '补录申报月份',
    help: '这些月份内学生可以提交补录',
    default: [3, 9],
    source: '金陵科技学院',
  }),
  supResultMonths: months({
    label: '补录公布月份',
    help: '这些月份公布补录结果',
    default: [5, 11],
    source: '金陵科技学院',
  }),
}

const circle = {
  clubFounders: number({
    label: '发起人数',
    help: '成立圈子至少需要的在籍学生数',
    unit: '人',
    min: 1,
    max: 200,
    default: 20,
    source: '教党〔2020〕13 号',
  }),
  clubTeachers: number({
    label: '指导教师数',
    help: '成立圈子至少需要的指导教师数',
    unit: '人',
    min: 0,
    max: 20,
    default: 1,
    source: '教党〔2020〕13 号',
  }),
  clubUnitNeeded: onOff({ label: '须有业务指导单位', help: '', default: '1', source: '教党〔2020〕13 号' }),
  clubCharterNeeded: onOff({ label: '须提交章程', help: '', default: '1', source: '教党〔2020〕13 号' }),
}

const calendar = {
  springStart: monthDay({
    label: '春季学期起始日',
    help: '“学期”中没有设置的日期，按此日期划分学期',
    default: '02-15',
    source: 'PU 口袋校园',
  }),
  autumnStart: monthDay({
    label: '秋季学期起始日',
    help: '“学期”中没有设置的日期，按此日期划分学期',
    default: '08-16',
    source: 'PU 口袋校园',
  }),
}

const weight = (label: string, value: number, help = '') =>
  number({ label, help, unit: '%', min: 0, max: 100, default: value, source: '统计口径' })

const statistics = {
  lessonByCount: weight('课程活跃度：课程数', 30, '课程排行按场次、学院排行按课程数计'),
  lessonByPeople: weight('课程活跃度：参与人次', 40),
  lessonBySign: weight('课程活跃度：签到率', 20),
  lessonByRating: weight('课程活跃度：评分', 10),
  circleByCount: weight('圈子活跃度：活动数', 30),
  circleByPeople: weight('圈子活跃度：参与人次', 30),
  circleBySign: weight('圈子活跃度：签到率', 20),
  circleByRating: weight('圈子活跃度：评分', 10),
  circleByMembers: weight('圈子活跃度：成员参与', 10),
  provinceShare: onOff({
    label: '参加全省统计',
    help: '开启后，管理整套系统的机构能看到本校八项统计的合计与分组数字；不含姓名、名单等个人信息，不足 10 人的数字不提供，提供的数字按 5 取整。关闭后本校不计入全省统计。所提供的全部数字见本页右上角“提供给全省的数字”',
    default: '1',
    source: '系统由多所学校共用时，默认参加',
  }),
  transcriptRank: onOff({
    label: '成绩单印排名',
    help: '开启后，成绩单上印出学生的学时在本班与本专业同年级中的名次；不足 5 人的不印',
    default: '0',
    source: '默认不印',
  }),
  transcriptPolitical: onOff({
    label: '成绩单印政治面貌',
    help: '开启后，成绩单和成绩凭证中列出学生的政治面貌；之前签发的不变',
    default: '0',
    source: '默认不印',
  }),
  transcriptPhoto: onOff({
    label: '成绩单印照片',
    help: '开启后，成绩单印出学生的证件照；没有照片的学生不留位置',
    default: '0',
    source: '默认不印',
  }),
  contactSelf: onOff({
    label: '学生自助修改联系方式',
    help: '开启后，学生可在手机页面凭密码修改自己的手机号、邮箱与宿舍；手机号与邮箱可用于找回密码',
    default: '0',
    source: '由学校决定',
  }),
  transcriptSelf: onOff({
    label: '学生自助打印成绩单',
    help: '开启后，学生可以在手机端自行签发并下载带签章和编号的成绩单；关闭后由老师打印',
    default: '0',
    source: '默认由老师打印',
  }),
  transcriptApply: oneOf({
    label: '学生可申请正式成绩单',
    help: '开启后，学生可以在手机端申请正式成绩单并选择语言，由有签发权限的人员在“成绩单查看 → 成绩单申请”中办理；同意即签发，学生自行下载',
    default: 'off',
    source: '默认由学生到场办理',
    options: [
      { value: 'off', label: '不开放' },
      { value: 'area', label: '开放，由学院等管理范围内的人员签发' },
      { value: 'school', label: '开放，只由管理全校的人员签发' },
    ],
  }),
  transcriptBadges: onOff({
    label: '学生可下载单项徽章',
    help: '开启后，学生可以把每一项已入账的记录下载为 Open Badges 3.0 徽章，放进电子简历或其他平台；学习档案不受此限',
    default: '0',
    source: '默认不开放',
  }),
  averageWithoutNew: onOff({
    label: '平均数不含本学期新生',
    help: '计算人均学时等平均数时，不计入本学期入学的学生',
    default: '0',
    source: '统计口径',
  }),
}

const signIn = {
  totpRoles: roles({
    label: '须使用动态口令的角色',
    help: '这些角色的成员登录时除密码外还须输入手机身份验证器中的口令；尚未设置的，登录后先完成设置。其他人可自行启用',
    default: [],
    source: '等级保护三级：管理员双因素鉴别',
  }),
  passwordStudents: onOff({
    label: '学生可用账号密码登录',
    help: '关闭后，学生只能由“统一身份认证”中对学生开放的登录方式进入；没有已启用的登录方式时，账号密码照常可用',
    default: '1',
    source: '默认两种方式都可用',
  }),
  activationWay: oneOf({
    label: '学生首次登录',
    help: '批量导入的学生没有密码，如何自己激活账号。证件信息容易被熟人猜到，能发激活单时请不要开放。任何方式下都可重置密码',
    default: 'password',
    source: '等级保护三级：初始口令随机、限时、一次有效',
    options: [
      { value: 'password', label: '只由经办人发放一次性密码' },
      { value: 'slip', label: '凭打印的激活单' },
      { value: 'identity', label: '凭姓名与证件号码后六位' },
      { value: 'both', label: '激活单或证件信息' },
    ],
  }),
  activationDays: number({
    label: '激活单有效期',
    help: '激活码自打印起多少天内可用；重新打印后，之前的立即失效',
    unit: '天',
    min: 1,
    max: 90,
    default: 14,
    source: '由学校决定',
  }),
  passwordTeachers: onOff({
    label: '教师可用账号密码登录',
    help: '关闭后，教师只能由“统一身份认证”中对教师开放的登录方式进入；没有已启用的登录方式时，账号密码照常可用',
    default: '1',
    source: '默认两种方式都可用',
  }),
  passwordAdministrators: onOff({
    label: '管理员可用账号密码登录',
    help: '关闭后同上；最早设立的一名管理员始终可用账号密码，以备统一身份认证发生故障，姓名见“统一身份认证”',
    default: '1',
    source: '默认两种方式都可用',
  }),
  noticeAccept: onOff({
    label: '登录须同意隐私告知',
    help: '开启后，首次登录和告知更新之后，须先阅读并同意才能使用；发布新版告知时自动开启',
    default: '0',
    source: '《个人信息保护法》第十七条',
  }),
}

const trail = {
  auditMonths: number({
    label: '操作日志保存期限',
    help: '更早的操作日志按月写入归档文件，移出数据库',
    unit: '个月',
    min: 6,
    max: 240,
    default: 36,
    source: '《网络安全法》：不少于六个月',
  }),
}

const retention = {
  messageMonths: number({
    label: '消息保存期限',
    help: '更早的消息连同阅读记录一并删除，不论是否已读，不能恢复；0 表示长期保留',
    unit: '个月',
    min: 0,
    max: 240,
    default: 36,
    source: '《个人信息保护法》第十九条：保存期限为必要的最短时间',
  }),
  signInTraceMonths: number({
    label: '登录地址保存期限',
    help: '更早的登录只保留日期和次数，网络地址和浏览器清空，登录统计不变',
    unit: '个月',
    min: 6,
    max: 240,
    default: 12,
    source: '《网络安全法》：不少于六个月',
  }),
  importMonths: number({
    label: '导入记录保存期限',
    help: '更早的导入记录（文件名、人数、操作人）删除，导入的数据不受影响；0 表示长期保留',
    unit: '个月',
    min: 0,
    max: 240,
    default: 36,
    source: '由学校按档案规定决定',
  }),
}

const graduates = {
  contactYears: number({
    label: '毕业生联系方式保留',
    help: '毕业满此年限后，删除电话、邮箱、住址、证件号、照片和登录痕迹，事先通知管理员；0 表示不删除',
    unit: '年',
    min: 0,
    max: 10,
    default: 1,
    source: '《个人信息保护法》第十九条：保存期限为必要的最短时间',
  }),
  identityYears: number({
    label: '毕业生身份信息保留',
    help: '毕业满此年限后，姓名、学号等以化名代替，统计、学分和已签发的成绩单不变，不能恢复，事先通知管理员；0 表示长期保留',
    unit: '年',
    min: 0,
    max: 50,
    default: 0,
    source: '由学校按档案规定决定',
  }),
}

/** The groups in the order in which the screen shows them. */
export const settingGroups = {
  approval: { title: '审批', settings: approval },
  publish: { title: '课程发布', settings: publish },
  register: { title: '报名', settings: register },
  sign: { title: '签到', settings: sign },
  publicty: { title: '公示与申诉', settings: publicty },
  hours: { title: '学时与学分', settings: hours },
  convert: { title: '换算与分配', settings: convert },
  stars: { title: '星级与预警', settings: stars },
  credibility: { title: '诚信分', settings: credibility },
  supplement: { title: '补录', settings: supplement },
  circle: { title: '圈子', settings: circle },
  calendar: { title: '学期划分', settings: calendar },
  statistics: { title: '统计', settings: statistics },
  signIn: { title: '登录安全', settings: signIn },
  trail: { title: '操作日志', settings: trail },
  retention: { title: '保存期限', settings: retention },
  graduates: { title: '毕业生信息', settings: graduates },
} as const

export const settings = {
  ...approval,
  ...publish,
  ...register,
  ...sign,
  ...publicty,
  ...hours,
  ...convert,
  ...stars,
  ...credibility,
  ...supplement,
  ...circle,
  ...calendar,
  ...statistics,
  ...signIn,
  ...trail,
  ...retention,
  ...graduates,
}

export type SettingKey = keyof typeof settings
export const settingKeys = Object.keys(settings) as SettingKey[]
/** One setting with its types forgotten, for those that treat all alike. */
export const settingOf = (key: string): Setting | undefined =>
  Object.hasOwn(settings, key) ? (settings[key as SettingKey] as unknown as Setting) : undefined

/** The values as the program reads them: numbers, amounts in whole hundredths, switches as booleans. */
export type SchoolSettings = { [K in SettingKey]: z.output<(typeof settings)[K]['schema']> }
/** The values as they travel and are kept. */
export type SettingValues = { [K in SettingKey]: (typeof settings)[K]['default'] }
