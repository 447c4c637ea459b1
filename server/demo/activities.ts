import { applyWay, lessonKind } from '../../contract/core/codes/programme.ts'
import { richFromPlain } from '../../contract/core/rich-text.ts'
/** What the activities of a university are: names, kinds, places and words, by module. */

/** [place, seats] of each kind of place. */
const placesOf = {
  hall: [
    ['图书馆报告厅', 300],
    ['逸夫楼学术报告厅', 200],
    ['大学生活动中心 201 多功能厅', 150],
  ],
  room: [
    ['第一教学楼 A101', 120],
    ['第二教学楼 B305', 80],
    ['逸夫楼 205', 60],
    ['大学生活动中心 302', 50],
    ['大学生活动中心 404', 40],
  ],
  lab: [
    ['实验楼 C402 机房', 80],
    ['计算中心第三机房', 120],
    ['工程训练中心 1 号车间', 40],
  ],
  pitch: [
    ['创新创业基地路演厅', 80],
    ['众创空间一层', 60],
    ['图书馆研讨室', 30],
  ],
  stage: [
    ['艺术楼音乐厅', 400],
    ['大学生活动中心剧场', 300],
  ],
  craft: [
    ['艺术楼 203 工作坊', 40],
    ['大学生活动中心 105 手工教室', 40],
    ['图书馆文化空间', 60],
  ],
  sport: [
    ['体育馆主馆', 400],
    ['东操场', 500],
    ['西区篮球场', 120],
    ['体育馆健身房', 60],
  ],
  campus: [
    ['东区绿化带', 120],
    ['第二食堂', 60],
    ['学生宿舍 7 号楼', 80],
    ['图书馆各阅览室', 60],
    ['校史馆', 40],
  ],
  outside: [
    ['和平里社区服务中心', 60],
    ['城西敬老院', 40],
    ['市图书馆少儿馆', 40],
    ['清河湿地公园', 120],
    ['奥体中心', 300],
  ],
  field: [
    ['云山县红旗村', 40],
    ['高新区企业园', 60],
    ['开发区装备制造产业园', 60],
    ['临江县乡村振兴示范点', 40],
  ],
  blood: [
    ['大学生活动中心门前献血车', 200],
    ['校医院一层', 120],
  ],
} as const
export type PlaceKind = keyof typeof placesOf

/** A place of the kind that seats so many; the largest where none does. */
export const placesFor = (kind: PlaceKind, seats: number): readonly string[] => {
  const all: readonly (readonly [string, number])[] = placesOf[kind]
  const fit = all.filter(([, room]) => room >= seats)
  return (fit.length > 0 ? fit : all.toSorted((a, b) => b[1] - a[1]).slice(0, 1)).map(([name]) => name)
}
export const maxSeats = (kind: PlaceKind): number => Math.max(...placesOf[kind].map(([, room]) => room))

export interface Activity {
  name: string
  /** The curriculum node below the module. */
  node: string
  liKind: string
  place: PlaceKind
  /** What happens there, in a sentence. */
  text: string
  /** `long`: for days or weeks; `summer` and `winter`: in that vacation, for days. */
  when?: 'long' | 'summer' | 'winter'
  /** Where it can only be held. */
  at?: string
}
const of =
  (node: string, liKind: string, place: PlaceKind) =>
  (name: string, text: string, more: Pick<Activity, 'when' | 'at'> = {}): Activity => ({
    name,
    node,
    liKind,
    place,
    text,
    ...more,
  })

