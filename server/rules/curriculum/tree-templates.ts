/**
 * Ready-made trees that a school starts from (docs/rules.md R23): the usual eight modules, the nine of 合肥工业大学, the
 * seven of 西南交通大学 with its least hours, and one by the five educations. Where a source names no hours, they are ours.
 */

/** [code, module, nodes below it, least hours until graduation in hundredths, required?, icon, colour] */
export type ModuleSeed = readonly [
  lsCode: string,
  lsName: string,
  children: readonly string[],
  minHours: number,
  required: boolean,
  lsIcon: string,
  lsColor: string,
]

interface TreeTemplate {
  templateId: string
  templateName: string
  note: string
  modules: readonly ModuleSeed[]
}

export const treeTemplates: readonly [TreeTemplate, ...TreeTemplate[]] = [
  {
    templateId: 'common8',
    templateName: '通用八模块',
    note: '多数高校采用的“思想成长”等八个模块，含下级分类；毕业共 44 学时必修要求',
    modules: [
      [
        'SXCL',
        '思想成长',
        ['主题教育', '党团学习', '主题团日班会', '理论宣讲', '形势政策报告'],
        800,
        true,
        'flag',
        '#D9576B',
      ],
      [
        'SJSX',
        '实践实习',
        ['暑期三下乡', '寒假实践', '专业实习', '社会调查', '勤工助学', '挂职锻炼'],
        800,
        true,
        'compass',
        '#1C9C8C',
      ],
      [
        'ZYGY',
        '志愿公益',
        ['社区服务', '支教助残', '赛会服务', '环保公益', '无偿献血', '校内服务'],
        800,
        true,
        'heart',
        '#E39A2D',
      ],
      [
        'CXCY',
        '创新创业',
        ['学科竞赛', '大创项目', '科研训练', '论文专利', '创业实践', '学术讲座'],
        800,
        true,
        'bulb',
        '#2458C5',
      ],
      [
        'WTHD',
        '文体活动',
        ['文艺演出', '体育竞赛', '体质健身', '文化讲座', '社团活动', '美育实践'],
        800,
        true,
        'trophy',
        '#8A5CC9',
      ],
      [
        'GZLL',
        '工作履历',
        ['校级组织', '院级组织', '班团干部', '社团干部', '学生助理'],
        200,
        false,
        'idcard',
        '#5AA2E0',
      ],
      [
        'JNTC',
        '技能特长',
        ['语言证书', '计算机证书', '职业资格', '驾驶急救', '其他技能'],
        200,
        false,
        'tool',
        '#7C8A3C',
      ],
      ['LDJY', '劳动教育', ['校园劳动', '生产劳动', '服务性劳动'], 400, true, 'build', '#6B7A90'],
    ],
  },
  {
    templateId: 'hfut9',
    templateName: '“3+6”九模块',
    note: '三个必修模块、六个选修模块，每个模块评星，可各设负责角色',
    modules: [
      ['szxx', '思政学习', [], 800, true, 'flag', '#D9576B'],
      ['kjcx', '科技创新', [], 800, true, 'experiment', '#2458C5'],
      ['tyjs', '体育健身', [], 800, true, 'trophy', '#E39A2D'],
      ['cyhd', '创业活动', [], 400, false, 'bulb', '#1C9C8C'],
      ['gyfw', '公益服务', [], 400, false, 'heart', '#8A5CC9'],
      ['shsj', '社会实践', [], 400, false, 'compass', '#5AA2E0'],
      ['wyhd', '文艺活动', [], 400, false, 'audio', '#7C8A3C'],
      ['sthd', '社团活动', [], 400, false, 'team', '#6B7A90'],
      ['jnxm', '技能项目', [], 400, false, 'tool', '#D9576B'],
    ],
  },
  {
    templateId: 'swjtu7',
    templateName: '素质养成七模块',
    note: '七个模块各有毕业最低学时，社会实践与志愿服务 16 学时',
    modules: [
      ['SZDD', '思想政治与道德素养', ['讲座', '活动', '课程'], 800, true, 'flag', '#D9576B'],
      ['KJCY', '学术科技与创新创业', ['竞赛', '讲座', '活动', '课程'], 200, true, 'bulb', '#2458C5'],
      ['SXSZ', '心理素质与身体素质', ['竞赛', '讲座', '活动', '课程'], 800, true, 'smile', '#E39A2D'],
      ['WHGT', '文化沟通与交往能力', ['竞赛', '讲座', '活动', '课程'], 200, true, 'global', '#5AA2E0'],
      ['YSSM', '艺术体验与审美修养', ['竞赛', '讲座', '活动', '课程'], 200, true, 'audio', '#8A5CC9'],
      ['SHLD', '社会工作与领导能力', ['任职', '讲座', '活动'], 200, true, 'crown', '#7C8A3C'],
      ['SJZY', '社会实践与志愿服务', ['社会实践', '志愿服务'], 1600, true, 'heart', '#1C9C8C'],
    ],
  },
  {
    templateId: 'wuyu5',
    templateName: '五育五模块',
    note: '按德智体美劳划分，适合以五育评价学生的学校',
    modules: [
      ['DE', '德育', ['主题教育', '理论学习', '志愿服务'], 800, true, 'flag', '#D9576B'],
      ['ZHI', '智育', ['学术讲座', '学科竞赛', '科研训练'], 800, true, 'book', '#2458C5'],
      ['TI', '体育', ['体质健身', '体育竞赛', '心理健康'], 800, true, 'trophy', '#E39A2D'],
      ['MEI', '美育', ['文艺演出', '审美教育', '文化活动'], 400, true, 'audio', '#8A5CC9'],
      ['LAO', '劳育', ['校园劳动', '生产劳动', '服务性劳动'], 400, true, 'build', '#1C9C8C'],
    ],
  },
]
