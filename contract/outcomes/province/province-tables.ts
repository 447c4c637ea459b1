/**
 * What the operator sees of the statistics across schools: the screens, and the tables of each. The figures of a screen
 * are the cards of the school's own one; the service names them.
 */

/** A column of figures; `isDrawn`: the chart shows it too. */
interface TableColumn {
  key: string
  title: string
  unit: string
  isDrawn: boolean
}
export interface ProvinceTable {
  key: string
  title: string
  /** The head of the column that names the rows. */
  first: string
  definition: string
  kind: 'lines' | 'bars' | 'horizontalBars' | 'donut' | 'funnel' | 'radar' | 'heat'
  /** Rows come as they are named, with the most first, or as the school's screens have them. */
  order: 'name' | 'size' | 'given'
  columns: readonly TableColumn[]
}

const drawn = (key: string, title: string, unit: string): TableColumn => ({ key, title, unit, isDrawn: true })
const told = (key: string, title: string, unit: string): TableColumn => ({ ...drawn(key, title, unit), isDrawn: false })

const sameName = '；各校名称相同的合并'

export const provinceTables = {
  login: [
    {
      key: 'trend',
      title: '登录趋势',
      first: '月份',
      definition: '人数：当月登录过的人，每人计一次；人次：登录次数',
      kind: 'lines',
      order: 'name',
      columns: [drawn('people', '人数', '人'), drawn('times', '人次', '人次')],
    },
    {
      key: 'grade',
      title: '各年级登录',
      first: '年级',
      definition: '学生的登录；登录率 = 登录人数 ÷ 该年级应有人数。教职工不属于年级，不计',
      kind: 'bars',
      order: 'name',
      columns: [
        drawn('people', '登录人数', '人'),
        told('times', '登录人次', '人次'),
        told('total', '应有人数', '人'),
        drawn('rate', '登录率', '%'),
      ],
    },
    {
      key: 'heat',
      title: '登录时段',
      first: '时段',
      definition: '登录人次按星期与小时分布',
      kind: 'heat',
      order: 'given',
      columns: [drawn('times', '人次', '人次')],
    },
  ],
  lesson: [
    {
      key: 'trend',
      title: '发布趋势',
      first: '月份',
      definition: '按发布时间计',
      kind: 'lines',
      order: 'name',
      columns: [drawn('count', '课程', '门'), drawn('times', '报名', '人次')],
    },
    {
      key: 'funnel',
      title: '从报名到入账',
      first: '环节',
      definition: '所选时间内发布的课程，从报名到记入台账的人次',
      kind: 'funnel',
      order: 'given',
      columns: [drawn('times', '人次', '人次')],
    },
    {
      key: 'module',
      title: '各模块课程',
      first: '模块',
      definition: `课程数、报名人次与发放学时${sameName}`,
      kind: 'horizontalBars',
      order: 'size',
      columns: [drawn('count', '课程', '门'), told('times', '报名', '人次'), told('hours', '发放学时', '学时')],
    },
    {
      key: 'level',
      title: '各级别课程',
      first: '级别',
      definition: `课程数${sameName}`,
      kind: 'donut',
      order: 'given',
      columns: [drawn('count', '课程', '门')],
    },
    {
      key: 'organiser',
      title: '主办类型',
      first: '主办类型',
      definition: '由圈子、院系或校级组织主办的课程',
      kind: 'donut',
      order: 'given',
      columns: [drawn('count', '课程', '门'), told('times', '报名', '人次')],
    },
    {
      key: 'star',
      title: '评价分布',
      first: '星级',
      definition: '参与学生给出的一至五星',
      kind: 'bars',
      order: 'given',
      columns: [drawn('times', '评价', '次')],
    },
  ],
  supplement: [
    {
      key: 'month',
      title: '各月补录',
      first: '月份',
      definition: '按提交时间计',
      kind: 'lines',
      order: 'name',
      columns: [drawn('apply', '申请', '条'), drawn('pass', '通过', '条')],
    },
    {
      key: 'type',
      title: '补录类型',
      first: '类型',
      definition: '申请条数与入账学时',
      kind: 'donut',
      order: 'size',
      columns: [drawn('count', '申请', '条'), told('hours', '入账学时', '学时')],
    },
    {
      key: 'module',
      title: '各模块补录',
      first: '模块',
      definition: `申请条数与入账学时${sameName}`,
      kind: 'horizontalBars',
      order: 'size',
      columns: [drawn('count', '申请', '条'), told('hours', '入账学时', '学时')],
    },
    {
      key: 'level',
      title: '各级别补录',
      first: '级别',
      definition: `申请条数与入账学时${sameName}`,
      kind: 'bars',
      order: 'given',
      columns: [drawn('count', '申请', '条'), told('hours', '入账学时', '学时')],
    },
  ],
  ability: [
    {
      key: 'label',
      title: '各项能力',
      first: '能力',
      definition: `人均得分 = 得分之和 ÷ 设有此能力的学校的学生人数${sameName}`,
      kind: 'radar',
      order: 'given',
      columns: [drawn('avg', '人均得分', '分'), told('students', '学生人数', '人')],
    },
    {
      key: 'grade',
      title: '各年级能力',
      first: '年级',
      definition: '各能力得分之和 ÷ 学生人数',
      kind: 'bars',
      order: 'name',
      columns: [drawn('avg', '人均能力分', '分'), told('students', '学生人数', '人')],
    },
  ],
  circle: [
    {
      key: 'class',
      title: '各分类圈子',
      first: '分类',
      definition: `时间范围内存在过的圈子、它们的活动与参与人次${sameName}`,
      kind: 'bars',
      order: 'size',
      columns: [drawn('circles', '圈子', '个'), drawn('num', '活动', '场'), told('people', '参与', '人次')],
    },
    {
      key: 'size',
      title: '圈子规模',
      first: '成员数',
      definition: '按成员多少分组的圈子数与成员人次',
      kind: 'donut',
      order: 'given',
      columns: [drawn('circles', '圈子', '个'), told('num', '成员', '人次')],
    },
  ],
  student: [
    {
      key: 'grade',
      title: '各年级学时与学分',
      first: '年级',
      definition: '所选时间内入账的学时与学分 ÷ 学生人数',
      kind: 'bars',
      order: 'name',
      columns: [
        drawn('avgHours', '人均学时', '学时'),
        drawn('avgCredit', '人均学分', '学分'),
        told('people', '学生人数', '人'),
        told('avgActivities', '人均活动', '次'),
      ],
    },
    {
      key: 'sex',
      title: '性别',
      first: '性别',
      definition: '学生人数与人均学时',
      kind: 'donut',
      order: 'given',
      columns: [drawn('people', '学生人数', '人'), told('avgHours', '人均学时', '学时')],
    },
    {
      key: 'credit',
      title: '学分分布',
      first: '学分',
      definition: '所选时间内获得的学分',
      kind: 'bars',
      order: 'given',
      columns: [drawn('people', '学生人数', '人'), told('avgHours', '人均学时', '学时')],
    },
    {
      key: 'credibility',
      title: '诚信分分布',
      first: '诚信分',
      definition: '目前的诚信分',
      kind: 'bars',
      order: 'given',
      columns: [drawn('people', '学生人数', '人'), told('avgHours', '人均学时', '学时')],
    },
  ],
  teacher: [
    {
      key: 'sex',
      title: '教职工性别',
      first: '性别',
      definition: '在职教职工',
      kind: 'donut',
      order: 'given',
      columns: [drawn('people', '人数', '人')],
    },
  ],
  threshold: [
    {
      key: 'grade',
      title: '各年级预警',
      first: '年级',
      definition: '预警率 = 各等级预警学生 ÷ 学生人数',
      kind: 'bars',
      order: 'name',
      columns: [drawn('warned', '预警学生', '人'), told('total', '学生人数', '人'), drawn('rate', '预警率', '%')],
    },
    {
      key: 'module',
      title: '各模块不足',
      first: '模块',
      definition: `到下一检查点前此模块学时不足的学生${sameName}`,
      kind: 'horizontalBars',
      order: 'size',
      columns: [drawn('count', '学生', '人')],
    },
  ],
} as const satisfies Record<string, readonly ProvinceTable[]>

/** The screens by their keys, in the order of the menu. */
export const provinceScreens = [
  ['login', '登录统计'],
  ['lesson', '发布统计'],
  ['supplement', '补录统计'],
  ['ability', '能力统计'],
  ['circle', '圈子统计'],
  ['student', '学生统计'],
  ['teacher', '教师统计'],
  ['threshold', '阈值预警'],
] as const satisfies readonly (readonly [keyof typeof provinceTables, string])[]
export type ProvinceScreen = (typeof provinceScreens)[number][0]
