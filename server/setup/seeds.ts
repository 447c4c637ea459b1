/** What a new school starts with (DOMAIN 2.1, 2.2, 2.5); all of it may be changed by the school. Amounts in hundredths. */

/** [code, module, children, least hours until graduation, required?] */
export const curriculumSeed = [
  ['SXCL', '思想成长', ['主题教育', '党团学习', '主题团日班会', '理论宣讲', '形势政策报告'], 800, true],
  ['SJSX', '实践实习', ['暑期三下乡', '寒假实践', '专业实习', '社会调查', '勤工助学', '挂职锻炼'], 800, true],
  ['ZYGY', '志愿公益', ['社区服务', '支教助残', '赛会服务', '环保公益', '无偿献血', '校内服务'], 800, true],
  ['CXCY', '创新创业', ['学科竞赛', '大创项目', '科研训练', '论文专利', '创业实践', '学术讲座'], 800, true],
  ['WTHD', '文体活动', ['文艺演出', '体育竞赛', '体质健身', '文化讲座', '社团活动', '美育实践'], 800, true],
  ['GZLL', '工作履历', ['校级组织', '院级组织', '班团干部', '社团干部', '学生助理'], 200, false],
  ['JNTC', '技能特长', ['语言证书', '计算机证书', '职业资格', '驾驶急救', '其他技能'], 200, false],
  ['LDJY', '劳动教育', ['校园劳动', '生产劳动', '服务性劳动'], 400, true],
] as const satisfies readonly (readonly [string, string, readonly string[], number, boolean])[]

/** [llId, name, factor in hundredths] */
export const levelSeed = [
  ['1', '国际级', 200],
  ['2', '国家级', 150],
  ['3', '省（部）级', 120],
  ['4', '市级', 100],
  ['5', '校级', 100],
  ['6', '院（系）级', 80],
  ['7', '班（团支部）级', 50],
  ['8', '社团级', 50],
] as const

/** [first-level label, colour, abilities below it] */
export const labelSeed = [
  ['德', '#D9576B', ['理想信念', '道德诚信', '家国情怀']],
  ['智', '#2458C5', ['学习研究', '批判思维', '创新创造', '数字素养', '国际视野']],
  ['体', '#E39A2D', ['身心健康', '意志毅力']],
  ['美', '#8A5CC9', ['审美表达', '人文素养']],
  ['劳', '#1C9C8C', ['劳动实践', '志愿奉献', '职业技能']],
] as const