export const activitiesOf: Record<string, readonly Activity[]> = {
  SXCL: [
    of(
      '党团学习',
      lessonKind.activity,
      'room',
    )('“青年大学习”主题团课', '围绕本期学习主题开展集中学习、分组讨论与微分享。'),
    of('主题教育', lessonKind.activity, 'hall')('红色观影与微团课', '观看红色经典影片，由团支部书记带领交流观后感。'),
    of('党团学习', lessonKind.training, 'hall')('青马工程培训班', '邀请专家授课，设理论学习、素质拓展与调研汇报环节。'),
    of('理论宣讲', lessonKind.lecture, 'room')('理论宣讲进班级', '青年讲师团走进班级，用身边故事讲清大道理。'),
    of(
      '形势政策报告',
      lessonKind.lecture,
      'hall',
    )('形势与政策专题报告会', '解读当前国内外形势与相关政策，设现场问答。'),
    of(
      '主题团日班会',
      lessonKind.activity,
      'room',
    )('“我和我的祖国”主题团日', '以朗诵、情景剧和合唱等形式展示团支部风采。'),
    of('主题教育', lessonKind.activity, 'room')('入团积极分子培训', '学习团章团史，结业考核合格者颁发结业证书。'),
    of('主题教育', lessonKind.lecture, 'hall')('国家安全教育日宣讲', '结合典型案例讲解国家安全知识，现场有奖问答。'),
    of('理论宣讲', lessonKind.competition, 'room')('党史知识竞赛', '个人必答与团队抢答相结合，决出优胜团队。'),
  ],
  SJSX: [
    of('暑期三下乡', lessonKind.practice, 'field')(
      '“三下乡”社会实践团',
      '深入乡镇开展支教、宣讲与调研，返校后提交实践报告。',
      {
        when: 'summer',
      },
    ),
    of('社会调查', lessonKind.practice, 'field')(
      '乡村振兴暑期专项调研',
      '走访农户与合作社，形成不少于五千字的调研报告。',
      {
        when: 'summer',
      },
    ),
    of('寒假实践', lessonKind.practice, 'field')('返家乡社会实践', '回到家乡，在政务服务、社区治理等岗位实践。', {
      when: 'winter',
    }),
    of('寒假实践', lessonKind.practice, 'field')('寒假社会调查', '围绕家乡变化开展问卷与访谈，提交调查报告。', {
      when: 'winter',
    }),
    of('专业实习', lessonKind.practice, 'field')(
      '企业走访与岗位体验',
      '参观生产现场，与工程师面对面交流，完成岗位体验任务。',
      {
        at: '高新区企业园',
      },
    ),
    of('社会调查', lessonKind.practice, 'field')('社区治理调研日', '走访居委会与居民，了解基层治理并完成调研记录。', {
      at: '和平里社区服务中心',
    }),
    of('勤工助学', lessonKind.practice, 'campus')('校园岗位实践', '在图书馆、食堂等岗位实践一天，由岗位老师考核。'),
  ],
  ZYGY: [
    of('社区服务', lessonKind.volunteering, 'outside')(
      '社区志愿服务日',
      '为社区居民提供家电维修、反诈宣传和助老服务。',
      {
        at: '和平里社区服务中心',
      },
    ),
    of(
      '无偿献血',
      lessonKind.volunteering,
      'blood',
    )('无偿献血志愿行动', '负责现场引导、登记与献血后陪护，献血者另行登记。'),
    of('赛会服务', lessonKind.volunteering, 'outside')(
      '城市马拉松赛会服务',
      '承担补给、引导与终点服务，上岗前统一培训。',
      {
        at: '奥体中心',
      },
    ),
    of('支教助残', lessonKind.volunteering, 'outside')('“七彩课堂”支教助学', '为社区儿童开设科学、美术与阅读课堂。', {
      at: '市图书馆少儿馆',
    }),
    of('环保公益', lessonKind.volunteering, 'outside')(
      '清河环保行动',
      '沿河清理垃圾、记录水质，并向游客宣传环保知识。',
      {
        at: '清河湿地公园',
      },
    ),
    of('校内服务', lessonKind.volunteering, 'campus')(
      '校园开放日引导志愿服务',
      '为来访的中学生和家长提供指引与讲解。',
      { at: '校史馆' },
    ),
    of('社区服务', lessonKind.volunteering, 'outside')('敬老院陪伴行动', '陪老人聊天、教用智能手机、表演小节目。', {
      at: '城西敬老院',
    }),
    of('校内服务', lessonKind.volunteering, 'campus')('图书馆整架志愿服务', '协助图书上架、整架与阅览秩序维护。', {
      at: '图书馆各阅览室',
    }),
  ],
  CXCY: [
    of('学科竞赛', lessonKind.competition, 'pitch')('“挑战杯”选拔赛', '作品展示与现场答辩，择优推荐参加校赛。'),
    of('学科竞赛', lessonKind.training, 'lab')('数学建模竞赛集训', '讲授建模方法与论文写作，完成一次模拟赛题。', {
      at: '实验楼 C402 机房',
    }),
    of('创业实践', lessonKind.competition, 'pitch')('创业项目路演', '团队路演八分钟，由创业导师与投资人点评。'),
    of('学术讲座', lessonKind.lecture, 'hall')('学术科研入门讲座', '介绍选题、文献检索与论文写作规范。'),
    of('学科竞赛', lessonKind.competition, 'lab')('程序设计竞赛', '上机编程，实时评测，按解题数与罚时排名。', {
      at: '计算中心第三机房',
    }),
    of('大创项目', lessonKind.competition, 'pitch')('大学生创新训练项目答辩', '项目组汇报进展与成果，专家现场打分。'),
    of('科研训练', lessonKind.training, 'lab')('实验室开放日', '进入课题组实验室，在研究生指导下完成一个小实验。'),
    of('论文专利', lessonKind.lecture, 'room')('专利申请与成果转化讲座', '讲解专利检索、撰写与校内申请流程。'),
  ],
  WTHD: [
    of('文艺演出', lessonKind.performance, 'stage')('校园歌手大赛', '设海选、复赛与决赛，现场评委打分。'),
    of('美育实践', lessonKind.activity, 'craft')('非遗剪纸工作坊', '非遗传承人现场教学，每人完成一件作品。'),
    of('体育竞赛', lessonKind.competition, 'sport')('班级篮球联赛', '小组循环与淘汰赛相结合，以班级组队参赛。', {
      at: '西区篮球场',
    }),
    of('文化讲座', lessonKind.lecture, 'hall')('经典诵读与人文讲座', '名家导读，选手诵读经典篇目。'),
    of('体质健身', lessonKind.activity, 'sport')('“每天一小时”健身打卡', '每日锻炼并打卡，累计达标者计入学时。', {
      when: 'long',
      at: '东操场',
    }),
    of('美育实践', lessonKind.activity, 'craft')('书画摄影作品展', '征集师生作品，展出期间由观众投票评奖。', {
      when: 'long',
      at: '图书馆文化空间',
    }),
    of('体育竞赛', lessonKind.competition, 'sport')('趣味运动会', '设拔河、接力等团体项目，以班级为单位报名。', {
      at: '东操场',
    }),
    of('文艺演出', lessonKind.performance, 'stage')('学院风采展演', '歌舞、戏剧与语言类节目同台展演。'),
    of('社团活动', lessonKind.activity, 'craft')('社团文化体验日', '走进各社团，体验书法、茶艺、棋类等项目。'),
    of('体育竞赛', lessonKind.competition, 'sport')('羽毛球院系赛', '设男单、女单与混双，采用淘汰赛制。', {
      at: '体育馆主馆',
    }),
  ],
  GZLL: [
    of('院级组织', lessonKind.office, 'room')('学生会干部履职考核', '述职、民主测评与答辩，考核合格计入工作履历。'),
    of('班团干部', lessonKind.training, 'room')('班团干部培训', '讲授支部工作、活动策划与公文写作。'),
    of('社团干部', lessonKind.office, 'room')('社团负责人述职', '汇报本学期社团工作，由指导老师评议。'),
    of('学生助理', lessonKind.office, 'room')('学生助理岗位考核', '考核岗位出勤与任务完成情况。'),
  ],
  JNTC: [
    of('计算机证书', lessonKind.training, 'lab')('计算机等级考试辅导', '讲解考点并上机模拟，适合已报名考试的同学。', {
      at: '计算中心第三机房',
    }),
    of('驾驶急救', lessonKind.training, 'room')('急救员证书培训', '红十字会讲师授课，实操心肺复苏与创伤包扎。'),
    of('语言证书', lessonKind.training, 'room')('普通话水平测试训练营', '语音辨正与模拟测试，一对一反馈。'),
    of('语言证书', lessonKind.training, 'room')('英语口语强化班', '分组主题讨论与外教点评。'),
    of('职业资格', lessonKind.training, 'room')('教师资格证笔试辅导', '梳理考纲与真题，分科目答疑。'),
    of('其他技能', lessonKind.training, 'lab')('短视频拍摄与剪辑训练', '从脚本到成片，分组完成一部作品。'),
  ],
  LDJY: [
    of('校园劳动', lessonKind.practice, 'campus')('校园绿化劳动实践', '在园艺师傅指导下修剪、除草、补种。', {
      at: '东区绿化带',
    }),
    of('服务性劳动', lessonKind.practice, 'campus')('食堂帮厨体验', '参与择菜、分餐与保洁，体会劳动不易。', {
      at: '第二食堂',
    }),
    of('校园劳动', lessonKind.practice, 'campus')('宿舍文明创建', '清洁公共区域，布置文明宿舍并参加评比。', {
      at: '学生宿舍 7 号楼',
    }),
    of('生产劳动', lessonKind.practice, 'lab')('金工实训劳动课', '在车间师傅指导下完成一件金属制品。', {
      at: '工程训练中心 1 号车间',
    }),
    of('校园劳动', lessonKind.practice, 'campus')('劳动教育周', '分组承担校园劳动任务，完成劳动日志。'),
  ],
}

