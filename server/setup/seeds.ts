import { treeTemplates } from '../curriculum/tree-templates.ts'

/** What a new school starts with (DOMAIN 2.1, 2.2, 2.5); all of it may be changed by the school. Amounts in hundredths. */

export const curriculumSeed = treeTemplates[0].modules

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