/** How often each module is what an activity is for. */
export const moduleWeights: readonly (readonly [string, number])[] = [
  ['SXCL', 20],
  ['ZYGY', 20],
  ['WTHD', 19],
  ['CXCY', 15],
  ['LDJY', 9],
  ['SJSX', 8],
  ['JNTC', 5],
  ['GZLL', 4],
]

const leads: readonly ((host: string) => string)[] = [
  (host) => `本活动由${host}主办。`,
  (host) => `${host}诚邀同学们参加。`,
  (host) => `为丰富校园生活、提升综合素质，${host}举办本次活动。`,
  (host) => `应同学们的要求，${host}再次组织此项活动。`,
]
const waysOf: Record<string, string> = {
  [applyWay.firstCome]: '报名先到先得，额满即止；临时不能参加的请在截止前取消报名。',
  [applyWay.review]: '报名后由主办方审核录取，结果以站内消息通知。',
  [applyWay.importedList]: '参加名单由主办方按班级推荐导入，无需自行报名。',
}

/** The introduction of a course, with which it asks for participants. */
export const introOf = ({ text }: Activity, host: string, applyWay: string, variant: number): string =>
  richFromPlain(`${leads[variant % leads.length]!(host)}${text}`) +
  `<ul>${[waysOf[applyWay], '全程参加并完成签到的同学，按评价规则认定<strong>学时</strong>。']
    .map((line) => line && `<li>${line}</li>`)
    .join('')}</ul>`
